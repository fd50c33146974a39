// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

@Suite struct RTPHeaderTests {
  @Test(arguments: vectors("rtp.txt"))
  func `vector is read as it says`(vector: Vector) {
    let bytes = vector.bytes
    let result = outcome { () throws(WireError) -> String in
      let (header, payload) = try RTPHeader.parse(bytes.span)
      return "payloadType=\(header.payloadType) marker=\(header.marker ? 1 : 0) "
        + "sequence=\(header.sequence) timestamp=\(header.timestamp.rawValue) "
        + "ssrc=\(hexadecimal(header.ssrc.rawValue)) payload=\(payload)"
    }
    #expect(result == vector["value"] ?? vector["error"])
  }

  @Test func `there are vectors`() {
    #expect(vectors("rtp.txt").count >= 16)
  }

  @Test(arguments: [(0, 0), (65_535, 127), (32_768, 97)] as [(UInt16, UInt8)])
  func `header survives the wire`(sequence: UInt16, payloadType: UInt8) throws {
    for marker in [false, true] {
      let header = RTPHeader(
        payloadType: payloadType, marker: marker, sequence: sequence,
        timestamp: RTPTimestamp(rawValue: .max), ssrc: SSRC(session: 0xBEEF, generation: sequence))
      var bytes: [UInt8] = []
      header.append(to: &bytes)
      bytes += [1, 2, 3]
      let parsed = try RTPHeader.parse(bytes.span)
      #expect(parsed.header == header)
      #expect(parsed.payload == 12..<15)
    }
  }
}

@Suite struct SSRCTests {
  @Test func `halves are session and generation`() {
    let ssrc = SSRC(session: 0xBEEF, generation: 0x0102)
    #expect(ssrc.rawValue == 0xBEEF_0102)
    #expect(ssrc.session == 0xBEEF && ssrc.generation == 0x0102)
    #expect(ssrc.description == "0xbeef0102")
    #expect(SSRC(rawValue: 1).description == "0x00000001")
  }

  @Test func `higher generation supersedes, across the wrap too`() {
    for old in [0, 1, 0x7FFF, 0x8000, 0xFFFF] as [UInt16] {
      let current = SSRC(session: 7, generation: old)
      #expect(current.next.supersedes(current))
      #expect(!current.supersedes(current.next))
      #expect(!current.supersedes(current))
      #expect(SSRC(session: 7, generation: old &+ 0x7FFF).supersedes(current))
      #expect(!SSRC(session: 7, generation: old &+ 0x8000).supersedes(current))
    }
  }

  @Test func `another session supersedes nothing`() {
    #expect(!SSRC(session: 8, generation: 9).supersedes(SSRC(session: 7, generation: 1)))
  }
}
