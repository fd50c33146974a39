// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Datagrams in batches: one system call for many packets, the kernel's receive stamp and drop
// counter out of the control messages, a DSCP of its own into each packet sent.
#define _GNU_SOURCE
#include "address.h"
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { control_bytes = 128, send_chunk = 32 };

struct tutti_inbox {
  uint32_t slots;
  uint32_t slot_bytes;
  uint32_t kernel_drops;
  uint8_t *bytes;
  uint8_t *control;
  struct mmsghdr *messages;
  struct iovec *vectors;
  struct sockaddr_storage *addresses;
  tutti_datagram *datagrams;
};

tutti_inbox *tutti_inbox_create(uint32_t slots, uint32_t slot_bytes) {
  tutti_inbox *inbox = calloc(1, sizeof *inbox);
  if (inbox == NULL) return NULL;
  inbox->slots = slots;
  inbox->slot_bytes = slot_bytes;
  inbox->bytes = malloc((size_t)slots * slot_bytes);
  inbox->control = calloc(slots, control_bytes);
  inbox->messages = calloc(slots, sizeof *inbox->messages);
  inbox->vectors = calloc(slots, sizeof *inbox->vectors);
  inbox->addresses = calloc(slots, sizeof *inbox->addresses);
  inbox->datagrams = calloc(slots, sizeof *inbox->datagrams);
  if (inbox->bytes && inbox->control && inbox->messages && inbox->vectors && inbox->addresses &&
      inbox->datagrams)
    return inbox;
  tutti_inbox_free(inbox);
  return NULL;
}

void tutti_inbox_free(tutti_inbox *inbox) {
  free(inbox->bytes);
  free(inbox->control);
  free(inbox->messages);
  free(inbox->vectors);
  free(inbox->addresses);
  free(inbox->datagrams);
  free(inbox);
}

static void rearm(tutti_inbox *inbox, uint32_t i) {
  inbox->vectors[i].iov_base = inbox->bytes + (size_t)i * inbox->slot_bytes;
  inbox->vectors[i].iov_len = inbox->slot_bytes;
  struct msghdr *header = &inbox->messages[i].msg_hdr;
  memset(header, 0, sizeof *header);
  header->msg_name = &inbox->addresses[i];
  header->msg_namelen = sizeof inbox->addresses[i];
  header->msg_iov = &inbox->vectors[i];
  header->msg_iovlen = 1;
  header->msg_control = inbox->control + (size_t)i * control_bytes;
  header->msg_controllen = control_bytes;
}

static void read_control(tutti_inbox *inbox, struct msghdr *header, tutti_datagram *datagram) {
  datagram->realtime_ns = 0;
  for (struct cmsghdr *item = CMSG_FIRSTHDR(header); item; item = CMSG_NXTHDR(header, item)) {
    if (item->cmsg_level != SOL_SOCKET) continue;
    if (item->cmsg_type == SO_TIMESTAMPNS) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(item), sizeof stamp);
      datagram->realtime_ns = (int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec;
    } else if (item->cmsg_type == SO_RXQ_OVFL) {
      memcpy(&inbox->kernel_drops, CMSG_DATA(item), sizeof inbox->kernel_drops);
    }
  }
}

int tutti_inbox_receive(tutti_inbox *inbox, int fd) {
  for (uint32_t i = 0; i < inbox->slots; i++) rearm(inbox, i);
  int count;
  do count = recvmmsg(fd, inbox->messages, inbox->slots, MSG_DONTWAIT, NULL);
  while (count < 0 && errno == EINTR);
  if (count < 0) return errno == EWOULDBLOCK ? 0 : -errno;
  for (int i = 0; i < count; i++) {
    struct msghdr *header = &inbox->messages[i].msg_hdr;
    tutti_datagram *datagram = &inbox->datagrams[i];
    datagram->bytes = inbox->vectors[i].iov_base;
    datagram->length = inbox->messages[i].msg_len;
    datagram->truncated = (header->msg_flags & MSG_TRUNC) != 0;
    datagram->from = tutti_from_sockaddr(&inbox->addresses[i]);
    read_control(inbox, header, datagram);
  }
  return count;
}

const tutti_datagram *tutti_inbox_datagram(const tutti_inbox *inbox, uint32_t index) {
  return &inbox->datagrams[index];
}

uint32_t tutti_inbox_kernel_drops(const tutti_inbox *inbox) { return inbox->kernel_drops; }

/// What one packet needs beside its bytes; the control buffer is aligned for a cmsghdr.
typedef struct {
  struct sockaddr_storage address;
  struct iovec vector;
  union {
    struct cmsghdr align;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
} outgoing_parts;

static void mark_class(struct msghdr *header, outgoing_parts *parts, const tutti_outgoing *item) {
  int mapped = tutti_is_mapped(&item->to);
  int traffic_class = item->dscp << 2;
  header->msg_control = parts->control.bytes;
  header->msg_controllen = sizeof parts->control.bytes;
  struct cmsghdr *control = CMSG_FIRSTHDR(header);
  // A dual-stack socket sends mapped addresses through the IPv4 code: it reads IP_TOS.
  control->cmsg_level = mapped ? IPPROTO_IP : IPPROTO_IPV6;
  control->cmsg_type = mapped ? IP_TOS : IPV6_TCLASS;
  control->cmsg_len = CMSG_LEN(sizeof traffic_class);
  memcpy(CMSG_DATA(control), &traffic_class, sizeof traffic_class);
}

static int send_some(int fd, int is_ipv4, const uint8_t *bytes, const tutti_outgoing *items,
                     uint32_t count) {
  struct mmsghdr messages[send_chunk];
  outgoing_parts parts[send_chunk];
  memset(messages, 0, sizeof messages);
  for (uint32_t i = 0; i < count; i++) {
    struct msghdr *header = &messages[i].msg_hdr;
    parts[i].vector.iov_base = (void *)(bytes + items[i].offset);
    parts[i].vector.iov_len = items[i].length;
    header->msg_name = &parts[i].address;
    header->msg_namelen = tutti_to_sockaddr(&items[i].to, is_ipv4, &parts[i].address);
    if (header->msg_namelen == 0) {
      count = i;
      if (i == 0) return -EAFNOSUPPORT;
      break;
    }
    header->msg_iov = &parts[i].vector;
    header->msg_iovlen = 1;
    if (items[i].dscp != 0) mark_class(header, &parts[i], &items[i]);
  }
  int sent;
  do sent = sendmmsg(fd, messages, count, MSG_DONTWAIT);
  while (sent < 0 && errno == EINTR);
  return sent < 0 ? -errno : sent;
}

int tutti_send_batch(int fd, int is_ipv4, const uint8_t *bytes, const tutti_outgoing *items,
                     uint32_t count) {
  uint32_t done = 0;
  while (done < count) {
    uint32_t part = count - done < send_chunk ? count - done : send_chunk;
    int sent = send_some(fd, is_ipv4, bytes, items + done, part);
    if (sent <= 0) return done > 0 ? (int)done : sent;
    done += (uint32_t)sent;
  }
  return (int)done;
}
