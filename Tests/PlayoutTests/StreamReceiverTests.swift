// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import RealtimeAudio
import Testing
import WireProtocol

@Suite struct StreamReceiverTests {
  let source = PacketSource(ssrc: name(1), firstAudible: origin)

  /// A room 100 ms before the first frame, told of the stream.
  func room(leading frames: Int64 = 4_800) -> ReceivingRoom {
    var room = ReceivingRoom(playhead: origin - frames)
    room.receiver.announce(source.announcement)
    return room
  }

  @Test func `a generation sounds from its first audible frame, whole`() {
    var room = room()
    #expect(room.receiver.activity == .buffering)
    room.deliver(source, 0..<50)
    room.play(to: origin + 40_000)
    #expect(room.everything == [.silence, .music(name(1))])
    #expect(room.first(.music(name(1))) == origin)
    #expect(room.problems == [])
    #expect(room.receiver.counters.received == 50)
    #expect(room.receiver.counters.lost == 0)
    #expect(room.receiver.activity == .playing)
  }

  @Test func `decoding waits until the horizon is reached`() {
    var room = room(leading: 20_000)
    room.deliver(source, 0..<50)
    room.play(to: origin - 312 - 2_400 - 120)
    #expect(room.steps.isEmpty)
    room.play(480)
    #expect(!room.steps.isEmpty)
    #expect(room.receiver.buffered > .milliseconds(900))
  }

  @Test func `packets wait in raw form until somebody knows the time`() {
    var room = ReceivingRoom(playhead: nil)
    var unannounced = source.announcement
    unannounced.ssrc = name(0)
    room.receiver.announce(unannounced)
    // Generation 1 is not announced, so not even its first frame is known.
    room.deliver(source, 0..<30)
    #expect(room.receiver.counters.received == 0)
    room.playhead = origin - 2_400
    room.play(to: origin + 20_000)
    #expect(room.receiver.counters.received == 30)
    #expect(room.first(.music(name(1))) == origin)
  }

  @Test func `packets that overtake their announcement are kept`() {
    var room = ReceivingRoom(playhead: origin - 4_800)
    room.deliver(source, 0..<20)
    #expect(room.receiver.counters.discarded == 20)
    room.receiver.announce(source.announcement)
    #expect(room.receiver.counters.discarded == 0)
    room.deliver(source, 20..<30)
    room.play(to: origin + 20_000)
    #expect(room.everything == [.silence, .music(name(1))])
  }

  @Test func `foreign and older generations are dropped and counted`() {
    var room = room()
    let foreign = PacketSource(
      ssrc: SSRC(session: 0x4321, generation: 9), firstAudible: origin)
    let older = PacketSource(ssrc: name(0), firstAudible: origin)
    room.deliver(foreign, 0..<5)
    room.deliver(older, 0..<5)
    #expect(room.receiver.counters.discarded == 10)
    #expect(room.receiver.ssrc == name(1))
  }

  @Test func `an unknown payload type, an empty payload and the far future are discarded`() {
    var room = room()
    var header = source.header(0)
    header.payloadType = 96
    room.receive(header, source.payload(0), clock: origin)
    room.receive(source.header(1), [], clock: origin)
    room.receive(source.header(200), source.payload(200), clock: origin)
    #expect(room.receiver.counters.discarded == 3)
    #expect(room.receiver.counters.received == 0)
  }

  @Test func `duplicates are counted, before and after they were played`() {
    var room = room()
    room.deliver(source, 0..<20)
    room.deliver(source, 3)
    room.play(to: origin + 9_600)
    room.deliver(source, 3)
    #expect(room.receiver.counters.duplicates == 2)
    #expect(room.receiver.counters.late == 0)
  }

  @Test func `a packet that comes after it was concealed is late`() {
    var room = room()
    room.deliver(source, 0..<3)
    room.deliver(source, 4..<30)
    room.play(to: origin + 9_600)
    room.deliver(source, 3)
    #expect(room.receiver.counters.late == 1)
    #expect(room.receiver.counters.lost == 1)
    #expect(room.receiver.counters.concealed == 1)
  }

  @Test func `a packet that comes within the horizon is not missed`() {
    var room = room()
    room.deliver(source, 0..<3)
    room.deliver(source, 4..<30)
    room.play(to: source.stamp(3) - 840)
    room.deliver(source, 3)
    room.play(9_600)
    #expect(room.everything == [.silence, .music(name(1))])
    #expect(room.receiver.counters.concealed == 0)
  }

  @Test(arguments: 0..<256)
  func `every loss pattern of eight packets leaves a lane without holes`(pattern: Int) {
    var room = room()
    for index in 0..<40 where index < 10 || index >= 18 || pattern & (1 << (index - 10)) == 0 {
      room.deliver(source, index)
    }
    room.play(to: origin + 30_000)
    let lost = pattern.nonzeroBitCount
    #expect(room.problems == [])
    #expect(!room.everything.contains(.missing))
    #expect(room.receiver.counters.lost == UInt64(lost))
    #expect(room.receiver.counters.concealed == UInt64(lost))
    #expect(room.everything.last == .music(name(1)))
  }

  @Test func `sequence numbers and stamps wrap unnoticed`() {
    let nearWrap = MediaFrame(index: (origin.index >> 32) << 32 + (1 << 32) - 9_600 + 312)
    let wrapping = PacketSource(ssrc: name(1), firstAudible: nearWrap, firstSequence: 65_530)
    var room = ReceivingRoom(playhead: nearWrap - 4_800)
    room.receiver.announce(wrapping.announcement)
    room.deliver(wrapping, 0..<60)
    room.play(to: nearWrap + 40_000)
    #expect(room.everything == [.silence, .music(name(1))])
    #expect(room.receiver.counters.lost == 0)
    #expect(room.problems == [])
  }

  @Test func `jitter is what RFC 3550 says`() {
    var receiver = StreamReceiver()
    receiver.announce(source.announcement)
    for index in 0..<200 {
      // Every other packet is 4 ms late: neighbours differ by 4 ms from their stamps.
      let arrival = Int64(index) * 20_000_000 + (index % 2 == 0 ? 0 : 4_000_000)
      receiver.receive(
        source.header(index), payload: source.payload(index).span,
        at: LocalInstant(nanoseconds: arrival), clock: origin)
    }
    #expect(abs(receiver.jitter.inMilliseconds - 4) < 0.1)
  }

  @Test func `random packets never crash and never hold the receiver up`() {
    var state: UInt64 = 0x7075_7474
    func random() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 20
    }
    var room = room()
    for round in 0..<3_000 {
      let header = RTPHeader(
        payloadType: random() % 8 == 0 ? 96 : 97, sequence: UInt16(random() % 200),
        timestamp: RTPTimestamp(source.stamp(Int(random() % 200)) + Int64(random() % 3) * 7),
        ssrc: random() % 8 == 0
          ? SSRC(rawValue: UInt32(truncatingIfNeeded: random())) : name(UInt16(random() % 6)))
      let payload = (0..<Int(random() % 6)).map { _ in UInt8(truncatingIfNeeded: random()) }
      room.receive(header, payload, clock: origin)
      if round % 5 == 0 { room.play(120) }
      if round % 700 == 0 {
        room.receiver.flush(
          FlushPacket(
            ssrc: name(UInt16(random() % 6)), serial: UInt32(random() % 9),
            fromFrame: origin + Int64(random() % 40_000), fadeMilliseconds: UInt16(random() % 99)))
      }
    }
    #expect(!room.problems.contains("the receiver never rests"))
  }
}
