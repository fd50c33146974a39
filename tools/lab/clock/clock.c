// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// bentclock.so: LD_PRELOAD library that gives the programs of one lab host a clock of their own.
//
//   BENTCLOCK_PPM=+12         CLOCK_MONOTONIC, _RAW, _COARSE and BOOTTIME run fast by this much
//   BENTCLOCK_ORIGIN_NS=0     they agree with true time when the initial time namespace's clock
//                             shows this; the same for every program, so a restarted daemon goes on
//                             on the same clock
//   BENTCLOCK_CONTROL=FILE    mapped; changes while the program runs (struct control below;
//                             bentclock.py writes it): a slew of MONOTONIC, BOOTTIME and REALTIME
//                             but not RAW, as adjtimex does; a step of REALTIME; BOOTTIME ahead, or
//                             RAW and MONOTONIC behind, as after a suspend
//
// CLOCK_REALTIME is not bent by PPM: the kernel's packet stamps are REALTIME, and both then agree,
// as on a host whose NTP client is good. A slew or step of REALTIME shifts the stamps too
// (stamps.c). Absolute waits are converted (waits.c); relative ones are left alone: they are wrong
// by PPM of their length. A wait that began before a slew, step or suspend is not moved by it.
// Programs that make system calls themselves see true time: the virtual card does so on purpose.
#include "bent.h"
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Written by the lab, read here: bentclock.py has the same layout. `turn` is odd while it is being
// written. Times are of the true CLOCK_MONOTONIC of the initial time namespace.
struct control {
  _Atomic uint64_t turn;
  int64_t slewed_ns;      // what earlier slews have left behind
  int64_t slew_start_ns;
  int64_t slew_length_ns;
  int64_t slew_ppb;
  int64_t realtime_step_ns;
  int64_t boottime_ahead_ns;
  int64_t asleep_ns;      // RAW and MONOTONIC have missed this much
};

static struct control none;
static struct control *control = &none;
static int64_t bend;               // ppm / 1e6 * 2^44
static int64_t origin_ns;
static int64_t monotonic_offset;   // of this time namespace
static int64_t boottime_offset;
static int64_t realtime_distance;  // REALTIME - initial MONOTONIC, at the start
static int (*next_gettime)(clockid_t, struct timespec *);

static void read_namespace(void) {
  FILE *file = fopen("/proc/self/timens_offsets", "re");
  if (!file) return;
  char name[32];
  long long seconds, rest;
  while (fscanf(file, "%31s %lld %lld", name, &seconds, &rest) == 3) {
    int64_t offset = seconds * 1000000000 + rest;
    if (!strcmp(name, "monotonic")) monotonic_offset = offset;
    if (!strcmp(name, "boottime")) boottime_offset = offset;
  }
  fclose(file);
}

static void map_control(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  void *at = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  if (at != MAP_FAILED) {
    control = at;
    return;
  }
  // Going on with a true clock would make the lab's figures lie.
  fprintf(stderr, "bentclock: cannot map BENTCLOCK_CONTROL=%s\n", path);
  _exit(127);
}

__attribute__((constructor)) static void bent_start(void) {
  next_gettime = dlsym(RTLD_NEXT, "clock_gettime");
  read_namespace();
  const char *ppm = getenv("BENTCLOCK_PPM"), *origin = getenv("BENTCLOCK_ORIGIN_NS");
  origin_ns = origin ? strtoll(origin, NULL, 10) : 0;
  realtime_distance =
      bent_true_now_ns(CLOCK_REALTIME) - (bent_true_now_ns(CLOCK_MONOTONIC) - monotonic_offset);
  const char *path = getenv("BENTCLOCK_CONTROL");
  if (path) map_control(path);
  bend = ppm ? (int64_t)(strtod(ppm, NULL) / 1e6 * (double)(1ll << 44)) : 0;
}

int64_t bent_true_now_ns(clockid_t clock) {
  struct timespec t;
  // Before our constructor ran (other libraries' constructors) there is only the system call.
  if (next_gettime) next_gettime(clock, &t);
  else syscall(SYS_clock_gettime, clock, &t);
  return to_ns(&t);
}

static struct control settings(void) {
  struct control copy;
  uint64_t turn;
  do {
    turn = atomic_load_explicit(&control->turn, memory_order_acquire);
    memcpy((char *)&copy + sizeof copy.turn, (char *)control + sizeof copy.turn,
           sizeof copy - sizeof copy.turn);
    atomic_thread_fence(memory_order_acquire);
  } while (turn & 1 || turn != atomic_load_explicit(&control->turn, memory_order_relaxed));
  return copy;
}

static int64_t slew(const struct control *now, int64_t monotonic_ns) {
  int64_t gone = monotonic_ns - now->slew_start_ns;
  if (gone < 0) gone = 0;
  if (gone > now->slew_length_ns) gone = now->slew_length_ns;
  return now->slewed_ns + (int64_t)((__int128)gone * now->slew_ppb / 1000000000);
}

static int64_t bent(int64_t true_ns) {
  return (int64_t)(((__int128)(true_ns - origin_ns) * bend) >> 44);
}

int64_t bent_error_ns(clockid_t clock, int64_t true_ns) {
  struct control now = settings();
  switch (clock) {
  case CLOCK_MONOTONIC_RAW:
    return bent(true_ns - monotonic_offset) - now.asleep_ns;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_COARSE:
    true_ns -= monotonic_offset;
    return bent(true_ns) - now.asleep_ns + slew(&now, true_ns);
  case CLOCK_BOOTTIME:
  case CLOCK_BOOTTIME_ALARM:
    true_ns -= boottime_offset;
    return bent(true_ns) + now.boottime_ahead_ns + slew(&now, true_ns);
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_REALTIME_ALARM:
    return now.realtime_step_ns + slew(&now, true_ns - realtime_distance);
  default: return 0;
  }
}

struct timespec bent_to_true(clockid_t clock, const struct timespec *bent) {
  if (bent->tv_sec > INT64_MAX / 2000000000) return *bent;  // "for ever"
  int64_t wanted = to_ns(bent), guess = wanted;
  // The error changes by < 1e-3 per second: each round makes the guess 1000 times better.
  for (int round = 0; round < 5; round++) guess = wanted - bent_error_ns(clock, guess);
  return from_ns(guess < 0 ? 0 : guess);
}

int clock_gettime(clockid_t clock, struct timespec *t) {
  int code = next_gettime ? next_gettime(clock, t) : (int)syscall(SYS_clock_gettime, clock, t);
  if (code != 0) return code;
  int64_t ns = to_ns(t);
  *t = from_ns(ns + bent_error_ns(clock, ns));
  return 0;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
  (void)zone;  // obsolete: always UTC
  struct timespec t;
  if (clock_gettime(CLOCK_REALTIME, &t) != 0) return -1;
  *tv = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *at) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  if (at) *at = t.tv_sec;
  return t.tv_sec;
}

int timespec_get(struct timespec *t, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, t) == 0 ? base : 0;
}
