// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// The shortest round trip of the last minute.
///
/// Kept as twelve parts of five seconds each: a route that became longer is believed after a
/// minute, a shorter one at once.
struct RoundTripFloor: Sendable {
  private var parts = [Nanoseconds?](repeating: nil, count: Self.slots)
  private var current: Int64?

  /// The shortest round trip known; nil before the first.
  private(set) var shortest: Nanoseconds?

  /// Takes in a round trip.
  ///
  /// - Parameters:
  ///   - roundTrip: Time spent on the network.
  ///   - now: When.
  mutating func observe(_ roundTrip: Nanoseconds, at now: LocalInstant) {
    let slot = forget(upTo: max(0, now.nanoseconds) / Self.slotNanoseconds)
    parts[slot] = min(parts[slot] ?? roundTrip, roundTrip)
    shortest = parts.lazy.compactMap { $0 }.min()
  }

  /// Clears what is older than a minute; returns the index of the current part.
  private mutating func forget(upTo now: Int64) -> Int {
    let last = current ?? now
    if now > last {
      for passed in max(last + 1, now - Int64(Self.slots) + 1)...now { parts[index(passed)] = nil }
    }
    current = max(now, last)
    return index(max(now, last))
  }

  private func index(_ slot: Int64) -> Int { Int(slot % Int64(Self.slots)) }

  private static let slots = 12
  private static let slotNanoseconds: Int64 = 5_000_000_000
}
