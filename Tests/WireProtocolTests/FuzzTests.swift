// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

// Outside data never traps: random bytes, and valid messages with a few bytes changed. A failure
// would kill the test process; the seed is fixed, so it comes back.

@Suite struct FuzzTests {
  private static let rounds = 20_000

  @Test func `datagram parsers survive anything`() {
    var random = SeededRandom(seed: 0xDA7A)
    let valid = (vectors("rtp.txt") + vectors("rtcp.txt") + vectors("ntp.txt")).map(\.bytes)
    for round in 0..<Self.rounds {
      let length = Int.random(in: 0...80, using: &random)
      let bytes =
        round % 4 == 0
        ? random.bytes(length) : random.mutated(valid.randomElement(using: &random) ?? [])
      _ = classifyDatagram(bytes.span, at: .coordinator)
      _ = classifyDatagram(bytes.span, at: .speaker)
      if let (_, payload) = try? RTPHeader.parse(bytes.span) {
        #expect(payload.lowerBound >= 12 && payload.upperBound <= bytes.count)
      }
      _ = try? RTCPPacket.parseCompound(bytes.span)
      if let packet = try? NTPPacket.parse(bytes.span) { surviveReply(to: packet) }
    }
  }

  private func surviveReply(to packet: NTPPacket) {
    let reply = clockReply(
      to: packet, received: packet.receive.instant, transmitted: packet.transmit.instant,
      clockID: .init(rawValue: 1))
    #expect(reply.encode().count == NTPPacket.bytes)
  }

  @Test func `control decoder survives anything, and what it takes it writes again`() throws {
    var random = SeededRandom(seed: 0xC0DE)
    let valid = vectors("control.txt").map(\.bytes)
    for round in 0..<Self.rounds {
      let length = Int.random(in: 0...80, using: &random)
      let bytes =
        round % 4 == 0
        ? random.bytes(length) : random.mutated(valid.randomElement(using: &random) ?? [])
      guard let message = try? ControlMessage(decoding: bytes.span) else { continue }
      #expect(try ControlMessage(decoding: message.encode().span) == message)
    }
  }

  @Test func `frame decoder survives a mutated stream in random pieces`() {
    var random = SeededRandom(seed: 0xF4A3)
    let frames = MessageSource.byVector.keys.sorted().compactMap {
      MessageSource.byVector[$0]?.encodeFrame()
    }
    for _ in 0..<2_000 {
      var stream = random.mutated(frames.shuffled(using: &random).prefix(4).flatMap(\.self))[...]
      var decoder = ControlFrameDecoder()
      while !stream.isEmpty {
        let piece = stream.prefix(Int.random(in: 1...90, using: &random))
        stream = stream.dropFirst(piece.count)
        decoder.append(Array(piece).span)
        while (try? decoder.next()) != nil {}
      }
    }
  }
}
