// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "address.h"
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <unistd.h>

// 20 Mb/s bursts (design.md, fast start) for 200 ms of a late reader are 500 kB; the kernel
// counts about twice the payload. Fewer where net.core.rmem_max forbids: then what it gives.
enum { udp_buffer = 2 * 1024 * 1024, backlog = 64, dead_peer_milliseconds = 10000 };

static void set_int(int fd, int level, int option, int value) {
  // An option the kernel lacks costs precision or priority, never function: not an error.
  (void)setsockopt(fd, level, option, &value, sizeof value);
}

static void prepare_datagrams(int fd) {
  set_int(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
  set_int(fd, SOL_SOCKET, SO_RXQ_OVFL, 1);
  set_int(fd, SOL_SOCKET, SO_RCVBUF, udp_buffer);
  set_int(fd, SOL_SOCKET, SO_RCVBUFFORCE, udp_buffer);
  set_int(fd, SOL_SOCKET, SO_SNDBUF, udp_buffer);
}

static void prepare_stream(int fd) {
  set_int(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  set_int(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, dead_peer_milliseconds);
}

static int bind_family(const tutti_endpoint *local, int stream, int is_ipv4) {
  struct sockaddr_storage address;
  socklen_t length = tutti_to_sockaddr(local, is_ipv4, &address);
  if (length == 0) return -EAFNOSUPPORT;
  int type = (stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;
  int fd = socket(is_ipv4 ? AF_INET : AF_INET6, type, 0);
  if (fd < 0) return -errno;
  if (!is_ipv4) set_int(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
  if (stream) set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
  if (!stream) prepare_datagrams(fd);
  if (bind(fd, (struct sockaddr *)&address, length) < 0 || (stream && listen(fd, backlog) < 0)) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int tutti_socket_bind(const tutti_endpoint *local, int stream, int *is_ipv4) {
  *is_ipv4 = 0;
  int fd = bind_family(local, stream, 0);
  if (fd != -EAFNOSUPPORT && fd != -EADDRNOTAVAIL) return fd;
  int four = bind_family(local, stream, 1);
  *is_ipv4 = four >= 0;
  return four >= 0 ? four : fd;
}

int tutti_tcp_connect(const tutti_endpoint *remote) {
  int is_ipv4 = tutti_is_mapped(remote);
  struct sockaddr_storage address;
  socklen_t length = tutti_to_sockaddr(remote, is_ipv4, &address);
  int fd = socket(is_ipv4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  prepare_stream(fd);
  if (connect(fd, (struct sockaddr *)&address, length) < 0 && errno != EINPROGRESS) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int tutti_tcp_connect_result(int fd) {
  int code = 0;
  socklen_t length = sizeof code;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &length) < 0) return -errno;
  return -code;
}

int tutti_tcp_accept(int listener, tutti_endpoint *from) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  int fd = accept4(listener, (struct sockaddr *)&address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return -errno;
  prepare_stream(fd);
  *from = tutti_from_sockaddr(&address);
  return fd;
}

int tutti_socket_local(int fd, tutti_endpoint *local) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
  *local = tutti_from_sockaddr(&address);
  return 0;
}

int tutti_socket_remote(int fd, tutti_endpoint *remote) {
  struct sockaddr_storage address = {0};
  socklen_t length = sizeof address;
  if (getpeername(fd, (struct sockaddr *)&address, &length) < 0) return -errno;
  *remote = tutti_from_sockaddr(&address);
  return 0;
}

int tutti_stream_receive(int fd, uint8_t *bytes, uint32_t capacity) {
  ssize_t count;
  do count = recv(fd, bytes, capacity, MSG_DONTWAIT);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (int)count;
}

int tutti_stream_send(int fd, const uint8_t *bytes, uint32_t length) {
  ssize_t count;
  do count = send(fd, bytes, length, MSG_DONTWAIT | MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : (int)count;
}

void tutti_close(int fd) { close(fd); }
