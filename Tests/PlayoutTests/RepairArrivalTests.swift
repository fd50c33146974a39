// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import Testing
import WireProtocol

@Suite struct RepairArrivalTests {
  func room(missing: Set<Int> = [60, 61]) -> AskingRoom {
    var room = AskingRoom()
    room.receive((0..<301).filter { !missing.contains($0) })
    room.pass(6)
    _ = room.asked()
    return room
  }

  @Test func `a packet sent again fills its gap and is counted apart`() {
    var room = room()
    room.repair(60)
    #expect(room.receiver.counters.repaired == 1)
    #expect(room.receiver.counters.received == 299)
    room.pass(25)
    #expect(room.asked().contains(61))
    #expect(!room.asked().contains(60))
  }

  @Test func `twice, too late or never lost: counted as sent for nothing`() {
    var room = room()
    room.repair(60)
    room.repair(60)
    room.repair(10)
    #expect(room.receiver.counters.repaired == 1)
    #expect(room.receiver.counters.superfluous == 2)
    #expect(room.receiver.counters.duplicates == 0)
  }

  @Test func `the original that comes after its repair is a duplicate`() {
    var room = room()
    room.repair(60)
    room.receive([60])
    #expect(room.receiver.counters.duplicates == 1)
    #expect(room.receiver.counters.received == 299)
  }

  @Test func `repairs of another generation or session are dropped`() {
    var room = room()
    let other = SSRC(session: name(1).session, generation: 2).retransmission
    room.repair(60, ssrc: other)
    room.repair(60, ssrc: SSRC(session: 0x4321, generation: 1))
    room.repair(60, ssrc: name(1))
    #expect(room.receiver.counters.discarded == 3)
    #expect(room.receiver.counters.repaired == 0)
  }

  @Test func `a repair without an original number is dropped`() {
    var room = room()
    let header = RTPHeader(
      payloadType: 100, sequence: 0, timestamp: RTPTimestamp(room.source.stamp(60)),
      ssrc: room.source.ssrc.retransmission)
    for payload in [[], [0], [0, 60]] as [[UInt8]] {
      room.receiver.receive(header, payload: payload.span, at: room.instant, clock: room.clock)
    }
    #expect(room.receiver.counters.discarded == 3)
  }

  @Test func `a repair of the far future is dropped`() {
    var room = room()
    room.repair(600)
    #expect(room.receiver.counters.discarded == 1)
  }

  @Test func `a generation that is not announced yet is repaired too`() {
    var room = room()
    let second = PacketSource(ssrc: name(2), firstAudible: origin + 48_000, repairs: true)
    for index in [0, 1, 2, 4, 5] {
      room.receiver.receive(
        second.header(index), payload: second.payload(index).span, at: room.instant,
        clock: room.clock)
    }
    room.pass(6)
    var media: [SSRC: [UInt16]] = [:]
    while let request = room.receiver.repairRequest(
      at: room.instant, clock: room.clock, roundTrip: nil)
    {
      media[request.media, default: []] += request.sequences
    }
    #expect(media[name(2)] == [3])
    let header = RTPHeader(
      payloadType: 100, sequence: 0, timestamp: RTPTimestamp(second.stamp(3)),
      ssrc: name(2).retransmission)
    let payload = [0, 3] + second.payload(3)
    room.receiver.receive(header, payload: payload.span, at: room.instant, clock: room.clock)
    #expect(room.receiver.counters.repaired == 1)
  }

  @Test func `sequence numbers wrap in requests and repairs`() {
    let wrapping = PacketSource(
      ssrc: name(1), firstAudible: origin, firstSequence: 65_530, repairs: true)
    var receiver = StreamReceiver()
    receiver.announce(wrapping.announcement)
    func receive(_ index: Int, at milliseconds: Int64) {
      receiver.receive(
        wrapping.header(index), payload: wrapping.payload(index).span,
        at: LocalInstant(nanoseconds: milliseconds * 1_000_000), clock: origin + 288_000)
    }
    for index in 0..<20 where ![3, 6, 9].contains(index) { receive(index, at: 0) }
    let request = receiver.repairRequest(
      at: LocalInstant(nanoseconds: 6_000_000), clock: origin + 278_000, roundTrip: nil)
    #expect(request?.sequences == [65_533, 0, 3])
  }

  @Test func `random packets, repairs and times keep requests within bounds`() {
    var state: UInt64 = 0x4E41_434B
    func random(_ limit: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 20) % limit)
    }
    var room = AskingRoom()
    var datagrams = 0
    for _ in 0..<20_000 {
      let index = random(700)
      switch random(6) {
      case 0: room.repair(index, ssrc: SSRC(rawValue: UInt32(random(1 << 32))))
      case 1: room.repair(index, number: random(65_536))
      case 2:
        var header = room.source.header(index)
        header.sequence = UInt16(random(65_536))
        header.timestamp.rawValue &+= UInt32(random(2_000))
        room.receiver.receive(
          header, payload: room.source.payload(index).span, at: room.instant, clock: room.clock)
      default: room.receive([index])
      }
      if random(20) == 0 { room.pass(Double(random(4))) }
      while let request = room.receiver.repairRequest(
        at: room.instant, clock: room.clock, roundTrip: .milliseconds(Int64(random(50))))
      {
        datagrams += 1
        #expect(request.sequences.count <= 513)
      }
    }
    // At most one each 5 ms, and 1.5 s passed.
    #expect(datagrams < 330, "\(datagrams)")
    #expect(room.now > 1_000)
  }
}
