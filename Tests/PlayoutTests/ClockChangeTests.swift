// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import RealtimeAudio
import Testing
import WireProtocol

/// The coordinator's clock is another from one generation to the next.
@Suite struct ClockChangeTests {
  static let hour: Int64 = 3_600 * 48_000
  /// Frames that the new clock is ahead: as after a sleep, after a reboot, hardly, or the same.
  static let shifts: [Int64] = [192_000, -hour, hour, -30 * hour, 7, 0]

  let first = PacketSource(ssrc: name(1), firstAudible: origin)

  func second(ahead shift: Int64, generation: UInt16 = 2) -> PacketSource {
    PacketSource(
      ssrc: name(generation), firstAudible: origin + 19_200 + shift,
      clockID: ClockID(rawValue: 2))
  }

  /// A room that has played the first generation for 240 ms and holds a second more.
  func playingRoom() -> ReceivingRoom {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(first.announcement)
    room.deliver(first, 0..<60)
    room.play(to: origin + 11_520)
    return room
  }

  /// What a clock shows now, D ahead of the playhead as the room counts.
  func map(_ id: UInt64, _ room: ReceivingRoom, ahead shift: Int64 = 0) throws -> ClockMap {
    let present = try #require(room.playhead) + 288_000 + shift
    return ClockMap(
      anchorLocal: LocalInstant(nanoseconds: 0), anchorMedia: present.instant,
      clockID: ClockID(rawValue: id))
  }

  func takeUp(_ room: inout ReceivingRoom, ahead shift: Int64) throws {
    room.receiver.takeUp(
      try map(2, room, ahead: shift), after: try map(1, room),
      at: LocalInstant(nanoseconds: 0))
    room.work()
  }

  @Test(arguments: shifts, [true, false])
  func `what is held sounds on until the music of the new clock begins`(
    shift: Int64, packetsFirst: Bool
  ) throws {
    var room = playingRoom()
    let second = second(ahead: shift)
    if packetsFirst { room.deliver(second, 0..<3) }
    room.receiver.announce(second.announcement)
    #expect(room.receiver.awaitedClock == second.clockID)
    room.deliver(second, (packetsFirst ? 3 : 0)..<40)
    room.play(to: origin + 14_400)
    try takeUp(&room, ahead: shift)
    #expect(room.receiver.awaitedClock == nil)
    #expect(room.receiver.clock == RulingClock(id: second.clockID, shift: shift))
    // What overtook its announcement was not understood; it is sent again.
    if packetsFirst { for index in 0..<3 { room.deliver(second, index) } }
    room.play(to: origin + 30_000)
    #expect(room.everything == [.silence, .music(name(1)), .music(name(2))])
    #expect(room.first(.music(name(2))) == origin + 19_200)
    #expect(room.problems == [])
  }

  @Test(arguments: shifts) func `the map follows the room's count`(shift: Int64) throws {
    var room = playingRoom()
    room.receiver.announce(second(ahead: shift).announcement)
    try takeUp(&room, ahead: shift)
    let ruling = try #require(room.receiver.clock)
    let now = LocalInstant(nanoseconds: 77)
    let counted = ruling.roomMap(try map(2, room, ahead: shift)).media(at: now)
    #expect((counted - (try map(1, room)).media(at: now)).magnitude <= Nanoseconds(1))
    #expect(ruling.roomFrame(ruling.clockFrame(origin)) == origin)
  }

  @Test func `a flush that comes before the clock is known is not forgotten`() throws {
    var room = playingRoom()
    let second = second(ahead: 192_000)
    room.receiver.announce(second.announcement)
    room.deliver(second, 0..<40)
    room.receiver.flush(
      FlushPacket(
        ssrc: second.ssrc, serial: 1, fromFrame: second.firstAudible + 4_800, fadeMilliseconds: 10))
    try takeUp(&room, ahead: 192_000)
    room.play(to: origin + 40_000)
    #expect(room.everything == [.silence, .music(name(1)), .music(name(2)), .silence])
    #expect(room.first(.music(name(2))) == origin + 19_200)
    #expect(room.sounds(in: origin + 25_000..<origin + 40_000) == [.silence])
  }

  @Test func `words of the clock before are overtaken, words of a later one rule`() throws {
    var room = playingRoom()
    let (second, third) = (second(ahead: 480_000), second(ahead: 480_000, generation: 3))
    room.receiver.announce(second.announcement)
    room.receiver.announce(first.announcement)
    #expect(room.receiver.awaitedClock == second.clockID)
    room.receiver.announce(third.announcement)
    room.receiver.announce(second.announcement)
    room.deliver(second, 0..<40)
    room.deliver(third, 0..<40)
    try takeUp(&room, ahead: 480_000)
    room.play(to: origin + 30_000)
    #expect(room.everything == [.silence, .music(name(1)), .music(name(3))])
  }

  @Test func `a clock that is never known leaves what is held to ring out`() throws {
    var room = playingRoom()
    room.receiver.announce(second(ahead: 192_000).announcement)
    room.deliver(second(ahead: 192_000), 0..<1_000)
    room.play(to: origin + 96_000)
    #expect(room.everything.prefix(2) == [.silence, .music(name(1))])
    #expect(room.receiver.activity != .playing)
    #expect(room.receiver.packetsHeld < 700)
  }

  @Test func `what is held of a clock that nobody knows any more is not played at a wrong time`()
    throws
  {
    var room = playingRoom()
    // The room's host has slept: neither clock is known. Its count has to begin anew.
    let second = second(ahead: 24_000)
    room.receiver.announce(second.announcement)
    room.deliver(second, 0..<60)
    room.receiver.takeUp(
      try map(2, room, ahead: 24_000), after: nil, at: LocalInstant(nanoseconds: 0))
    #expect(room.receiver.clock?.shift == 0)
    room.playhead = room.playhead.map { $0 + 24_000 }
    room.play(to: origin + 70_000)
    #expect(room.everything.prefix(4) == [.silence, .music(name(1)), .silence, .music(name(2))])
    #expect(room.first(.music(name(2))) == second.firstAudible)
  }

  @Test func `with the device closed nothing is waited for`() {
    var room = ReceivingRoom(playhead: nil)
    room.receiver.announce(first.announcement)
    room.receiver.announce(second(ahead: Self.hour).announcement)
    #expect(room.receiver.awaitedClock == nil)
    #expect(room.receiver.clock == RulingClock(id: ClockID(rawValue: 2), shift: 0))
  }
}
