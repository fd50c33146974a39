// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// `14:03:05` in the time zone of whoever reads it.
func localClock(_ unixSeconds: Double) -> String {
  guard unixSeconds.isFinite, abs(unixSeconds) < 1e12 else { return "--:--:--" }
  var seconds = time_t(unixSeconds)
  var parts = tm()
  localtime_r(&seconds, &parts)
  return [parts.tm_hour, parts.tm_min, parts.tm_sec]
    .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}

/// Seconds of a clock that does not step.
func steadySeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
}

/// The time of day, in seconds since 1970.
func wallSeconds() -> Double { Double(time(nil)) }
