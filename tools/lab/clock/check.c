// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Run by 'selftest' under bentclock.so: prints, one "NAME VALUE" a line, how the bent clocks stand
// to the true ones (system calls, which are not bent) and how late each kind of absolute wait woke.
//
//   check clocks    "NAME TRUE_NS BENT_NS" of each clock, from the narrowest of 2000 readings
//   check waits     "NAME LATE_NS" on the clock waited for; negative: woke too early
//   check stamps    "NAME NS" from a datagram's kernel stamp to its reading, both CLOCK_REALTIME
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int64_t ns(struct timespec t) { return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec; }

static int64_t bent(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return ns(t);
}

static int64_t true_ns(clockid_t clock) {
  struct timespec t;
  syscall(SYS_clock_gettime, clock, &t);
  return ns(t);
}

static void show_clock(const char *name, clockid_t clock) {
  int64_t best = INT64_MAX, real = 0, shown = 0;
  for (int i = 0; i < 2000; i++) {
    int64_t before = true_ns(clock), middle = bent(clock), after = true_ns(clock);
    if (after - before >= best) continue;
    best = after - before;
    real = before + best / 2;
    shown = middle;
  }
  printf("%s %lld %lld\n", name, (long long)real, (long long)shown);
}

enum { ahead_ns = 20000000, tries = 5 };

static struct timespec soon(clockid_t clock) {
  int64_t at = bent(clock) + ahead_ns;
  return (struct timespec){.tv_sec = at / 1000000000, .tv_nsec = at % 1000000000};
}

static void by_nanosleep(clockid_t clock, struct timespec at) {
  clock_nanosleep(clock, TIMER_ABSTIME, &at, NULL);
}

static void by_timerfd(clockid_t clock, struct timespec at) {
  int fd = timerfd_create(clock, TFD_CLOEXEC);
  struct itimerspec value = {.it_value = at};
  timerfd_settime(fd, TFD_TIMER_ABSTIME, &value, NULL);
  uint64_t ticks;
  if (read(fd, &ticks, sizeof ticks) < 0) perror("timerfd");
  close(fd);
}

static void by_timer(clockid_t clock, struct timespec at) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  timer_t timer;
  if (timer_create(clock, &event, &timer) != 0) perror("timer_create");
  struct itimerspec value = {.it_value = at};
  timer_settime(timer, TIMER_ABSTIME, &value, NULL);
  int got;
  sigwait(&set, &got);
  timer_delete(timer);
}

static void by_condition(clockid_t clock, struct timespec at) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, clock);
  pthread_cond_t condition;
  pthread_cond_init(&condition, &attributes);
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  while (pthread_cond_timedwait(&condition, &mutex, &at) == 0) continue;
  pthread_mutex_unlock(&mutex);
}

static void by_clockwait(clockid_t clock, struct timespec at) {
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  while (pthread_cond_clockwait(&condition, &mutex, clock, &at) == 0) continue;
  pthread_mutex_unlock(&mutex);
}

static void by_semaphore(clockid_t clock, struct timespec at) {
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  sem_clockwait(&semaphore, clock, &at);
}

// The least late of some tries: the machine may be busy.
static void show_wait(const char *name, clockid_t clock, void (*wait)(clockid_t, struct timespec)) {
  int64_t least = INT64_MAX;
  for (int i = 0; i < tries; i++) {
    struct timespec at = soon(clock);
    wait(clock, at);
    int64_t late = bent(clock) - ns(at);
    if (llabs(late) < llabs(least)) least = late;
  }
  printf("%s %lld\n", name, (long long)least);
}

static void show_stamp(const char *name, int option) {
  int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), on = 1;
  struct sockaddr_in own = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof own;
  bind(fd, (struct sockaddr *)&own, length);
  getsockname(fd, (struct sockaddr *)&own, &length);
  setsockopt(fd, SOL_SOCKET, option, &on, sizeof on);
  sendto(fd, "x", 1, 0, (struct sockaddr *)&own, length);
  char byte, room[256];
  struct iovec part = {&byte, 1};
  struct mmsghdr message = {.msg_hdr = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = room,
                                        .msg_controllen = sizeof room}};
  recvmmsg(fd, &message, 1, 0, NULL);
  int64_t now = bent(CLOCK_REALTIME), stamped = 0;
  struct cmsghdr *item = CMSG_FIRSTHDR(&message.msg_hdr);
  if (item && option == SO_TIMESTAMPNS) stamped = ns(*(struct timespec *)CMSG_DATA(item));
  if (item && option == SO_TIMESTAMP) {
    struct timeval stamp = *(struct timeval *)CMSG_DATA(item);
    stamped = ((int64_t)stamp.tv_sec * 1000000 + stamp.tv_usec) * 1000;
  }
  close(fd);
  printf("%s %lld\n", name, (long long)(now - stamped));
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  alarm(30);  // a wait that was not converted may never end
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (!strcmp(what, "clocks")) {
    show_clock("raw", CLOCK_MONOTONIC_RAW);
    show_clock("monotonic", CLOCK_MONOTONIC);
    show_clock("boottime", CLOCK_BOOTTIME);
    show_clock("realtime", CLOCK_REALTIME);
  } else if (!strcmp(what, "waits")) {
    show_wait("clock_nanosleep", CLOCK_MONOTONIC, by_nanosleep);
    show_wait("clock_nanosleep-boottime", CLOCK_BOOTTIME, by_nanosleep);
    show_wait("clock_nanosleep-realtime", CLOCK_REALTIME, by_nanosleep);
    show_wait("timerfd", CLOCK_MONOTONIC, by_timerfd);
    show_wait("timerfd-boottime", CLOCK_BOOTTIME, by_timerfd);
    show_wait("timer_settime", CLOCK_MONOTONIC, by_timer);
    show_wait("pthread_cond_timedwait", CLOCK_MONOTONIC, by_condition);
    show_wait("pthread_cond_timedwait-realtime", CLOCK_REALTIME, by_condition);
    show_wait("pthread_cond_clockwait", CLOCK_MONOTONIC, by_clockwait);
    show_wait("sem_clockwait", CLOCK_MONOTONIC, by_semaphore);
  } else if (!strcmp(what, "stamps")) {
    show_stamp("SO_TIMESTAMPNS", SO_TIMESTAMPNS);
    show_stamp("SO_TIMESTAMP", SO_TIMESTAMP);
  } else {
    fprintf(stderr, "usage: check clocks|waits|stamps\n");
    return 2;
  }
  return 0;
}
