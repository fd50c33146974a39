// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// The shortest round trips of the last minute.
///
/// Kept as twelve parts of five seconds each: a route that became longer is believed after a
/// minute, a shorter one at once.
///
/// The shortest seen is still longer than an undisturbed one would be. By how much is told by the
/// distance to the fourth: queueing on two ways makes the density of round trips grow linearly from
/// the true floor, where the k-th smallest lies about sqrt(k) units above it.
struct RoundTripFloor: Sendable {
  private var parts = [[Nanoseconds]](repeating: [], count: Self.slots)
  private var current: Int64?

  /// The shortest round trip known; nil before the first.
  private(set) var shortest: Nanoseconds?

  /// How far the true floor probably lies below `shortest`.
  private(set) var slack = Nanoseconds.zero

  /// Takes in a round trip.
  ///
  /// - Parameters:
  ///   - roundTrip: Time spent on the network.
  ///   - now: When.
  /// - Returns: By how much it undercuts the floor, or zero.
  mutating func observe(_ roundTrip: Nanoseconds, at now: LocalInstant) -> Nanoseconds {
    let before = shortest
    let slot = forget(upTo: max(0, now.nanoseconds) / Self.slotNanoseconds)
    Self.insert(roundTrip, into: &parts[slot])
    var smallest: [Nanoseconds] = []
    for part in parts { for value in part { Self.insert(value, into: &smallest) } }
    shortest = smallest.first
    if let first = smallest.first, let last = smallest.last { slack = last - first }
    return before.map { max(.zero, $0 - roundTrip) } ?? .zero
  }

  /// Keeps the few smallest, in order.
  private static func insert(_ value: Nanoseconds, into smallest: inout [Nanoseconds]) {
    let index = smallest.firstIndex { value < $0 } ?? smallest.count
    guard index < kept else { return }
    smallest.insert(value, at: index)
    if smallest.count > kept { smallest.removeLast() }
  }

  /// Clears what is older than a minute; returns the index of the current part.
  private mutating func forget(upTo now: Int64) -> Int {
    let last = current ?? now
    if now > last {
      for passed in max(last + 1, now - Int64(Self.slots) + 1)...now { parts[index(passed)] = [] }
    }
    current = max(now, last)
    return index(max(now, last))
  }

  private func index(_ slot: Int64) -> Int { Int(slot % Int64(Self.slots)) }

  private static let slots = 12
  private static let slotNanoseconds: Int64 = 5_000_000_000
  private static let kept = 4
}
