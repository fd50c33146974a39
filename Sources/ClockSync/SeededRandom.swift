// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A small repeatable source of randomness (SplitMix64, Steele, Lea and Flood 2014).
///
/// Pure cores draw from it so that a run can be repeated from its seed; the runtimes seed it from
/// the system. Not for keys.
public struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The sequence that belongs to `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number that is evenly distributed from 0 up to, not including, 1.
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
