// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
  }

  /// `bytes` with a few of them changed, cut off or added.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      switch Int.random(in: 0..<5, using: &self) {
      case 0 where !result.isEmpty:
        result[Int.random(in: result.indices, using: &self)] ^=
          1 << UInt8.random(in: 0..<8, using: &self)
      case 1 where !result.isEmpty:
        result[Int.random(in: result.indices, using: &self)] =
          [0, 0x7F, 0x80, 0xFF].randomElement(
            using: &self) ?? 0
      case 2:
        result.removeLast(min(result.count, Int.random(in: 0...8, using: &self)))
      case 3:
        let place = Int.random(in: 0...result.count, using: &self)
        result.insert(UInt8.random(in: 0...255, using: &self), at: place)
      default:
        result += self.bytes(Int.random(in: 0...8, using: &self))
      }
    }
    return result
  }
}
