// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Numbers that look random and are the same for the same seed: SplitMix64 (Steele, Lea, Flood 2014).
///
/// A queue carries its own, so that what follows can be asked for without deciding it.
public struct ShuffleRandom: RandomNumberGenerator, Sendable, Hashable {
  private var state: UInt64

  /// Numbers from a seed.
  ///
  /// - Parameter seed: Any number.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
