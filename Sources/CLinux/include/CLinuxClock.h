// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include <stdint.h>

/// CLOCK_MONOTONIC_RAW of this host, in nanoseconds. Never slewed by NTP. Real-time safe (vDSO).
__attribute__((swift_attr("@_noLocks"))) int64_t tutti_monotonic_raw_ns(void);

/// CLOCK_REALTIME in nanoseconds since 1970: the clock of the kernel's packet stamps.
int64_t tutti_realtime_ns(void);

/// How long this host has been suspended since it was started: CLOCK_BOOTTIME - CLOCK_MONOTONIC. A
/// range, since the two are read one after the other and the thread may be preempted in between.
void tutti_suspended_ns(int64_t *least, int64_t *most);

/// Sleeps until CLOCK_MONOTONIC_RAW reads `raw_ns`; returns early when a signal arrives.
void tutti_sleep_until_raw_ns(int64_t raw_ns);

/// Writes the time of day as RFC 3339 in UTC with milliseconds, 24 characters and a NUL.
void tutti_wall_time_text(char text[25]);
