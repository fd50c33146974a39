// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Shared by the parts of bentclock.so; clock.c says what the library does.
#pragma once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

// How far this host's `clock` is ahead of true time when the true clock shows `true_ns`.
int64_t bent_error_ns(clockid_t clock, int64_t true_ns);

// The true reading at which the bent clock will show `bent`: for absolute waits.
struct timespec bent_to_true(clockid_t clock, const struct timespec *bent);

// The true clock, without our own bend.
int64_t bent_true_now_ns(clockid_t clock);

static inline int64_t to_ns(const struct timespec *t) {
  return (int64_t)t->tv_sec * 1000000000 + t->tv_nsec;
}

static inline struct timespec from_ns(int64_t ns) {
  struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
  if (t.tv_nsec < 0) {
    t.tv_sec -= 1;
    t.tv_nsec += 1000000000;
  }
  return t;
}

// The next definition of the function that we stand in for, looked up once.
#define NEXT(name)                                                                                 \
  ({                                                                                               \
    static __typeof__(&name) found;                                                                \
    if (!found) found = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                \
    found;                                                                                         \
  })
