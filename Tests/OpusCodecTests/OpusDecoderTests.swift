// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import OpusCodec
import Testing

@Suite struct OpusDecoderTests {
  @Test func `concealment continues the music and falls`() throws {
    var chain = try Chain()
    let music = try chain.decoded(packets: 0..<20)
    var output = [Float](repeating: 0, count: TestMusic.packetSamples)
    var span = output.mutableSpan
    let frames = try chain.decoder.conceal(frames: 960, into: &span)
    #expect(frames == 960)
    let step = abs(output[0] - music[music.count - 2])
    #expect(step < 0.1, "\(step)")
    #expect(output.contains { abs($0) > 0.01 })
  }

  @Test(arguments: [0, -120, 100, 5_880])
  func `concealment of an impossible length is refused`(frames: Int) throws {
    var decoder = try OpusDecoder()
    var output = [Float](repeating: 0, count: 20_000)
    var refusal: OpusError?
    do {
      var span = output.mutableSpan
      _ = try decoder.conceal(frames: frames, into: &span)
    } catch { refusal = error }
    #expect(refusal == .badArgument)
  }

  @Test func `an empty packet is refused, not made up`() throws {
    var decoder = try OpusDecoder()
    var output = [Float](repeating: 0, count: TestMusic.packetSamples)
    var refusal: OpusError?
    do {
      var span = output.mutableSpan
      _ = try decoder.decode([UInt8]().span, into: &span)
    } catch { refusal = error }
    #expect(refusal == .invalidPacket)
  }

  @Test func `random bytes are refused or decoded, and never crash`() throws {
    var random = SplitMix(seed: 0x0905)
    var decoder = try OpusDecoder()
    var output = [Float](repeating: 0, count: 2 * OpusFormat.maximumPacketFrames)
    for _ in 0..<2_000 {
      let packet = (0..<Int(random.next() % 200)).map { _ in
        UInt8(truncatingIfNeeded: random.next())
      }
      var span = output.mutableSpan
      let frames = try? decoder.decode(packet.span, into: &span)
      if let frames { #expect((1...OpusFormat.maximumPacketFrames).contains(frames)) }
    }
  }

  @Test func `an error says what libopus says`() {
    #expect(OpusError.invalidPacket.description == "Opus: corrupted stream")
  }
}

/// SplitMix64: small, seeded, good enough for test data.
struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
