// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// The kernel's packet stamps are true CLOCK_REALTIME. On a host whose REALTIME was stepped or
// slewed they would be so too: shifted by what this host's REALTIME was off at the stamp.
#include "bent.h"
#include <linux/errqueue.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

static void shift(struct timespec *stamp) {
  if (stamp->tv_sec == 0 && stamp->tv_nsec == 0) return;  // not stamped
  int64_t ns = to_ns(stamp);
  *stamp = from_ns(ns + bent_error_ns(CLOCK_REALTIME, ns));
}

static void shift_stamps(struct msghdr *header) {
  for (struct cmsghdr *item = CMSG_FIRSTHDR(header); item; item = CMSG_NXTHDR(header, item)) {
    if (item->cmsg_level != SOL_SOCKET) continue;
    struct timespec stamps[3];  // SO_TIMESTAMPING: software first; hardware has its own clock
    switch (item->cmsg_type) {
    case SO_TIMESTAMPNS_OLD:
    case SO_TIMESTAMPNS_NEW:
    case SO_TIMESTAMPING_OLD:
    case SO_TIMESTAMPING_NEW:
      if (item->cmsg_len < CMSG_LEN(sizeof stamps[0])) break;
      memcpy(stamps, CMSG_DATA(item), sizeof stamps[0]);
      shift(&stamps[0]);
      memcpy(CMSG_DATA(item), stamps, sizeof stamps[0]);
      break;
    case SO_TIMESTAMP_OLD:
    case SO_TIMESTAMP_NEW: {
      struct timeval coarse;
      if (item->cmsg_len < CMSG_LEN(sizeof coarse)) break;
      memcpy(&coarse, CMSG_DATA(item), sizeof coarse);
      struct timespec stamp = {.tv_sec = coarse.tv_sec, .tv_nsec = coarse.tv_usec * 1000};
      shift(&stamp);
      coarse = (struct timeval){.tv_sec = stamp.tv_sec, .tv_usec = stamp.tv_nsec / 1000};
      memcpy(CMSG_DATA(item), &coarse, sizeof coarse);
      break;
    }
    default: break;
    }
  }
}

ssize_t recvmsg(int fd, struct msghdr *header, int flags) {
  ssize_t got = NEXT(recvmsg)(fd, header, flags);
  if (got >= 0) shift_stamps(header);
  return got;
}

int recvmmsg(int fd, struct mmsghdr *messages, unsigned int count, int flags,
             struct timespec *timeout) {
  int got = NEXT(recvmmsg)(fd, messages, count, flags, timeout);
  for (int i = 0; i < got; i++) shift_stamps(&messages[i].msg_hdr);
  return got;
}
