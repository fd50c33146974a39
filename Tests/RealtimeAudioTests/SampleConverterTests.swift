// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import RealtimeAudio
import Testing

@Suite struct SampleConverterTests {
  func convert(_ samples: [Float], to format: SampleFormat) -> [UInt8] {
    var converter = SampleConverter(format: format)
    var bytes = [UInt8](repeating: 0xAA, count: samples.count * format.bytesPerSample)
    samples.withUnsafeBufferPointer { source in
      bytes.withUnsafeMutableBytes { target in
        if let from = source.baseAddress, let to = target.baseAddress {
          converter.convert(from, count: samples.count, into: to)
        }
      }
    }
    return bytes
  }

  /// The signed little-endian integers in `bytes`.
  func integers(_ bytes: [UInt8], width: Int, used: Int) -> [Int] {
    stride(from: 0, to: bytes.count, by: width).map { start in
      let raw = (0..<used).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
      let sign = 1 << (8 * used - 1)
      return (raw ^ sign) - sign
    }
  }

  func values(_ samples: [Float], as format: SampleFormat) -> [Int] {
    let bytes = convert(samples, to: format)
    return switch format {
    case .s16: integers(bytes, width: 2, used: 2)
    case .s24: integers(bytes, width: 4, used: 4)
    case .s24Packed: integers(bytes, width: 3, used: 3)
    case .s32, .float: integers(bytes, width: 4, used: 4)
    }
  }

  @Test func `float is a copy`() {
    let samples: [Float] = [0.25, -1.5, 1e-20, 3]
    let bytes = convert(samples, to: .float)
    #expect(
      integers(bytes, width: 4, used: 4).map { UInt32(truncatingIfNeeded: $0) }
        == samples.map(\.bitPattern))
  }

  @Test(arguments: SampleFormat.allCases)
  func `digital silence stays digital silence`(format: SampleFormat) {
    #expect(convert([Float](repeating: 0, count: 64), to: format).allSatisfy { $0 == 0 })
  }

  @Test(arguments: [(SampleFormat.s16, 32_768), (.s24, 8_388_608), (.s24Packed, 8_388_608)])
  func `beyond full scale clips, and NaN is silence`(format: SampleFormat, scale: Int) {
    let result = values([2, -2, .infinity, -.infinity, .nan], as: format)
    // Dither may take a clipped sample a step or two back from the rail, never past it.
    #expect(result[0] >= scale - 3 && result[0] <= scale - 1)
    #expect(result[1] >= -scale && result[1] <= -scale + 2)
    #expect(result[2] >= scale - 3 && result[2] <= scale - 1)
    #expect(result[3] >= -scale && result[3] <= -scale + 2)
    #expect(abs(result[4]) <= 1)
  }

  @Test func `32 bits keep every bit of a float`() {
    let result = values([0.5, -0.5, 0x1p-31, 1, -1, 0.1], as: .s32)
    #expect(result[0] == 1 << 30)
    #expect(result[1] == -(1 << 30))
    #expect(result[2] == 1)
    #expect(result[3] == Int(Int32.max))
    #expect(result[4] == Int(Int32.min))
    #expect(result[5] == Int((Double(Float(0.1)) * 2_147_483_648).rounded()))
  }

  @Test(arguments: [Float(0.3), -0.000_01, 0.000_007, 0.75])
  func `dither makes the error of 16 bits a steady hiss that does not follow the music`(
    level: Float
  ) {
    let count = 40_000
    let errors = values([Float](repeating: level, count: count), as: .s16).map {
      Double($0) - Double(level) * 32_768
    }
    let mean = errors.reduce(0, +) / Double(count)
    let variance = errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count)
    #expect(abs(mean) < 0.015, "mean \(mean) steps")
    // Rounding and two uniform variables: three times 1/12 of a step squared, whatever the level.
    #expect(abs(variance - 0.25) < 0.01, "variance \(variance)")
  }

  @Test func `three bytes carry the same numbers as four`() {
    let samples: [Float] = (0..<200).map { Float($0 - 100) / 101 }
    #expect(values(samples, as: .s24) == values(samples, as: .s24Packed))
  }

  /// Errors in steps of the device, of a long converted stretch.
  func errors(of samples: [Float], as format: SampleFormat, fullScale: Double) -> [Double] {
    zip(values(samples, as: format), samples).map { Double($0) - Double($1) * fullScale }
  }

  @Test(arguments: [(SampleFormat.s16, 32_768.0), (.s24, 8_388_608), (.s24Packed, 8_388_608)])
  func `dither is white, and left and right know nothing of each other`(
    format: SampleFormat, scale: Double
  ) {
    let count = 100_000
    // A slow ramp over 100 steps: undithered, its error would be a saw.
    let samples = (0..<count).map { Float((Double($0) / 1_000 + 0.3) / scale) }
    let errors = errors(of: samples, as: format, fullScale: scale)
    let power = errors.reduce(0) { $0 + $1 * $1 } / Double(count)
    #expect(abs(power - 0.25) < 0.01, "power \(power) steps squared")
    // Lag 1 is left against right of one frame; even lags are one channel. 1/sqrt(n) is 0.3 %.
    for lag in [1, 2, 3, 4, 8, 16, 64, 1_000, 2_000] {
      let product = zip(errors, errors.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 }
      let correlation = product / Double(count - lag) / power
      #expect(abs(correlation) < 0.016, "lag \(lag): \(correlation)")
    }
  }

  @Test func `dither is triangular: never beyond a step, and its half falls within 0.293 of one`() {
    // At a value midway between codes the code itself tells where the dither fell.
    let count = 100_000
    func share(above level: Double) -> Double {
      let sample = Float((1_000 + level) / 32_768)
      let all = values([Float](repeating: sample, count: count), as: .s16)
      #expect(all.allSatisfy { abs(Double($0) - 1_000 - level) <= 1.5 })
      return Double(all.count { $0 > 1_000 }) / Double(count)
    }
    // P(dither >= 0.5 - level) of a triangle on -1...1: (1 - x)^2 / 2 for x >= 0.
    for level in [-0.4, -0.25, 0, 0.25, 0.5] {
      let x = 0.5 - level
      #expect(abs(share(above: level) - (1 - x) * (1 - x) / 2) < 0.006, "level \(level)")
    }
  }

  @Test func `32 bits are rounded, not dithered: half a step is 90 dB below a float's own step`() {
    let samples: [Float] = (0..<1_000).map { Float($0) / 997 - 0.5 }
    #expect(values(samples, as: .s32) == values(samples, as: .s32))
    let errors = errors(of: samples, as: .s32, fullScale: 2_147_483_648)
    #expect(errors.allSatisfy { abs($0) <= 0.5 })
  }

  @Test(arguments: SampleFormat.allCases.filter { $0 != .float })
  func `full scale never wraps: loud is loud on the same side`(format: SampleFormat) {
    let samples = (0..<20_000).map { 1 + (Float($0) - 10_000) * 1e-6 }
    #expect(values(samples, as: format).allSatisfy { $0 > 0 })
    #expect(values(samples.map { -$0 }, as: format).allSatisfy { $0 < 0 })
  }
}
