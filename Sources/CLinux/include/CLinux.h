// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdint.h>

/// CLOCK_MONOTONIC_RAW of this host, in nanoseconds. Never slewed by NTP. Real-time safe (vDSO).
__attribute__((swift_attr("@_noLocks"))) int64_t tutti_monotonic_raw_ns(void);
