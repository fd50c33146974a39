// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "wire.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <linux/virtio_net.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { head = wire_head, receive_buffer = 8 << 20 };
_Static_assert(wire_head == sizeof(struct virtio_net_hdr), "the head is the kernel's");

static int64_t read_clock(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t monotonic_ns(void) { return read_clock(CLOCK_MONOTONIC); }

int wire_open(const char *interface) {
  int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  int yes = 1, room = receive_buffer;
  struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP)};
  address.sll_ifindex = (int)if_nametoindex(interface);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  if (address.sll_ifindex == 0 ||
      setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &yes, sizeof yes) < 0 ||
      setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &yes, sizeof yes) < 0 ||
      bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int why = errno;
    close(fd);
    errno = why;
    return -1;
  }
  return fd;
}

// The stamp is on CLOCK_REALTIME; one that is in the future or old (the clock was set) is no use.
static int64_t moved_to_monotonic(int64_t realtime) {
  int64_t now = monotonic_ns();
  int64_t age = read_clock(CLOCK_REALTIME) - realtime;
  return age >= 0 && age < 1000000000 ? now - age : now;
}

size_t wire_receive(int fd, uint8_t *frame, int64_t *arrival_ns) {
  union {
    struct cmsghdr align;
    char bytes[128];
  } control;
  struct iovec vector = {frame, frame_room};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  ssize_t length = recvmsg(fd, &message, MSG_DONTWAIT);
  if (length <= head) return 0;
  *arrival_ns = monotonic_ns();
  for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
    if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SO_TIMESTAMPNS) continue;
    struct timespec stamp;
    memcpy(&stamp, CMSG_DATA(c), sizeof stamp);
    *arrival_ns = moved_to_monotonic((int64_t)stamp.tv_sec * 1000000000 + stamp.tv_nsec);
  }
  return (size_t)length;
}

// Copies the IPv4 header; false when there is none.
static bool read_ip(const uint8_t *frame, size_t length, struct iphdr *ip) {
  if (length < head + ETH_HLEN + sizeof *ip) return false;
  memcpy(ip, frame + head + ETH_HLEN, sizeof *ip);
  return ip->version == 4;
}

uint32_t wire_destination(const uint8_t *frame, size_t length) {
  struct iphdr ip;
  return read_ip(frame, length, &ip) ? ip.daddr : 0;
}

bool wire_is_multicast(uint32_t address) { return IN_MULTICAST(ntohl(address)); }

bool wire_is_tcp(const uint8_t *frame, size_t length) {
  struct iphdr ip;
  return read_ip(frame, length, &ip) && ip.protocol == IPPROTO_TCP;
}

void wire_send(int fd, uint32_t address, uint8_t *frame, size_t length) {
  uint8_t *mac = frame + head;
  mac[0] = 2;
  mac[1] = 0;
  memcpy(mac + 2, &address, sizeof address);
  // A full queue means the receiver has lost it, as on any cable.
  ssize_t sent = send(fd, frame, length, MSG_DONTWAIT);
  (void)sent;
}

uint32_t wire_drops(int fd) {
  struct tpacket_stats stats = {0, 0};
  socklen_t length = sizeof stats;
  getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &length);
  return stats.tp_drops;
}
