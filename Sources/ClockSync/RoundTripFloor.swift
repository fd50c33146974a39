// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// The shortest round trip of the last minute.
///
/// Kept as twelve minima of five seconds each: a route that became longer is believed after a
/// minute, a shorter one at once.
struct RoundTripFloor: Sendable {
  private var minima = [Nanoseconds?](repeating: nil, count: Self.slots)
  private var current: Int64?

  /// The shortest round trip known; nil before the first.
  private(set) var shortest: Nanoseconds?

  /// Takes in a round trip.
  ///
  /// - Parameters:
  ///   - roundTrip: Time spent on the network.
  ///   - now: When.
  /// - Returns: By how much it undercuts the floor, or zero.
  mutating func observe(_ roundTrip: Nanoseconds, at now: LocalInstant) -> Nanoseconds {
    let before = shortest
    let slot = forget(upTo: max(0, now.nanoseconds) / Self.slotNanoseconds)
    minima[slot] = min(minima[slot] ?? roundTrip, roundTrip)
    shortest = minima.lazy.compactMap { $0 }.min()
    return before.map { max(.zero, $0 - roundTrip) } ?? .zero
  }

  /// Clears what is older than a minute; returns the index of the current five seconds.
  private mutating func forget(upTo now: Int64) -> Int {
    let last = current ?? now
    if now > last {
      for passed in max(last + 1, now - Int64(Self.slots) + 1)...now { minima[index(passed)] = nil }
    }
    current = max(now, last)
    return index(max(now, last))
  }

  private func index(_ slot: Int64) -> Int { Int(slot % Int64(Self.slots)) }

  private static let slots = 12
  private static let slotNanoseconds: Int64 = 5_000_000_000
}
