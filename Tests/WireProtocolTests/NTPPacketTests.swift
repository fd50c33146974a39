// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

@Suite struct NTPPacketTests {
  @Test(arguments: vectors("ntp.txt"))
  func `vector is read as it says`(vector: Vector) throws {
    let bytes = vector.bytes
    let result = outcome { () throws(WireError) -> String in
      describe(try NTPPacket.parse(bytes.span))
    }
    #expect(result == vector["value"] ?? vector["error"])
    guard vector["error"] == nil else { return }
    #expect(try NTPPacket.parse(bytes.span).encode() == Array(bytes.prefix(NTPPacket.bytes)))
  }

  @Test(arguments: vectors("ntp.txt").filter { $0["reply"] != nil || $0["origin-near"] != nil })
  func `question is answered as the vector says`(vector: Vector) throws {
    let bytes = vector.bytes
    let reply = clockReply(
      to: try NTPPacket.parse(bytes.span),
      received: NTPTimestamp(rawValue: 0xED12_3456_8000_0000).instant,
      transmitted: NTPTimestamp(rawValue: 0xED12_3456_C000_0000).instant,
      clockID: ClockID(rawValue: 0xC0FF_EE01_2345_6789))
    if let expected = vector["reply"] { #expect(reply.encode() == hexadecimal(expected)) }
    guard let digits = vector["origin-near"] else { return }
    let meant = try #require(UInt64(digits, radix: 16))
    // Two nanoseconds: their arithmetic rounds twice.
    #expect(Int64(bitPattern: reply.origin.rawValue &- meant).magnitude <= 9)
    #expect(reply.encode().prefix(3) == [0x24, 1, 2])
  }

  @Test func `there are vectors`() {
    #expect(vectors("ntp.txt").count >= 9)
  }

  @Test func `question gives away nothing but its random stamp`() {
    let bytes = NTPPacket.request(stamp: 0x0102_0304_0506_0708).encode()
    #expect(bytes == [0x23] + Array(repeating: 0, count: 39) + [1, 2, 3, 4, 5, 6, 7, 8])
  }

  @Test func `a stamp with the marks of GStreamer but beyond its uptime is echoed as it is`() {
    var request = NTPPacket.request(stamp: 1 << 62)
    (request.leap, request.stratum) = (3, 16)
    #expect(reply(to: request).origin.rawValue == 1 << 62)
    request.transmit = NTPTimestamp(rawValue: 1 << 62 - 1)
    #expect(reply(to: request).origin.rawValue != 1 << 62 - 1)
    request.reference = NTPTimestamp(rawValue: 1)
    #expect(reply(to: request).origin.rawValue == 1 << 62 - 1)
  }

  @Test func `reply never suggests a pace that GStreamer ignores`() {
    var request = NTPPacket.request(stamp: 1)
    for poll in Int8.min...Int8.max {
      request.poll = poll
      #expect((0...2).contains(reply(to: request).poll))
    }
  }

  private func reply(to request: NTPPacket) -> NTPPacket {
    let now = MediaInstant(nanosecondsSince1900: 4_000_000_000_000_000_000)
    return clockReply(
      to: request, received: now, transmitted: now, clockID: ClockID(rawValue: 1))
  }
}

@Suite struct NTPTimestampTests {
  @Test func `every nanosecond survives the wire, in both eras and at their border`() {
    // 2036-02-07 06:28:16, when the seconds wrap.
    let border: Int64 = (1 << 32) * 1_000_000_000
    var random = SeededRandom(seed: 5)
    for base in [4_000_000_000_000_000_000, border, border + 1_000_000_000_000_000_000] {
      for _ in 0..<1_000 {
        let offset = Int64.random(in: -3_000_000_000...3_000_000_000, using: &random)
        let instant = MediaInstant(nanosecondsSince1900: base + offset)
        #expect(NTPTimestamp(instant).instant == instant)
      }
    }
  }

  @Test func `pivot lies in 1968 and in 2104`() {
    let year2036 = NTPTimestamp(rawValue: 0).instant
    #expect(year2036.nanosecondsSince1900 == 4_294_967_296_000_000_000)
    #expect(
      NTPTimestamp(rawValue: 1 << 63).instant.nanosecondsSince1900 == 2_147_483_648_000_000_000)
    // The largest stamp of all is in era 0 and does not overflow; the largest of era 1 neither.
    #expect(NTPTimestamp(rawValue: .max).instant == year2036)
    #expect(
      NTPTimestamp(rawValue: .max >> 1).instant.nanosecondsSince1900 == 6_442_450_944_000_000_000)
  }

  @Test func `no instant traps`() {
    for nanoseconds in [Int64.min, -1, 0, 1, .max] {
      _ = NTPTimestamp(MediaInstant(nanosecondsSince1900: nanoseconds)).instant
    }
  }

  @Test func `middle bits are those that reports quote`() {
    #expect(NTPTimestamp(rawValue: 0x0123_4567_89AB_CDEF).middleBits == 0x4567_89AB)
  }
}

private func describe(_ packet: NTPPacket) -> String {
  let stamps = [packet.reference, packet.origin, packet.receive, packet.transmit]
  return "leap=\(packet.leap) version=\(packet.version) mode=\(packet.mode) "
    + "stratum=\(packet.stratum) poll=\(packet.poll) precision=\(packet.precision) "
    + "reference=\(hexadecimal(packet.referenceID)) "
    + "stamps=" + stamps.map { hexadecimal($0.rawValue) }.joined(separator: ",")
}
