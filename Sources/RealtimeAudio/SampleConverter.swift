// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Float to what the device takes.
//
// S16 and S24 drop bits of the float's 24-bit mantissa, so triangular dither of two units peak to peak
// (the sum of two uniform variables) is added first: the error becomes a steady hiss at -93 dBFS
// (16 bits) that does not follow the music. S32 keeps all bits; FLOAT is a copy. A block of digital
// silence stays digital silence, so that amplifiers which mute themselves still can.

/// A sample format of the device; little-endian, interleaved.
public enum SampleFormat: Sendable, Hashable, CaseIterable, BitwiseCopyable {
  /// 32-bit IEEE float.
  case float
  /// Signed 16 bits.
  case s16
  /// Signed 24 bits in the low three bytes of four.
  case s24
  /// Signed 24 bits in three bytes.
  case s24Packed
  /// Signed 32 bits.
  case s32

  /// Bytes per sample of one channel.
  public var bytesPerSample: Int {
    @_noLocks get {
      switch self {
      case .float, .s24, .s32: 4
      case .s16: 2
      case .s24Packed: 3
      }
    }
  }
}

/// Converts blocks of float samples to a device format, with dither. Owned by one thread.
public struct SampleConverter: Sendable, BitwiseCopyable {
  /// What it produces.
  public let format: SampleFormat
  private var random: UInt64

  /// A converter to `format`.
  ///
  /// - Parameters:
  ///   - format: What the device takes.
  ///   - seed: Of the dither; any number.
  @_noLocks public init(format: SampleFormat, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) {
    self.format = format
    random = seed | 1
  }

  /// Converts `count` samples (frames times channels); clips what is beyond full scale.
  ///
  /// - Parameters:
  ///   - source: The samples; NaN counts as silence.
  ///   - count: How many.
  ///   - target: Room for `count * format.bytesPerSample` bytes.
  @_noLocks public mutating func convert(
    _ source: UnsafePointer<Float>, count: Int, into target: UnsafeMutableRawPointer
  ) {
    if format != .float && isSilent(source, count) {
      for byte in 0..<count * format.bytesPerSample {
        target.storeBytes(of: 0, toByteOffset: byte, as: UInt8.self)
      }
      return
    }
    switch format {
    case .float: target.copyMemory(from: source, byteCount: 4 * count)
    case .s16: convert16(source, count, target)
    case .s24: convert24(source, count, target)
    case .s24Packed: convertPacked(source, count, target)
    case .s32: convert32(source, count, target)
    }
  }

  @_noLocks private func isSilent(_ source: UnsafePointer<Float>, _ count: Int) -> Bool {
    for index in 0..<count where source[index] != 0 { return false }
    return true
  }

  @_noLocks private mutating func convert16(
    _ source: UnsafePointer<Float>, _ count: Int, _ target: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      let value = quantise(source[index], fullScale: 32_768, dither: triangular())
      target.storeBytes(
        of: Int16(truncatingIfNeeded: value), toByteOffset: 2 &* index, as: Int16.self)
    }
  }

  @_noLocks private mutating func convert24(
    _ source: UnsafePointer<Float>, _ count: Int, _ target: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      let value = quantise(source[index], fullScale: 8_388_608, dither: triangular())
      target.storeBytes(
        of: Int32(truncatingIfNeeded: value), toByteOffset: 4 &* index, as: Int32.self)
    }
  }

  @_noLocks private mutating func convertPacked(
    _ source: UnsafePointer<Float>, _ count: Int, _ target: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      let value = quantise(source[index], fullScale: 8_388_608, dither: triangular())
      for byte in 0..<3 {
        target.storeBytes(
          of: UInt8(truncatingIfNeeded: value >> Int64(8 &* byte)),
          toByteOffset: 3 &* index &+ byte,
          as: UInt8.self)
      }
    }
  }

  @_noLocks private func convert32(
    _ source: UnsafePointer<Float>, _ count: Int, _ target: UnsafeMutableRawPointer
  ) {
    for index in 0..<count {
      let value = quantise(source[index], fullScale: 2_147_483_648, dither: 0)
      target.storeBytes(
        of: Int32(truncatingIfNeeded: value), toByteOffset: 4 &* index, as: Int32.self)
    }
  }

  /// The nearest step of the device to `sample` plus `dither` (in steps), within the device's range.
  @_noLocks private func quantise(_ sample: Float, fullScale: Double, dither: Double) -> Int64 {
    // A comparison with NaN is false, so NaN falls through to silence.
    let clipped: Double =
      sample >= 1 ? 1 : sample <= -1 ? -1 : sample == sample ? Double(sample) : 0
    // Adding the full scale makes the operand positive, so that truncation rounds down.
    let shifted = clipped * fullScale + dither + fullScale + 1.5
    let value = Int64(shifted) &- Int64(fullScale) &- 1
    return min(max(value, -Int64(fullScale)), Int64(fullScale) &- 1)
  }

  /// A triangular variable between -1 and 1.
  @_noLocks private mutating func triangular() -> Double {
    // xorshift64: 64 bits make two uniform variables of 32.
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    let first = Int64(random & 0xFFFF_FFFF)
    let second = Int64(random >> 32)
    return Double(first &- second) * 0x1p-32
  }
}
