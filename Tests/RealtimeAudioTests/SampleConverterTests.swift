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
}
