// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Transmit stamps: the kernel says when a datagram went to the driver, by sending it back with a time
// on the socket's error queue. Asked for by control message, for one datagram at a time: a socket
// option would stamp every packet of audio too.
#define _GNU_SOURCE
#include "address.h"
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <string.h>

int tutti_allow_transmit_stamps(int fd) {
  // Without OPT_TSONLY the datagram itself comes back: its own octets say which one it was.
  uint32_t flags = SOF_TIMESTAMPING_SOFTWARE;
  return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) < 0 ? -errno : 0;
}

static struct cmsghdr *put(struct msghdr *header, struct cmsghdr *item, int level, int type,
                           uint32_t value) {
  item->cmsg_level = level;
  item->cmsg_type = type;
  item->cmsg_len = CMSG_LEN(sizeof value);
  memcpy(CMSG_DATA(item), &value, sizeof value);
  return CMSG_NXTHDR(header, item);
}

int tutti_send_stamped(int fd, int is_ipv4, const uint8_t *bytes, const tutti_outgoing *item) {
  union {
    struct cmsghdr align;
    char bytes[2 * CMSG_SPACE(sizeof(uint32_t))];
  } control;
  memset(&control, 0, sizeof control);
  struct sockaddr_storage address;
  struct iovec vector = {(void *)(bytes + item->offset), item->length};
  struct msghdr header = {.msg_name = &address, .msg_iov = &vector, .msg_iovlen = 1};
  header.msg_namelen = tutti_to_sockaddr(&item->to, is_ipv4, &address);
  if (header.msg_namelen == 0) return -EAFNOSUPPORT;
  header.msg_control = control.bytes;
  header.msg_controllen = sizeof control.bytes;
  struct cmsghdr *next = put(&header, CMSG_FIRSTHDR(&header), SOL_SOCKET, SO_TIMESTAMPING,
                             SOF_TIMESTAMPING_TX_SOFTWARE);
  int mapped = tutti_is_mapped(&item->to);
  put(&header, next, mapped ? IPPROTO_IP : IPPROTO_IPV6, mapped ? IP_TOS : IPV6_TCLASS,
      (uint32_t)item->dscp << 2);
  ssize_t sent;
  do sent = sendmsg(fd, &header, MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : 1;
}

int tutti_take_transmit_stamp(int fd, uint8_t tail[8], int64_t *realtime_ns) {
  uint8_t bytes[512];
  char control[256];
  struct iovec vector = {bytes, sizeof bytes};
  struct msghdr header = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = control,
                          .msg_controllen = sizeof control};
  ssize_t length;
  do length = recvmsg(fd, &header, MSG_ERRQUEUE | MSG_DONTWAIT);
  while (length < 0 && errno == EINTR);
  if (length < 0) return errno == EWOULDBLOCK ? 0 : -errno;
  *realtime_ns = 0;
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&header); item; item = CMSG_NXTHDR(&header, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SO_TIMESTAMPING) continue;
    struct scm_timestamping stamps;
    memcpy(&stamps, CMSG_DATA(item), sizeof stamps);
    *realtime_ns = (int64_t)stamps.ts[0].tv_sec * 1000000000 + stamps.ts[0].tv_nsec;
  }
  memset(tail, 0, 8);
  if (length >= 8 && !(header.msg_flags & MSG_TRUNC)) memcpy(tail, bytes + length - 8, 8);
  return 1;
}
