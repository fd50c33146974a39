// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A length of time in whole nanoseconds, on any clock.
///
/// `Duration` of the standard library is 128 bits wide and its components cannot be read on the
/// audio thread; 64 bits of nanoseconds reach 292 years.
public struct Nanoseconds: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The length in nanoseconds; may be negative.
  public var count: Int64

  /// A length of `count` nanoseconds.
  @inlinable public init(_ count: Int64) { self.count = count }

  /// A length of whole microseconds.
  @inlinable public static func microseconds(_ value: Int64) -> Self { Self(value * 1_000) }

  /// A length of whole milliseconds.
  @inlinable public static func milliseconds(_ value: Int64) -> Self { Self(value * 1_000_000) }

  /// A length of whole seconds.
  @inlinable public static func seconds(_ value: Int64) -> Self { Self(value * 1_000_000_000) }

  /// A length given in seconds, rounded to the nearest nanosecond; clamped to what fits.
  public init(seconds value: Double) {
    let scaled = (value * 1e9).rounded()
    count = Int64(exactly: scaled) ?? (scaled > 0 ? .max : .min)
  }

  /// No time at all.
  public static var zero: Self { Self(0) }

  /// The length in seconds.
  @inlinable public var inSeconds: Double { Double(count) / 1e9 }

  /// The length in milliseconds.
  @inlinable public var inMilliseconds: Double { Double(count) / 1e6 }

  /// The length in microseconds.
  @inlinable public var inMicroseconds: Double { Double(count) / 1e3 }

  /// The length without its sign.
  @inlinable public var magnitude: Self { Self(count < 0 ? 0 &- count : count) }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.count < b.count }
  /// The sum.
  @inlinable public static func + (a: Self, b: Self) -> Self { Self(a.count &+ b.count) }
  /// The difference.
  @inlinable public static func - (a: Self, b: Self) -> Self { Self(a.count &- b.count) }
  /// The difference.
  @inlinable public static prefix func - (a: Self) -> Self { Self(0 &- a.count) }
  /// The multiple.
  @inlinable public static func * (a: Self, k: Int64) -> Self { Self(a.count &* k) }
  /// The quotient, rounded towards zero.
  @inlinable public static func / (a: Self, k: Int64) -> Self { Self(a.count / k) }
  /// Adds in place.
  @inlinable public static func += (a: inout Self, b: Self) { a = a + b }
  /// Subtracts in place.
  @inlinable public static func -= (a: inout Self, b: Self) { a = a - b }
}

extension Nanoseconds: CustomStringConvertible {
  /// The length in the unit a person would pick, such as `1.5 ms`.
  public var description: String {
    switch magnitude.count {
    case ..<1_000: "\(count) ns"
    case ..<1_000_000: "\(inMicroseconds) us"
    case ..<1_000_000_000: "\(inMilliseconds) ms"
    default: "\(inSeconds) s"
    }
  }
}
