// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How often which magnitude occurred, in memory that does not grow with the hours.
///
/// Buckets are the exponent and seven bits of the mantissa of a `Double`: a percentile is at most 0.8 %
/// too large and never too small; the largest value is exact.
public struct Distribution: Sendable {
  /// How many values were taken in.
  public private(set) var count = 0
  /// The largest; zero before the first.
  public private(set) var largest = 0.0
  private var buckets: [Int32: Int] = [:]

  /// Nothing yet.
  public init() {}

  /// Takes in the magnitude of `value`; what is no number is left out.
  public mutating func add(_ value: Double) {
    let magnitude = value.magnitude
    guard magnitude.isFinite else { return }
    count += 1
    largest = max(largest, magnitude)
    buckets[Int32(magnitude.bitPattern >> 45), default: 0] += 1
  }

  /// Takes in all of another.
  public mutating func merge(_ other: Self) {
    count += other.count
    largest = max(largest, other.largest)
    buckets.merge(other.buckets) { $0 + $1 }
  }

  /// The value that a share `part` of all does not exceed; NaN if there is none.
  public func percentile(_ part: Double) -> Double {
    guard count > 0 else { return .nan }
    var left = Int((part * Double(count)).rounded(.up))
    for (bucket, number) in buckets.sorted(by: { $0.key < $1.key }) {
      left -= number
      guard left <= 0 else { continue }
      return min(largest, Double(bitPattern: UInt64(bucket + 1) << 45))
    }
    return largest
  }
}
