// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import Testing
import WireProtocol

/// Packets that come as they are told to, and what the room says of it.
@Suite struct DeliveryWatchTests {
  private struct Way {
    let source = PacketSource(ssrc: name(1), firstAudible: origin, repairs: true)
    var receiver = StreamReceiver()

    init() { receiver.announce(source.announcement) }

    /// Packet `index` comes so many milliseconds after its stamp.
    mutating func receive(_ index: Int, _ milliseconds: Double, clock isKnown: Bool = true) {
      let (instant, clock) = moment(index, milliseconds)
      receiver.receive(
        source.header(index), payload: source.payload(index).span, at: instant,
        clock: isKnown ? clock : nil)
    }

    mutating func repair(_ index: Int, _ milliseconds: Double) {
      let (instant, clock) = moment(index, milliseconds)
      let header = RTPHeader(
        payloadType: 100, sequence: 7, timestamp: RTPTimestamp(source.stamp(index)),
        ssrc: source.ssrc.retransmission)
      let payload = [UInt8(index >> 8), UInt8(index & 255)] + source.payload(index)
      receiver.receive(header, payload: payload.span, at: instant, clock: clock)
    }

    private func moment(_ index: Int, _ milliseconds: Double) -> (LocalInstant, MediaFrame) {
      let frame = source.stamp(index) + Int64(milliseconds * 48)
      return (LocalInstant(nanoseconds: (frame - origin) * 62_500 / 3 + 1_000_000_000_000), frame)
    }
  }

  @Test func `the latest of steady packets is told once`() {
    var way = Way()
    for index in 0..<50 { way.receive(index, index == 20 ? 47 : 3) }
    #expect(way.receiver.takeDelivery().lateness == .milliseconds(47))
    #expect(way.receiver.takeDelivery() == DeliveryPeaks())
    way.receive(50, 4)
    #expect(way.receiver.takeDelivery().lateness == .milliseconds(4))
  }

  @Test func `a burst says nothing of the way`() {
    var way = Way()
    // Half a second at once: 25 packets, half a millisecond apart.
    for index in 0..<25 { way.receive(index, 500 - Double(index) * 19.5) }
    for index in 25..<50 { way.receive(index, 5) }
    #expect(way.receiver.takeDelivery().lateness.map { $0 <= .milliseconds(32) } == true)
    #expect(way.receiver.takeDelivery().repairTime == nil)
  }

  @Test func `a sleep of the link counts, an outage does not`() {
    var way = Way()
    for index in 0..<10 { way.receive(index, 3) }
    // 300 ms of sleep: what waited comes at once.
    for index in 10..<25 { way.receive(index, 303 - Double(index - 10) * 20) }
    #expect(way.receiver.takeDelivery().lateness == .milliseconds(303))
    for index in 25..<30 { way.receive(index, 3) }
    _ = way.receiver.takeDelivery()
    for index in 200..<280 { way.receive(index, max(3, 1_200 - Double(index - 200) * 20)) }
    #expect(way.receiver.takeDelivery().lateness.map { $0 < .milliseconds(40) } == true)
  }

  @Test func `repairs are told apart, and what was missed before the room came is none`() {
    var way = Way()
    for index in 30..<60 where index != 40 { way.receive(index, 3) }
    way.repair(40, 38)
    way.repair(10, 900)
    let peaks = way.receiver.takeDelivery()
    #expect(peaks.lateness == .milliseconds(3))
    #expect(peaks.repairTime == .milliseconds(38))
  }

  @Test func `without a clock, or with stamps of another time, nothing is told`() {
    var way = Way()
    for index in 0..<10 { way.receive(index, 3, clock: false) }
    for index in 10..<20 { way.receive(index, 3_600_000) }
    #expect(way.receiver.takeDelivery() == DeliveryPeaks())
  }

  @Test func `early packets are not late`() {
    var way = Way()
    for index in 0..<10 { way.receive(index, -2) }
    #expect(way.receiver.takeDelivery().lateness == .zero)
  }
}
