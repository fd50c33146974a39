// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing
import WireProtocol

@Suite struct ControlFrameDecoderTests {
  private let messages: [ControlMessage] = [
    .ping(1),
    .hello(
      Hello(
        nodeID: MessageSource.nodeID, name: "Kitchen", role: .speaker, softwareVersion: "1",
        udpPort: 7701)), .stateReport(MessageSource.fullReport), .pong(2),
  ]

  private func drain(_ decoder: inout ControlFrameDecoder) throws(WireError) -> [ControlMessage] {
    var result: [ControlMessage] = []
    while let message = try decoder.next() { result.append(message) }
    return result
  }

  @Test(arguments: [1, 2, 3, 5, 7, 64, 10_000])
  func `stream is cut the same however it arrives`(piece: Int) throws {
    let stream = messages.flatMap { $0.encodeFrame() }
    var decoder = ControlFrameDecoder()
    var result: [ControlMessage] = []
    for start in stride(from: 0, to: stream.count, by: piece) {
      decoder.append(Array(stream[start..<min(start + piece, stream.count)]).span)
      result += try drain(&decoder)
    }
    #expect(result == messages)
  }

  @Test func `messages of a later version are counted and stepped over`() throws {
    var decoder = ControlFrameDecoder()
    decoder.append(hexadecimal("000000039a0100").span)
    decoder.append(hexadecimal("00000000").span)
    decoder.append(ControlMessage.ping(3).encodeFrame().span)
    #expect(try drain(&decoder) == [.ping(3)])
    #expect(decoder.ignoredMessages == 2)
  }

  @Test(arguments: ["00010001", "7fffffff", "ffffffff", "47455420"])
  func `length beyond the limit ends the stream at once`(prefix: String) {
    var decoder = ControlFrameDecoder()
    decoder.append(hexadecimal(prefix).span)
    #expect(throws: WireError.self) { try decoder.next() }
    decoder.append(ControlMessage.ping(1).encodeFrame().span)
    #expect(throws: WireError.self) { try decoder.next() }
  }

  @Test func `the largest length is waited for`() throws {
    var decoder = ControlFrameDecoder()
    decoder.append(hexadecimal("00010000").span)
    #expect(try decoder.next() == nil)
  }

  @Test func `a malformed message ends the stream for good`() {
    var decoder = ControlFrameDecoder()
    decoder.append(hexadecimal("000000020b00").span)
    decoder.append(ControlMessage.ping(1).encodeFrame().span)
    for _ in 0..<2 {
      #expect(throws: WireError.malformedField(number: 1)) { try decoder.next() }
    }
  }
}
