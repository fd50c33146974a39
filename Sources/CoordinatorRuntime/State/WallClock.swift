// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc
internal import House

/// The time of day, for people only: nothing is timed by it.
func wallTime() -> WallTime {
  var now = timespec()
  clock_gettime(CLOCK_REALTIME, &now)
  return WallTime(seconds: Double(now.tv_sec) + Double(now.tv_nsec) / 1e9)
}
