// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// How early is a time that a program takes just before it sends, against the kernel's transmit stamp?
// Asks and answers like the clock service (random distances of 7-23 ms) and prints, for one end, the
// percentiles of "kernel's stamp less ours" in microseconds, and how far the smallest of each 100
// packets differ: the clock filter lives by the quickest packets.
//
//   transmit_stamps answer PORT          transmit_stamps ask ADDRESS PORT COUNT
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { most = 100000, group = 100 };
static double early[most];
static int count;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// Sends 48 bytes with a transmit stamp asked for by control message, as a product would; returns
// the time taken just before.
static int64_t send_stamped(int fd, const char *bytes, const struct sockaddr_in *to) {
  char control[CMSG_SPACE(sizeof(uint32_t))] = {0};
  struct iovec vector = {(void *)bytes, 48};
  struct msghdr header = {.msg_name = (void *)to, .msg_namelen = sizeof *to, .msg_iov = &vector,
                          .msg_iovlen = 1, .msg_control = control,
                          .msg_controllen = sizeof control};
  struct cmsghdr *item = CMSG_FIRSTHDR(&header);
  uint32_t wanted = SOF_TIMESTAMPING_TX_SOFTWARE;
  item->cmsg_level = SOL_SOCKET;
  item->cmsg_type = SO_TIMESTAMPING;
  item->cmsg_len = CMSG_LEN(sizeof wanted);
  memcpy(CMSG_DATA(item), &wanted, sizeof wanted);
  int64_t ours = now();
  if (sendmsg(fd, &header, 0) != 48) perror("sendmsg");
  return ours;
}

static void take_stamp(int fd, int64_t ours) {
  char control[512], bytes[64];
  struct iovec vector = {bytes, sizeof bytes};
  struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control,
                          .msg_controllen = sizeof control};
  struct pollfd wait = {.fd = fd};
  for (int tries = 0; tries < 20; tries++) {
    if (recvmsg(fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT) >= 0) break;
    header.msg_controllen = sizeof control;
    poll(&wait, 1, 1);
  }
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SO_TIMESTAMPING) continue;
    struct scm_timestamping stamps;
    memcpy(&stamps, CMSG_DATA(item), sizeof stamps);
    int64_t kernel = (int64_t)stamps.ts[0].tv_sec * 1000000000 + stamps.ts[0].tv_nsec;
    if (count < most) early[count++] = (kernel - ours) / 1000.0;
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *name) {
  double least = 1e9, greatest = 0;
  for (int i = 0; i + group <= count; i += group) {
    double smallest = 1e9;
    for (int k = 0; k < group; k++)
      if (early[i + k] < smallest) smallest = early[i + k];
    if (smallest < least) least = smallest;
    if (smallest > greatest) greatest = smallest;
  }
  qsort(early, count, sizeof *early, ascending);
  printf("%s: %d stamps, early by p1 %.1f p50 %.1f p99 %.1f max %.1f us; smallest of each %d: "
         "%.1f-%.1f us\n", name, count, early[count / 100], early[count / 2],
         early[count * 99 / 100], early[count - 1], group, least, greatest);
}

int main(int argc, char **argv) {
  int asks = argc == 5 && !strcmp(argv[1], "ask");
  if (!asks && !(argc == 3 && !strcmp(argv[1], "answer"))) return 2;
  int fd = socket(AF_INET, SOCK_DGRAM, 0);
  uint32_t reporting = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_OPT_TSONLY;
  setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &reporting, sizeof reporting);
  struct sockaddr_in peer = {.sin_family = AF_INET};
  peer.sin_port = htons(atoi(argv[asks ? 3 : 2]));
  if (asks) inet_pton(AF_INET, argv[2], &peer.sin_addr);
  else if (bind(fd, (struct sockaddr *)&peer, sizeof peer)) return perror("bind"), 1;
  char bytes[64] = {0x23};
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  srand(1);
  for (int left = asks ? atoi(argv[4]) : most; left > 0; left--) {
    if (asks) {
      usleep(7000 + rand() % 16000);
      take_stamp(fd, send_stamped(fd, bytes, &peer));
    }
    // Error-queue events wake poll too: wait for the datagram itself.
    if (poll(&wait, 1, asks ? 100 : 3000) <= 0) { if (asks) continue; else break; }
    socklen_t size = sizeof peer;
    if (recvfrom(fd, bytes, sizeof bytes, MSG_DONTWAIT, (struct sockaddr *)&peer, &size) < 0)
      continue;
    if (!asks) take_stamp(fd, send_stamped(fd, bytes, &peer));
  }
  report(asks ? "asks" : "answers");
  return 0;
}
