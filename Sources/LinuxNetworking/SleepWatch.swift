// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import CLinux

// CLOCK_MONOTONIC_RAW stands still while a Linux host is suspended and the rest of the house goes on.
// CLOCK_BOOTTIME counts on: its distance to CLOCK_MONOTONIC grows by the sleep, and by nothing else
// (NTP slews both alike).

/// Notices that this host was suspended. About 100 ns a look.
public struct SleepWatch: Sendable {
  /// A real sleep is far longer than this; two readings of a busy host are hardly ever as far apart.
  public static let shortestSleep = Nanoseconds.milliseconds(10)

  /// How long this host has slept since it was started, in nanoseconds: a range, since two clocks
  /// are read one after the other.
  public static func total() -> ClosedRange<Int64> {
    var least: Int64 = 0
    var most: Int64 = 0
    tutti_suspended_ns(&least, &most)
    return min(least, most)...most
  }

  private let read: @Sendable () -> ClosedRange<Int64>
  private var known: Int64

  /// A watch for sleeps from now on.
  ///
  /// - Parameter read: How long the host has slept; a test has its own.
  public init(read: @escaping @Sendable () -> ClosedRange<Int64> = { SleepWatch.total() }) {
    self.read = read
    known = read().upperBound
  }

  /// How long the host has slept since the last look, or since the watch began; nil if it did not.
  public mutating func slept() -> Nanoseconds? {
    let reading = read()
    let sleep = Nanoseconds(reading.lowerBound - known)
    guard sleep >= Self.shortestSleep else { return nil }
    known = reading.upperBound
    return sleep
  }
}
