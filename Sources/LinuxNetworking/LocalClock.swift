// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import CLinux

/// This host's clock: CLOCK_MONOTONIC_RAW, the only one that sound is timed by.
public enum LocalClock {
  /// The present moment; a vDSO call of about 30 ns, safe on any thread.
  @inline(__always) public static func now() -> LocalInstant {
    LocalInstant(nanoseconds: tutti_monotonic_raw_ns())
  }

  /// Sleeps the calling thread until `moment`; may return early when a signal arrives.
  public static func sleep(until moment: LocalInstant) {
    tutti_sleep_until_raw_ns(moment.nanoseconds)
  }
}
