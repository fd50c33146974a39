// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// A card that moves its pointer by 48 frames shows only differences of 48, 96, 480 ...: their greatest
// common divisor is the step. By chance n random numbers share a factor of g or more about g^(1-n) times:
// three differences of 480, or six of 48, leave no doubt. A pointer whose steps vary (USB at 44.1 kHz: 44 or 45 frames a
// millisecond) shares no divisor; then the smallest difference seen stands in. Judged anew every 32
// differences; a few that do not fit are forgiven.

/// Learns by how many frames a card's pointer moves at a time.
struct PointerStep: Sendable {
  private var last: Int64?
  private var common: Int64 = 0
  private var smallest = Int64.max
  private var count = 0
  private var misfits = 0
  private var kept: (common: Int64, smallest: Int64) = (0, .max)

  /// Takes in where the pointer stands.
  mutating func observe(_ frame: Int64) {
    defer { last = frame }
    guard let last, frame > last else { return }
    let moved = frame &- last
    // Nonsense, or a device that was restarted.
    guard moved > 0, moved < Self.plausible else { return }
    common = Self.divisor(common, moved)
    smallest = min(smallest, moved)
    count += 1
    if kept.common > 0, moved % kept.common != 0 { misfits += 1 }
    if count >= Self.differences { finish() }
  }

  /// The greatest number of frames that all moves are multiples of; 0 while unknown.
  var regular: Int64 { kept.common > 0 ? kept.common : isCertain ? common : 0 }

  /// The smallest move seen.
  var shortest: Int64 { min(smallest, kept.smallest) }

  /// Whether the pointer may have moved by `frames` at once.
  func isStep(_ frames: Int64) -> Bool {
    regular > 1 ? frames == regular : frames > 0 && frames <= shortest &* 2
  }

  private mutating func finish() {
    // A few that do not fit are stray readings or skipped frames, not another pointer. Moves that all
    // fit may share more than was thought: one jump of a lying device had spoilt the divisor.
    let isKept = kept.common > 0 && (1..<Self.misfitsForChange).contains(misfits)
    kept = isKept ? (kept.common, min(smallest, kept.smallest)) : (common, smallest)
    (common, smallest, count, misfits) = (0, .max, 0, 0)
  }

  private var isCertain: Bool {
    guard count < Self.enough else { return true }
    var odds: Int64 = 1
    for _ in 1..<max(1, count) where odds < Self.odds { odds *= min(common, Self.odds) }
    return odds >= Self.odds
  }

  private static func divisor(_ first: Int64, _ second: Int64) -> Int64 {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// One in so many is certain enough: being wrong costs a few readings.
  private static var odds: Int64 { 1_000 }
  /// Differences that settle it whatever they share.
  private static var enough: Int { 7 }
  private static var differences: Int { 32 }
  private static var misfitsForChange: Int { 16 }
  /// Frames: five seconds at 192 kHz.
  private static var plausible: Int64 { 1 << 20 }
}
