// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// One output frame is the filter laid over the music around the read position, which is the filter's
// centre: no delay term anywhere. The position counts in 2^-32 frame; its top ten fraction bits choose
// the row of the table, the other 22 interpolate to the next row.
//
// `a * b + c` and not `addProduct`: without FMA in the target CPU that calls fmaf for each lane
// (22 times slower, measured).

/// Reads stereo music at fractional positions.
struct Resampler: BitwiseCopyable {
  let table: SincTable

  init(deviceRate: Int) { table = SincTable(deviceRate: deviceRate) }

  /// Not real-time: runs when the audio thread has ended.
  func free() { table.free() }

  /// Media frames needed before the frame of the position.
  var reachBack: Int64 {
    @_noLocks get { Int64(table.taps / 2 - 1) }
  }
  /// Media frames needed from the frame of the position on.
  var reachAhead: Int64 {
    @_noLocks get { Int64(table.taps / 2 + 1) }
  }

  /// Writes `count` interleaved frames.
  ///
  /// - Parameters:
  ///   - music: What to read; it must cover the reach around all positions.
  ///   - start: Position of the first output frame.
  ///   - step: Media frames per output frame, 32.32.
  ///   - count: Output frames.
  ///   - output: Room for `2 * count` samples.
  @_noLocks func process(
    _ music: borrowing MixWindow, from start: MediaPosition, step: UInt64, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let first = Int(start.frame.index &- reachBack &- music.base)
    process(
      music.left + first, music.right + first, fraction: start.fraction, step: step, count: count,
      into: output)
  }

  /// Writes `count` interleaved frames.
  ///
  /// - Parameters:
  ///   - left: The frame `reachBack` before the first position; all that is reached follows.
  ///   - right: The same of the other channel.
  ///   - fraction: What the first position lies beyond its frame.
  ///   - step: Media frames per output frame, 32.32.
  ///   - count: Output frames.
  ///   - output: Room for `2 * count` samples.
  @_noLocks func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, fraction: UInt32, step: UInt64,
    count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    var phase = UInt64(fraction)
    var out = output
    for _ in 0..<count {
      let index = Int(phase >> 32)
      let fraction = UInt32(truncatingIfNeeded: phase)
      let sample = weigh(left + index, right + index, at: fraction)
      out[0] = sample.x
      out[1] = sample.y
      out += 2
      phase &+= step
    }
  }

  @_noLocks @inline(__always) private func weigh(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, at fraction: UInt32
  ) -> SIMD2<Float> {
    let row = table.row(Int(fraction >> 22))
    let bytesPerRow = table.taps &* 4
    let part = SIMD8<Float>(repeating: Float(fraction & 0x3F_FFFF) * 0x1p-22)
    let (rawLeft, rawRight) = (UnsafeRawPointer(left), UnsafeRawPointer(right))
    var sumLeft = SIMD8<Float>.zero
    var sumRight = SIMD8<Float>.zero
    var offset = 0
    while offset < bytesPerRow {
      let here = row.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      let next = row.loadUnaligned(fromByteOffset: offset &+ bytesPerRow, as: SIMD8<Float>.self)
      let weight = here + (next - here) * part
      sumLeft += weight * rawLeft.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      sumRight += weight * rawRight.loadUnaligned(fromByteOffset: offset, as: SIMD8<Float>.self)
      offset &+= 32
    }
    return SIMD2(total(sumLeft), total(sumRight))
  }

  @_noLocks @inline(__always) private func total(_ v: SIMD8<Float>) -> Float {
    let four = v.lowHalf + v.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }
}
