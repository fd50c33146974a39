// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// When to ask: a quick opening, eight busy seconds, then two bursts a second for ever.
///
/// Requests in a burst follow each other at random distances and never at 20 ms, the pace of the
/// audio packets: a fixed distance would meet every time the same queue behind the same packet.
struct RequestSchedule: Sendable {
  /// When the next request is due.
  private(set) var next: LocalInstant
  private var leftInBurst = Self.burst
  private var bursts = 0
  private var burstBegan: LocalInstant?

  init(startingAt start: LocalInstant) { next = start }

  /// Counts a request at `now` and sets the time of the one after.
  mutating func advance(from now: LocalInstant, random: inout SeededRandom) {
    let began = burstBegan ?? now
    burstBegan = began
    leftInBurst -= 1
    if leftInBurst > 0 {
      let range = bursts == 0 ? Self.openingSpacing : Self.spacing
      next = now + Nanoseconds(.random(in: range, using: &random))
      return
    }
    leftInBurst = Self.burst
    bursts += 1
    burstBegan = nil
    let period = bursts <= Self.busyBursts ? Self.busyPeriod : Self.steadyPeriod
    let wander = Nanoseconds(.random(in: -Self.wander...Self.wander, using: &random))
    next = max(began + period + wander, now + Nanoseconds(Self.spacing.lowerBound))
  }

  /// Requests in a burst.
  static let burst = 8
  /// Quick, so that a room is ready within 50 ms of its first request; nanoseconds.
  static let openingSpacing: ClosedRange<Int64> = 2_000_000...6_000_000
  /// Of the later bursts; nanoseconds.
  static let spacing: ClosedRange<Int64> = 7_000_000...23_000_000
  /// Eight seconds of `busyPeriod`: the frequency is known the sooner.
  static let busyBursts = 32
  static let busyPeriod = Nanoseconds.milliseconds(250)
  static let steadyPeriod = Nanoseconds.milliseconds(500)
  /// Keeps the bursts of several rooms from falling together for long; nanoseconds.
  static let wander: Int64 = 20_000_000
}
