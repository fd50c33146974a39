// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "CLinux.h"
#include <stdio.h>
#include <time.h>

static int64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t tutti_monotonic_raw_ns(void) { return read_clock(CLOCK_MONOTONIC_RAW); }

int64_t tutti_realtime_ns(void) { return read_clock(CLOCK_REALTIME); }

void tutti_suspended_ns(int64_t *least, int64_t *most) {
  int64_t before = read_clock(CLOCK_MONOTONIC);
  int64_t since_boot = read_clock(CLOCK_BOOTTIME);
  int64_t after = read_clock(CLOCK_MONOTONIC);
  *least = since_boot - after;
  *most = since_boot - before;
}

void tutti_sleep_until_raw_ns(int64_t raw_ns) {
  // The kernel has no timers on RAW: the distance is converted when the timer is armed. The two
  // clocks differ by at most 500 ppm, 5 us over the 10 ms that our audio threads sleep.
  int64_t left = raw_ns - read_clock(CLOCK_MONOTONIC_RAW);
  if (left <= 0) return;
  int64_t due = read_clock(CLOCK_MONOTONIC) + left;
  struct timespec t = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

void tutti_wall_time_text(char text[25]) {
  struct timespec t;
  struct tm day;
  clock_gettime(CLOCK_REALTIME, &t);
  gmtime_r(&t.tv_sec, &day);
  char seconds[20];
  strftime(seconds, sizeof seconds, "%Y-%m-%dT%H:%M:%S", &day);
  snprintf(text, 25, "%s.%03dZ", seconds, (int)(t.tv_nsec / 1000000) % 1000);
}
