// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import OpusCodec
import Testing

/// Pseudo-music: three decaying partials and a slow sweep, different left and right, below full scale.
struct TestMusic {
  static let packetSamples = OpusFormat.packetFrames * OpusFormat.channels

  /// Interleaved samples of `frames` frames from `start` on.
  static func samples(from start: Int, frames: Int) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(2 * frames)
    for frame in start..<start + frames {
      result.append(sample(frame, partials: [220, 554.4, 1_318.5]))
      result.append(sample(frame, partials: [277.2, 659.3, 1_760]))
    }
    return result
  }

  private static func sample(_ frame: Int, partials: [Double]) -> Float {
    let decay = 1 - 0.6 * Double(frame % 24_000) / 24_000
    return Float(
      partials.reduce(0) { $0 + 0.2 * decay * sine($1 * Double(frame) / 48_000) })
  }

  /// sin(2 pi x): Bhaskara-free, a short Taylor series on the folded argument.
  static func sine(_ turns: Double) -> Double {
    var x = turns - turns.rounded()
    if x > 0.25 { x = 0.5 - x } else if x < -0.25 { x = -0.5 - x }
    let angle = 2 * Double.pi * x
    var (term, sum) = (angle, angle)
    for k in 1...9 {
      term *= -angle * angle / Double(2 * k * (2 * k + 1))
      sum += term
    }
    return sum
  }
}

/// Encodes and decodes in lockstep, packet after packet.
struct Chain: ~Copyable {
  var encoder: OpusEncoder
  var decoder: OpusDecoder

  init(bitRate: Int = 192_000) throws {
    let encoder = try OpusEncoder(bitRate: bitRate)
    let decoder = try OpusDecoder()
    self.encoder = encoder
    self.decoder = decoder
  }

  mutating func packet(_ samples: [Float]) throws -> [UInt8] {
    var packet: [UInt8] = []
    try encoder.encode(samples.span, into: &packet)
    return packet
  }

  mutating func decode(_ packet: [UInt8]) throws -> [Float] {
    var output = [Float](repeating: 0, count: TestMusic.packetSamples)
    var span = output.mutableSpan
    let frames = try decoder.decode(packet.span, into: &span)
    #expect(frames == OpusFormat.packetFrames)
    return output
  }

  mutating func decoded(packets: Range<Int>) throws -> [Float] {
    var output: [Float] = []
    for index in packets {
      let samples = TestMusic.samples(
        from: index * OpusFormat.packetFrames, frames: OpusFormat.packetFrames)
      output += try decode(packet(samples))
    }
    return output
  }
}

/// Signal to noise of `output` against the music from `start`, with `output` starting at `offset` frames.
func signalToNoise(_ output: [Float], musicFrom start: Int, offset: Int, frames: Int) -> Double {
  let music = TestMusic.samples(from: start, frames: frames)
  var (signal, noise) = (0.0, 0.0)
  for index in 0..<2 * frames {
    let error = Double(output[2 * offset + index] - music[index])
    signal += Double(music[index]) * Double(music[index])
    noise += error * error
  }
  return 10 * logarithm10(signal / noise)
}

/// log10 without libm: halves until near 1, then the series of artanh.
func logarithm10(_ value: Double) -> Double {
  let exponent = Double(value.exponent)
  let y = (value.significand - 1) / (value.significand + 1)
  var (term, sum) = (y, y)
  for k in 1...30 {
    term *= y * y
    sum += term / Double(2 * k + 1)
  }
  return (2 * sum + exponent * 0.693_147_180_559_945_3) / 2.302_585_092_994_045_7
}

@Suite struct OpusRoundTripTests {
  @Test func `the encoder's look-ahead is what the stream format assumes`() throws {
    let encoder = try OpusEncoder()
    #expect(encoder.lookAhead == 312)
  }

  @Test func `decoded music lags by exactly the look-ahead and is faithful`() throws {
    var chain = try Chain()
    let output = try chain.decoded(packets: 0..<50)
    let lookAhead = chain.encoder.lookAhead
    let exact = signalToNoise(output, musicFrom: 0, offset: lookAhead, frames: 40_000)
    #expect(exact > 30, "\(exact) dB")
    for shift in [-1, 1] {
      let shifted = signalToNoise(
        output, musicFrom: 0, offset: lookAhead + shift, frames: 40_000)
      #expect(shifted < exact - 3, "\(shifted) dB at \(shift)")
    }
  }

  @Test func `a generation after a reset is faithful from its first audible frames`() throws {
    var chain = try Chain()
    _ = try chain.decoded(packets: 0..<20)
    chain.encoder.reset()
    chain.decoder = try OpusDecoder()
    let output = try chain.decoded(packets: 100..<110)
    let ratio = signalToNoise(
      output, musicFrom: 96_000, offset: chain.encoder.lookAhead, frames: 480)
    #expect(ratio > 20, "\(ratio) dB in the first 10 ms")
  }

  @Test func `the bit rate setting is an average that packets keep to`() throws {
    for rate in [64_000, 192_000, 510_000] {
      var chain = try Chain(bitRate: rate)
      var bytes = 0
      for index in 0..<50 {
        let samples = TestMusic.samples(from: index * 960, frames: 960)
        let packet = try chain.packet(samples)
        #expect(packet.count <= OpusFormat.maximumPacketBytes)
        bytes += packet.count
      }
      #expect(bytes * 8 < rate * 5 / 4, "\(bytes * 8) bit/s for \(rate)")
    }
  }

  @Test func `a packet is appended after what is already there`() throws {
    var encoder = try OpusEncoder()
    var packet: [UInt8] = [1, 2, 3]
    let count = try encoder.encode(
      TestMusic.samples(from: 0, frames: 960).span, into: &packet)
    #expect(packet.count == 3 + count)
    #expect(Array(packet[..<3]) == [1, 2, 3])
  }

  @Test func `a wrong number of frames is refused`() throws {
    var encoder = try OpusEncoder()
    var packet: [UInt8] = []
    #expect(throws: OpusError.badArgument) {
      try encoder.encode([Float](repeating: 0, count: 100).span, into: &packet)
    }
    #expect(packet.isEmpty)
  }
}
