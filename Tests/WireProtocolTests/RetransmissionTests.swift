// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

@Suite struct RetransmissionTests {
  let media = SSRC(session: 0xBEEF, generation: 2)

  func original(_ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    RTPHeader(
      payloadType: 97, marker: true, sequence: 0x1234, timestamp: RTPTimestamp(rawValue: 0xAABB),
      ssrc: media
    ).append(to: &bytes)
    return bytes + payload
  }

  @Test(arguments: [[], [0xFC], [1, 2, 3, 4]] as [[UInt8]])
  func `a packet sent again gives back the original`(payload: [UInt8]) throws {
    var datagram: [UInt8] = []
    try Retransmission.append(
      original(payload).span, ssrc: media.retransmission, sequence: 7, to: &datagram)
    #expect(classifyDatagram(datagram.span, at: .speaker) == .rtp)
    let (header, range) = try RTPHeader.parse(datagram.span)
    #expect(header.payloadType == 100 && header.sequence == 7)
    #expect(header.ssrc == media.retransmission && header.ssrc != media)
    let read = try Retransmission.originalHeader(
      header, payload: datagram.span.extracting(range), media: media, payloadType: 97)
    var again: [UInt8] = []
    read.append(to: &again)
    #expect(again + datagram[(range.lowerBound + 2)..<range.upperBound] == original(payload))
  }

  @Test func `the bytes are those of RFC 4588`() throws {
    var datagram: [UInt8] = []
    try Retransmission.append(
      original([0xFC, 9]).span, ssrc: media.retransmission, sequence: 7, to: &datagram)
    #expect(datagram == hexadecimal("80e400070000aabb3eef00021234fc09"))
  }

  @Test func `without an original number it is refused`() throws {
    let header = RTPHeader(
      payloadType: 100, sequence: 0, timestamp: RTPTimestamp(rawValue: 0),
      ssrc: media.retransmission)
    #expect(throws: WireError.truncated(needed: 2, available: 1)) {
      try Retransmission.originalHeader(
        header, payload: ([1] as [UInt8]).span, media: media, payloadType: 97)
    }
  }

  @Test func `each generation has one source of its own`() {
    #expect(media.retransmission.generation == media.generation)
    #expect(media.retransmission.retransmission == media)
    #expect(!media.next.supersedes(media.retransmission))
  }

  @Test func `any set of missing packets survives folding into entries`() {
    var random = SeededRandom(seed: 0x4585)
    for _ in 0..<2_000 {
      var number = UInt16.random(in: .min ... .max, using: &random)
      let missing = (0..<Int.random(in: 1...60, using: &random)).map { _ in
        number &+= UInt16.random(in: 1...40, using: &random)
        return number
      }
      let request = NegativeAcknowledgement(media: media, missing: missing)
      #expect(request.sequences == missing)
      let bytes = RTCPPacket.negativeAcknowledgement(request).encode()
      #expect(
        (try? RTCPPacket.parseCompound(bytes.span)) == [.negativeAcknowledgement(request)])
    }
  }

  @Test func `300 packets in a row fit into 18 entries, and no request has more than 64`() {
    let row = NegativeAcknowledgement(media: media, missing: (0..<300).map { 65_400 &+ $0 })
    #expect(row.entries.count == 18)
    let scattered = NegativeAcknowledgement(media: media, missing: (0..<200).map { $0 * 17 })
    #expect(scattered.entries.count == 200)
    #expect(RTCPPacket.negativeAcknowledgement(scattered).encode().count == 12 + 64 * 4)
  }
}
