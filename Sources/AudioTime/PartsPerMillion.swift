// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A frequency error or trim in parts per million. Positive: fast.
public struct PartsPerMillion: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The value in ppm.
  public var value: Double

  /// An error of `value` ppm.
  @inlinable public init(_ value: Double) { self.value = value }

  /// The error as a plain ratio: 1 ppm is 1e-6.
  @inlinable public var ratio: Double { value * 1e-6 }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}
