// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import RealtimeAudio
import Testing
import WireProtocol

@Suite struct GenerationTests {
  let first = PacketSource(ssrc: name(1), firstAudible: origin)
  let second = PacketSource(ssrc: name(2), firstAudible: origin + 19_200)

  /// A room that has played the first generation for 240 ms and holds a second more.
  func playingRoom() -> ReceivingRoom {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(first.announcement)
    room.deliver(first, 0..<60)
    room.play(to: origin + 11_520)
    return room
  }

  func flush(
    _ source: PacketSource, at frame: MediaFrame, serial: UInt32 = 1, fade: UInt16 = 10
  ) -> FlushPacket {
    FlushPacket(ssrc: source.ssrc, serial: serial, fromFrame: frame, fadeMilliseconds: fade)
  }

  @Test func `the old generation sounds until the new one begins, then they cross-fade`() {
    var room = playingRoom()
    room.receiver.announce(second.announcement)
    room.deliver(second, 0..<40)
    room.play(to: origin + 30_000)
    #expect(room.everything == [.silence, .music(name(1)), .music(name(2))])
    #expect(room.first(.music(name(2))) == second.firstAudible)
    let cue = room.receiver.schedule[room.receiver.schedule.count - 1]
    #expect(cue.start == second.firstAudible && cue.fadeFrames == 480)
    #expect(room.problems == [])
    #expect(room.lanes.count == 1, "the old lane is closed")
  }

  @Test func `a higher generation is believed before it is announced`() {
    var room = playingRoom()
    room.deliver(second, 0..<40)
    room.play(to: origin + 30_000)
    #expect(room.everything == [.silence, .music(name(1)), .music(name(2))])
    #expect(room.first(.music(name(2))) == second.firstAudible, "stamp plus look-ahead")
  }

  @Test func `a flush and the generation after it may come in either order`() {
    for flushFirst in [true, false] {
      var room = playingRoom()
      let cut = flush(first, at: second.firstAudible)
      if flushFirst { room.receiver.flush(cut) }
      room.receiver.announce(second.announcement)
      room.deliver(second, 0..<40)
      room.play(to: second.firstAudible - 2_400)
      if !flushFirst { room.receiver.flush(cut) }
      room.play(to: origin + 30_000)
      #expect(room.everything == [.silence, .music(name(1)), .music(name(2))])
      #expect(room.first(.music(name(2))) == second.firstAudible)
    }
  }

  @Test func `a flush silences its generation at its frame, and its packets after that`() {
    var room = playingRoom()
    room.receiver.flush(flush(first, at: origin + 14_400, fade: 40))
    room.play(to: origin + 14_520)
    #expect(room.receiver.activity == .stopping)
    room.play(to: origin + 20_000)
    #expect(room.everything == [.silence, .music(name(1)), .silence])
    #expect(room.heard.first { $0.frame >= origin + 14_400 }?.sound == .silence)
    #expect(room.receiver.activity == .idle)
    #expect(room.receiver.schedule.count == 0)
    let before = room.receiver.counters.discarded
    room.deliver(first, 60..<70)
    #expect(room.receiver.counters.discarded == before + 10)
    #expect(room.lanes.isEmpty)
  }

  @Test func `repeated flushes change nothing, a later one counts`() {
    var room = playingRoom()
    room.receiver.flush(flush(first, at: origin + 24_000, serial: 7))
    let schedule = room.receiver.schedule
    room.receiver.flush(flush(first, at: origin + 24_000, serial: 7))
    room.receiver.flush(flush(first, at: origin + 12_000, serial: 6))
    #expect(room.receiver.schedule.count == schedule.count)
    #expect(room.receiver.schedule[1] == schedule[1])
    room.receiver.flush(flush(first, at: origin + 14_400, serial: 8))
    #expect(room.receiver.schedule[1].start == origin + 14_400)
  }

  @Test func `a generation that is flushed before it begins is never heard`() {
    var room = playingRoom()
    room.receiver.announce(second.announcement)
    room.deliver(second, 0..<5)
    room.receiver.flush(flush(second, at: second.firstAudible))
    room.receiver.flush(flush(first, at: origin + 16_800))
    room.deliver(second, 5..<20)
    room.play(to: origin + 40_000)
    #expect(room.everything == [.silence, .music(name(1)), .silence])
    #expect(room.receiver.activity == .idle)
  }

  @Test func `resume after a pause starts at its very frame`() {
    var room = playingRoom()
    room.receiver.flush(flush(first, at: origin + 12_000, fade: 40))
    room.play(to: origin + 19_200)
    let resumed = PacketSource(ssrc: name(2), firstAudible: origin + 28_800)
    room.receiver.announce(resumed.announcement)
    room.deliver(resumed, 0..<30)
    room.play(to: origin + 40_000)
    #expect(
      room.everything == [.silence, .music(name(1)), .silence, .music(name(2))])
    #expect(room.first(.music(name(2))) == resumed.firstAudible)
  }

  @Test func `four seeks in one breath end at the last one`() {
    var room = playingRoom()
    var last = first
    for generation in 2...6 as ClosedRange<UInt16> {
      let next = PacketSource(
        ssrc: name(generation), firstAudible: origin + 14_400 + 480 * Int64(generation))
      room.receiver.announce(next.announcement)
      room.deliver(next, 0..<40)
      room.receiver.flush(flush(last, at: next.firstAudible))
      last = next
      room.play(240)
    }
    room.play(to: origin + 40_000)
    #expect(room.heard.last?.sound == .music(name(6)))
    #expect(room.sounds(in: last.firstAudible..<origin + 40_000) == [.music(name(6))])
    #expect(room.problems == [])
    #expect(!room.everything.contains(.missing))
  }

  @Test func `generation numbers wrap`() {
    let highest = PacketSource(ssrc: name(65_535), firstAudible: origin)
    let wrapped = PacketSource(ssrc: name(0), firstAudible: origin + 9_600)
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(highest.announcement)
    room.deliver(highest, 0..<30)
    room.deliver(wrapped, 0..<30)
    room.deliver(highest, 30..<32)
    room.play(to: origin + 20_000)
    #expect(room.heard.last?.sound == .music(name(0)))
  }

  @Test func `a restarted coordinator's session takes over by announcement alone`() {
    var room = playingRoom()
    let other = PacketSource(
      ssrc: SSRC(session: 0x9999, generation: 3), firstAudible: origin + 19_200)
    room.deliver(other, 0..<10)
    room.receiver.announce(other.announcement)
    room.deliver(other, 10..<40)
    room.play(to: origin + 30_000)
    #expect(room.everything == [.silence, .music(name(1)), .music(other.ssrc)])
    room.receiver.announce(first.announcement)
    #expect(room.receiver.ssrc == name(1), "an announcement is the only judge between sessions")
  }

  @Test func `the natural end is played out, then there is silence`() {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.receiver.announce(first.announcement)
    room.deliver(first, 0..<20)
    room.receiver.end(StreamEnd(ssrc: name(1), endFrame: first.stamp(20)))
    room.play(to: origin + 30_000)
    #expect(room.everything == [.silence, .music(name(1)), .silence])
    #expect(room.receiver.counters.concealed == 0)
    #expect(room.receiver.activity == .idle)
  }
}
