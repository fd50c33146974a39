// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { batch = 64 };

int tutti_poll_create(void) {
  int fd = epoll_create1(EPOLL_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

int tutti_poll_control(int poll, int operation, int fd, uint32_t interest, uint64_t token) {
  static const int operations[] = {EPOLL_CTL_ADD, EPOLL_CTL_MOD, EPOLL_CTL_DEL};
  struct epoll_event event = {.data.u64 = token};
  if (interest & tutti_poll_readable) event.events |= EPOLLIN;
  if (interest & tutti_poll_writable) event.events |= EPOLLOUT;
  return epoll_ctl(poll, operations[operation], fd, &event) < 0 ? -errno : 0;
}

int tutti_poll_wait(int poll, tutti_poll_event *events, uint32_t capacity, int64_t timeout_ns) {
  struct epoll_event raw[batch];
  int limit = capacity < batch ? (int)capacity : batch;
  struct timespec t = {.tv_sec = timeout_ns / 1000000000, .tv_nsec = timeout_ns % 1000000000};
  int count = epoll_pwait2(poll, raw, limit, timeout_ns < 0 ? NULL : &t, NULL);
  if (count < 0 && errno == ENOSYS) {  // Kernels before 5.11.
    int64_t milliseconds = timeout_ns < 0 ? -1 : (timeout_ns + 999999) / 1000000;
    count = epoll_wait(poll, raw, limit, milliseconds > 60000 ? 60000 : (int)milliseconds);
  }
  if (count < 0) return errno == EINTR ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    events[i].token = raw[i].data.u64;
    events[i].ready = (raw[i].events & EPOLLIN ? tutti_poll_readable : 0) |
                      (raw[i].events & EPOLLOUT ? tutti_poll_writable : 0) |
                      (raw[i].events & (EPOLLERR | EPOLLHUP) ? tutti_poll_failed : 0);
  }
  return count;
}

int tutti_wake_create(void) {
  int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

void tutti_wake_signal(int fd) {
  uint64_t one = 1;
  // A full counter means that a wake-up is already pending: nothing is lost.
  ssize_t written = write(fd, &one, sizeof one);
  (void)written;
}

void tutti_wake_clear(int fd) {
  uint64_t count;
  ssize_t got = read(fd, &count, sizeof count);
  (void)got;
}
