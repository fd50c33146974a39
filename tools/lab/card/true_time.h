// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// The time that all rooms of the lab share.
#pragma once
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t namespace_offset_ns;

static void read_namespace(void) {
  FILE *file = fopen("/proc/self/timens_offsets", "re");
  if (!file) return;
  char name[32];
  long long seconds, rest;
  while (fscanf(file, "%31s %lld %lld", name, &seconds, &rest) == 3)
    if (!strcmp(name, "monotonic")) namespace_offset_ns = seconds * 1000000000 + rest;
  fclose(file);
}

// True time: not the room's bent clock (../clock/clock.c), which stands in for libc's functions,
// and that of the initial time namespace, so that all rooms' logs are on one axis.
static int64_t raw_ns(void) {
  struct timespec t;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC_RAW, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec - namespace_offset_ns;
}
