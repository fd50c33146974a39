// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Errors of very different size in few buckets: even steps of 16 ns up to 1,024 ns, then 64 steps an
// octave up to 1.07 s. A value read back is within 8 ns, or 0.8 % (1/128), of what was put in.
//
//   bucket   0 ........ 63 | 64 ..... 127 | 128 .... 191 | ...... 1,343
//   ns       0 .... 1,023  | 1,024  2,047 | 2,048  4,095 | ...... 2^30 - 1

/// Numbers the sizes of errors on a scale that is fine where errors are small.
enum ErrorScale {
  /// How many buckets there are.
  static let count = 64 + (topExponent - bottomExponent) * 64
  /// Anything as large as this, and more, is in the last bucket.
  static let largest: Int64 = 1 << topExponent - 1

  private static let bottomExponent: Int64 = 10
  private static let topExponent: Int64 = 30

  /// The bucket of an error of `size` nanoseconds, whatever its sign.
  static func bucket(_ size: Int64) -> Int {
    let size = Int64(min(size.magnitude, largest.magnitude))
    guard size >> bottomExponent > 0 else { return Int(size >> 4) }
    let exponent = Int64(63 - size.leadingZeroBitCount)
    return Int(64 * (exponent - bottomExponent + 1) + (size >> (exponent - 6)) & 63)
  }

  /// The middle of a bucket, in nanoseconds.
  static func value(_ bucket: Int) -> Int64 {
    let bucket = Int64(bucket)
    guard bucket >= 64 else { return bucket << 4 + 8 }
    let shift = bucket / 64 + bottomExponent - 7
    return (64 + bucket % 64) << shift + 1 << (shift - 1)
  }
}
