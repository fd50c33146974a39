// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A place in a live source: a frame and a fraction, counted from the source's first frame.
///
/// Exact at any length: a `Double` would lose the fraction within months of a running capture.
public struct SourcePosition: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The whole frame.
  public var frame: Int64
  /// What lies beyond it, in 2^-32 frame.
  public var fraction: UInt32

  /// The beginning of `frame`, or a fraction beyond it.
  public init(frame: Int64, fraction: UInt32 = 0) {
    self.frame = frame
    self.fraction = fraction
  }

  /// Moves on by `count` steps of `step`.
  ///
  /// - Parameters:
  ///   - count: Output frames.
  ///   - step: Source frames per output frame, 32.32.
  public mutating func advance(by count: Int, step: UInt64) {
    let whole = step >> 32
    let part = (step & 0xFFFF_FFFF) &* UInt64(count) &+ UInt64(fraction)
    frame += Int64(whole) * Int64(count) + Int64(part >> 32)
    fraction = UInt32(truncatingIfNeeded: part)
  }

  /// Whether `a` comes before `b`.
  public static func < (a: Self, b: Self) -> Bool {
    (a.frame, a.fraction) < (b.frame, b.fraction)
  }
}
