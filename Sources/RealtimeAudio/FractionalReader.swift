// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The renderer's resampler for others: reads stereo music at fractional positions.
@safe public struct FractionalReader: ~Copyable, @unchecked Sendable {
  // @unchecked: the table is owned by this value alone and never written after `init`.
  private let resampler: Resampler

  /// Frames needed before the frame of a position.
  public static var reachBack: Int { @_noLocks get { 31 } }
  /// Frames needed from the frame of a position on.
  public static var reachAhead: Int { @_noLocks get { 33 } }

  /// A reader for music of 48 kHz or less.
  public init() { resampler = Resampler(deviceRate: 48_000) }

  deinit { resampler.free() }

  /// Writes interleaved frames.
  ///
  /// - Parameters:
  ///   - left: Begins `reachBack` frames before the position's frame and goes `reachAhead` beyond the
  ///     last position.
  ///   - right: The same of the other channel.
  ///   - fraction: What the first position lies beyond its frame, in 2^-32 frame.
  ///   - step: Music frames per output frame, 32.32.
  ///   - count: Output frames.
  ///   - output: Its first `2 * count` samples are overwritten. Not real-time: callers hold arrays.
  public func read(
    _ left: Span<Float>, _ right: Span<Float>, fraction: UInt32, step: UInt64,
    count: Int, into output: inout MutableSpan<Float>
  ) {
    precondition(count >= 0 && 2 * count <= output.count, "room for the music")
    let last = Int((UInt64(count) &* step &+ UInt64(fraction)) >> 32)
    let needed = last &+ Self.reachBack &+ Self.reachAhead
    precondition(left.count >= needed && right.count >= needed, "music within reach")
    left.withUnsafeBufferPointer { left in
      right.withUnsafeBufferPointer { right in
        output.withUnsafeMutableBufferPointer { output in
          guard let left = left.baseAddress, let right = right.baseAddress,
            let output = output.baseAddress
          else { return }
          resampler.process(left, right, fraction: fraction, step: step, count: count, into: output)
        }
      }
    }
  }
}
