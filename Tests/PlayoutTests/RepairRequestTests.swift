// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import RealtimeAudio
import Testing
import WireProtocol

/// A receiver whose packets come when a test says, at a place D before the media clock.
struct AskingRoom {
  static let delay: Int64 = 288_000

  let source = PacketSource(ssrc: name(1), firstAudible: origin, repairs: true)
  var receiver = StreamReceiver()
  var playhead = origin
  /// Milliseconds since the test began.
  private(set) var now: Double = 0

  init(announced: Bool = true) {
    if announced { receiver.announce(source.announcement) }
    look()
  }

  var clock: MediaFrame { playhead + Self.delay }
  var instant: LocalInstant { LocalInstant(nanoseconds: 1_000_000_000_000 + Int64(now * 1e6)) }

  mutating func look(rendering: Bool = true) {
    // No lane is opened: only what is asked for matters here.
    _ = receiver.nextStep(
      RenderReading(playhead: rendering ? playhead : nil, lanesInUse: 15), horizon: 0)
  }

  mutating func pass(_ milliseconds: Double, rendering: Bool = true) {
    now += milliseconds
    playhead = playhead + Int64(milliseconds * 48)
    look(rendering: rendering)
  }

  mutating func receive(_ indices: some Sequence<Int>) {
    for index in indices {
      receiver.receive(
        source.header(index), payload: source.payload(index).span, at: instant, clock: clock)
    }
  }

  /// A packet that the coordinator sends again.
  mutating func repair(_ index: Int, ssrc: SSRC? = nil, number: Int? = nil) {
    let number = UInt16(truncatingIfNeeded: (number ?? index) + Int(source.firstSequence))
    let header = RTPHeader(
      payloadType: 100, sequence: 7, timestamp: RTPTimestamp(source.stamp(index)),
      ssrc: ssrc ?? source.ssrc.retransmission)
    let payload = [UInt8(number >> 8), UInt8(number & 255)] + source.payload(index)
    receiver.receive(header, payload: payload.span, at: instant, clock: clock)
  }

  /// What is asked for now.
  mutating func asked(roundTrip: Nanoseconds = .milliseconds(4)) -> [Int] {
    var numbers: [Int] = []
    while let request = receiver.repairRequest(at: instant, clock: clock, roundTrip: roundTrip) {
      numbers += request.sequences.map(Int.init)
    }
    return numbers
  }

  /// The milliseconds at which `index` is asked for within the next `length`.
  mutating func timesAsked(_ index: Int, within length: Int, keepingAlive: Bool) -> [Double] {
    var times: [Double] = []
    for step in 0..<length {
      if asked().contains(index) { times.append(now) }
      pass(1)
      if keepingAlive, step % 20 == 0 { receive([newest + 1]) }
    }
    return times
  }

  var newest: Int {
    Int((receiver.buffered.count * 48 / 1_000_000 + playhead.index - source.stamp(0).index) / 960)
      - 1
  }
}

@Suite struct RepairRequestTests {
  /// All of D at hand but for packet 60; the newest one has just come.
  func room(missing: Set<Int> = [60]) -> AskingRoom {
    var room = AskingRoom()
    room.receive((0..<301).filter { !missing.contains($0) })
    return room
  }

  @Test func `a gap is asked for 5 ms after a later packet came`() {
    var room = room()
    #expect(room.asked().isEmpty)
    room.pass(4.9)
    #expect(room.asked().isEmpty)
    #expect(room.receiver.nextRepair == room.instant + .microseconds(100))
    room.pass(0.2)
    #expect(room.asked() == [60])
    #expect(room.asked().isEmpty, "once is enough for now")
  }

  @Test func `a packet that was overtaken is not asked for`() {
    var room = room()
    room.pass(4)
    room.receive([60])
    room.pass(14)
    room.receive([301])
    room.pass(10)
    #expect(!room.asked().contains(60))
    #expect(room.receiver.counters.received == 302)
  }

  @Test func `many in a row are gone, not overtaken`() {
    var room = room(missing: Set(50..<70))
    #expect(room.asked() == Array(50..<70))
  }

  @Test func `it is asked for again every 20 ms, then ever more slowly`() {
    var room = room()
    let times = room.timesAsked(60, within: 800, keepingAlive: true)
    let pauses = zip(times, times.dropFirst()).map { ($1 - $0).rounded() }
    #expect(pauses.prefix(5) == [20, 20, 20, 20, 20])
    #expect(pauses.dropFirst(5).first.map { (39...45).contains($0) } == true, "\(pauses)")
    #expect(times.count < 14)
  }

  @Test func `a long way is waited for one and a half times`() {
    var room = room()
    room.pass(6)
    #expect(room.asked(roundTrip: .milliseconds(40)) == [60])
    for index in 301...302 {
      room.pass(20)
      room.receive([index])
    }
    room.pass(19)
    #expect(!room.asked(roundTrip: .milliseconds(40)).contains(60))
    room.pass(1.5)
    #expect(room.asked(roundTrip: .milliseconds(40)).contains(60))
  }

  @Test func `it is not asked for when the answer would come too late`() {
    var room = room(missing: [2, 3])
    // Packet 2 begins 33.5 ms after the playhead: 15 ms of patience and a round trip of 4 fit.
    room.pass(13)
    #expect(room.asked() == [2, 3])
    var late = self.room(missing: [2, 3])
    late.pass(200)
    late.receive(301..<311)
    #expect(late.asked().filter { $0 < 10 }.isEmpty)
  }

  @Test func `what nothing followed is asked for 30 ms after it was due`() {
    var room = AskingRoom()
    // Steady packets: each comes when the clock shows its stamp.
    room.receive(0..<300)
    for index in 300..<310 {
      room.playhead = room.source.stamp(index) - AskingRoom.delay
      room.receive([index])
      _ = room.asked()
      room.pass(20)
    }
    // Packet 310 is due now.
    room.pass(28)
    #expect(!room.asked().contains(310))
    room.pass(4)
    #expect(room.asked().contains(310))
  }

  @Test func `nothing is asked for beyond the end`() {
    var room = AskingRoom()
    room.playhead = room.source.stamp(309) - AskingRoom.delay
    room.receive(0..<310)
    room.receiver.end(StreamEnd(ssrc: name(1), endFrame: room.source.stamp(310)))
    for _ in 0..<60 {
      #expect(!room.asked().contains { $0 >= 310 })
      room.pass(10)
    }
  }

  @Test func `after an outage everything that is still playable is asked for at once`() {
    var room = AskingRoom()
    room.receive(0..<300)
    room.playhead = room.source.stamp(300) - AskingRoom.delay
    // 5 s without anything.
    for _ in 0..<500 {
      room.pass(10)
      _ = room.asked()
    }
    let before = room.receiver.counters.requested
    #expect(before < 250, "a dead link is asked little: \(before)")
    room.receive([551])
    let asked = room.asked()
    #expect(Set(asked).isSuperset(of: 300..<551))
    let request = NegativeAcknowledgement(
      media: name(1), missing: asked.map { UInt16($0) })
    #expect(request.entries.count <= 20)
  }

  @Test func `a room that joins asks for the packets before its first one, with a run-up`() {
    var room = AskingRoom()
    room.playhead = room.source.stamp(600)
    room.look()
    room.receive(650..<901)
    _ = room.asked()
    room.pass(6)
    let asked = room.asked()
    #expect(asked.first.map { (597...599).contains($0) } == true, "\(asked.prefix(3))")
    #expect(asked.last == 649)
  }

  @Test func `a room whose device was closed asks for what will be heard, not for the past`() {
    var room = self.room(missing: [])
    _ = room.asked()
    // 40 s without network; the device has long been closed, the renderer's last place is old.
    for _ in 0..<4_000 {
      room.pass(10, rendering: false)
      _ = room.asked()
    }
    let newest = 300 + 40 * 50 + 1
    room.receive([newest])
    let asked = room.asked()
    #expect(asked.count > 290 && asked.count < 320, "\(asked.count)")
    #expect(asked.max().map { $0 >= newest - 2 } == true)
    #expect(asked.min().map { $0 >= newest - 310 } == true)
  }

  @Test func `without an announced source of repairs nobody asks`() {
    var room = AskingRoom(announced: false)
    var plain = room.source
    plain.repairs = false
    room.receiver.announce(plain.announcement)
    room.receive([0, 1, 2, 5, 6])
    room.pass(30)
    #expect(room.asked().isEmpty)
    #expect(room.receiver.nextRepair == nil)
  }
}
