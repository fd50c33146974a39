// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// While the rooms still hold music (6 s, the playout delay) each second counts: a server that is back
// before then is not missed. After that nobody hears anything anyway, and a station whose thousands of
// listeners all lost it at one moment is thankful for patience.
//
//   after the loss   0.5  1.5  2.5  3.5  4.5  5.5  6.5    then 2, 4, 8, 16, 30, 30, 30, ... s apart

/// When to try to reach a server again. Knows no clock; all times in milliseconds.
struct ReconnectBackoff {
  /// The first attempts: seven in the 6 s that the rooms hold.
  private static let hurried = [500] + Array(repeating: 1_000, count: 6)
  private static let first = 2_000
  /// The longest wait; with it a station that was away for the night is back within half a minute.
  static let longest = 30_000
  /// A connection that lived so long was a good one: the next loss begins from the start.
  static let good = 10_000
  /// Waits are longer or shorter by up to this part, so that listeners do not come in step.
  static let jitter = 0.2

  private var attempts = 0

  /// How long to wait before the next attempt.
  ///
  /// - Parameter chance: 0 to 1, equally likely.
  /// - Returns: Milliseconds.
  mutating func next(chance: Double) -> Int {
    defer { attempts += 1 }
    let wait = Double(base) * (1 + Self.jitter * (2 * min(max(chance, 0), 1) - 1))
    return Int(wait.rounded())
  }

  private var base: Int {
    if attempts < Self.hurried.count { return Self.hurried[attempts] }
    // Five doublings are beyond the longest.
    return min(Self.longest, Self.first << min(attempts - Self.hurried.count, 5))
  }

  /// The connection was lost after it had lived so long.
  mutating func lost(afterMilliseconds life: Int) {
    if life >= Self.good { attempts = 0 }
  }
}
