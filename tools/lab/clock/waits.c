// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Waits until an absolute moment: the moment is on the bent clock, the kernel's is the true one.
#include "bent.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/timerfd.h>

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until,
                    struct timespec *left) {
  if (!(flags & TIMER_ABSTIME)) return NEXT(clock_nanosleep)(clock, flags, until, left);
  struct timespec moment = bent_to_true(clock, until);
  return NEXT(clock_nanosleep)(clock, flags, &moment, left);
}

// A zero in an itimerspec means "off", not a moment.
static struct itimerspec converted(clockid_t clock, const struct itimerspec *bent) {
  struct itimerspec value = *bent;
  if (bent->it_value.tv_sec == 0 && bent->it_value.tv_nsec == 0) return value;
  value.it_value = bent_to_true(clock, &bent->it_value);
  if (value.it_value.tv_sec == 0 && value.it_value.tv_nsec == 0) value.it_value.tv_nsec = 1;
  return value;
}

// The clock of each timerfd; a number above the table is taken for CLOCK_MONOTONIC.
enum { descriptors = 4096 };
static _Atomic int clock_of[descriptors];

int timerfd_create(clockid_t clock, int flags) {
  int fd = NEXT(timerfd_create)(clock, flags);
  if (fd >= 0 && fd < descriptors) clock_of[fd] = clock;
  return fd;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
  if (!(flags & TFD_TIMER_ABSTIME)) return NEXT(timerfd_settime)(fd, flags, value, old);
  clockid_t clock = fd >= 0 && fd < descriptors ? clock_of[fd] : CLOCK_MONOTONIC;
  struct itimerspec moment = converted(clock, value);
  return NEXT(timerfd_settime)(fd, flags, &moment, old);
}

// POSIX timers are few; one beyond the table is taken for CLOCK_MONOTONIC.
enum { posix_timers = 64 };
static _Atomic(uintptr_t) timer_ids[posix_timers];
static _Atomic int timer_clocks[posix_timers];
static _Atomic unsigned timer_count;

int timer_create(clockid_t clock, struct sigevent *restrict event, timer_t *restrict timer) {
  int code = NEXT(timer_create)(clock, event, timer);
  if (code != 0) return code;
  unsigned slot = atomic_fetch_add(&timer_count, 1) % posix_timers;
  timer_clocks[slot] = clock;
  timer_ids[slot] = (uintptr_t)*timer;
  return 0;
}

int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict value,
                  struct itimerspec *restrict old) {
  if (!(flags & TIMER_ABSTIME)) return NEXT(timer_settime)(timer, flags, value, old);
  clockid_t clock = CLOCK_MONOTONIC;
  unsigned count = timer_count;
  // From the newest back: an id may have been used before.
  for (unsigned n = 0; n < count && n < posix_timers; n++) {
    unsigned slot = (count - 1 - n) % posix_timers;
    if (timer_ids[slot] != (uintptr_t)timer) continue;
    clock = timer_clocks[slot];
    break;
  }
  struct itimerspec moment = converted(clock, value);
  return NEXT(timer_settime)(timer, flags, &moment, old);
}

// A plain dlsym may find the condition variables of glibc before 2.3.2, which are other structures.
static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex,
                   const struct timespec *moment) {
  static int (*next)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!next) {
    void *found = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    next = found ? found : dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  }
  return next(condition, mutex, moment);
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until) {
  // glibc keeps the clock of pthread_condattr_setclock in this bit (2.25 to at least 2.41).
  clockid_t clock = condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  struct timespec moment = bent_to_true(clock, until);
  return wait_on(condition, mutex, &moment);
}

int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                           clockid_t clock, const struct timespec *restrict until) {
  struct timespec moment = bent_to_true(clock, until);
  return NEXT(pthread_cond_clockwait)(condition, mutex, clock, &moment);
}

// Waits of one object on a clock given, or on CLOCK_REALTIME.
#define CLOCK_WAIT(name, object)                                                                   \
  int name(object *restrict on, clockid_t clock, const struct timespec *restrict until) {          \
    struct timespec moment = bent_to_true(clock, until);                                           \
    return NEXT(name)(on, clock, &moment);                                                         \
  }
#define REALTIME_WAIT(name, object)                                                                \
  int name(object *restrict on, const struct timespec *restrict until) {                           \
    struct timespec moment = bent_to_true(CLOCK_REALTIME, until);                                  \
    return NEXT(name)(on, &moment);                                                                \
  }
CLOCK_WAIT(sem_clockwait, sem_t)
CLOCK_WAIT(pthread_mutex_clocklock, pthread_mutex_t)
CLOCK_WAIT(pthread_rwlock_clockrdlock, pthread_rwlock_t)
CLOCK_WAIT(pthread_rwlock_clockwrlock, pthread_rwlock_t)
REALTIME_WAIT(sem_timedwait, sem_t)
REALTIME_WAIT(pthread_mutex_timedlock, pthread_mutex_t)
REALTIME_WAIT(pthread_rwlock_timedrdlock, pthread_rwlock_t)
REALTIME_WAIT(pthread_rwlock_timedwrlock, pthread_rwlock_t)
