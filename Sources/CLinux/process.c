// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  void (*body)(void *);
  void *context;
} start;

static void *run(void *argument) {
  start work = *(start *)argument;
  free(argument);
  work.body(work.context);
  return NULL;
}

int tutti_thread_start(void (*body)(void *), void *context, uint64_t *thread) {
  start *work = malloc(sizeof *work);
  if (work == NULL) return -ENOMEM;
  *work = (start){body, context};
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t handle;
  int code = pthread_create(&handle, NULL, run, work);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code != 0) {
    free(work);
    return -code;
  }
  *thread = (uint64_t)handle;
  return 0;
}

void tutti_thread_join(uint64_t thread) { pthread_join((pthread_t)thread, NULL); }

void tutti_thread_detach(uint64_t thread) { pthread_detach((pthread_t)thread); }

uint64_t tutti_thread_current(void) { return (uint64_t)pthread_self(); }

void tutti_thread_set_name(const char *name) {
  char kept[16];
  snprintf(kept, sizeof kept, "%s", name);
  pthread_setname_np(pthread_self(), kept);
}

int tutti_thread_set_fifo(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return -pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

void tutti_thread_set_timer_slack(uint64_t nanoseconds) {
  prctl(PR_SET_TIMERSLACK, (unsigned long)nanoseconds, 0, 0, 0);
}

int tutti_lock_memory(void) {
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) < 0 ? -errno : 0;
}

static sigset_t waited_signals(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

void tutti_signals_block(void) {
  sigset_t set = waited_signals();
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  signal(SIGPIPE, SIG_IGN);
}

int tutti_signals_wait(int64_t timeout_ns) {
  sigset_t set = waited_signals();
  struct timespec t = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
  for (;;) {
    int got = timeout_ns < 0 ? sigwaitinfo(&set, NULL) : sigtimedwait(&set, NULL, &t);
    if (got > 0) return got;
    if (errno != EINTR) return 0;
  }
}

int tutti_notify(const char *socket_path, const char *state) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  size_t length = strlen(socket_path);
  if (length == 0 || length >= sizeof address.sun_path) return -EINVAL;
  memcpy(address.sun_path, socket_path, length);
  if (address.sun_path[0] == '@') address.sun_path[0] = 0;
  int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  socklen_t used = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
  ssize_t sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (struct sockaddr *)&address, used);
  int code = sent < 0 ? -errno : 0;
  close(fd);
  return code;
}

void tutti_error_text(int code, char text[128]) {
  const char *words = strerrordesc_np(code);
  if (words != NULL)
    snprintf(text, 128, "%s", words);
  else
    snprintf(text, 128, "error %d", code);
}

int tutti_random(uint8_t *bytes, uint32_t count) {
  uint32_t done = 0;
  while (done < count) {
    ssize_t got = getrandom(bytes + done, count - done, 0);
    if (got < 0 && errno != EINTR) return -errno;
    if (got > 0) done += (uint32_t)got;
  }
  return 0;
}
