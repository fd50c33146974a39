// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include <stdint.h>

/// An IP address and port. IPv4 is held as IPv6 `::ffff:a.b.c.d`, so one form serves both.
typedef struct {
  uint64_t high;  ///< First eight octets, as a number.
  uint64_t low;   ///< Last eight octets, as a number.
  uint32_t scope; ///< Interface index of a link-local IPv6 address, else 0.
  uint16_t port;
} tutti_endpoint;

/// One received datagram. The bytes live in the inbox until its next receive.
typedef struct {
  const uint8_t *bytes;
  uint32_t length;
  uint32_t truncated;  ///< Not 0: the datagram was longer than a slot.
  int64_t realtime_ns; ///< The kernel's receive stamp, CLOCK_REALTIME; 0 when there is none.
  tutti_endpoint from;
} tutti_datagram;

/// One datagram to send. `dscp` is the six-bit code point, 0 for best effort.
typedef struct {
  uint32_t offset; ///< Into the batch's bytes.
  uint32_t length;
  tutti_endpoint to;
  uint8_t dscp;
} tutti_outgoing;

typedef struct tutti_inbox tutti_inbox;

/// Opens a nonblocking socket on `local`: dual-stack IPv6, or IPv4 when the host has no IPv6
/// (then `*is_ipv4` is 1). `stream` 0: UDP with receive stamps and big buffers; 1: listening TCP.
int tutti_socket_bind(const tutti_endpoint *local, int stream, int *is_ipv4);
/// Starts a nonblocking TCP connection; the socket turns writable when it is decided.
int tutti_tcp_connect(const tutti_endpoint *remote);
/// How a connection attempt ended: 0 or minus errno.
int tutti_tcp_connect_result(int fd);
/// Accepts one connection, nonblocking, with Nagle off; -EAGAIN when there is none.
int tutti_tcp_accept(int listener, tutti_endpoint *from);
int tutti_socket_local(int fd, tutti_endpoint *local);
int tutti_socket_remote(int fd, tutti_endpoint *remote);
/// Octets received or sent, or minus errno; receive returns 0 at the end of the stream.
int tutti_stream_receive(int fd, uint8_t *bytes, uint32_t capacity);
int tutti_stream_send(int fd, const uint8_t *bytes, uint32_t length);
void tutti_close(int fd);

tutti_inbox *tutti_inbox_create(uint32_t slots, uint32_t slot_bytes);
void tutti_inbox_free(tutti_inbox *inbox);
/// Takes what is waiting, at most one per slot, without blocking; count or minus errno.
int tutti_inbox_receive(tutti_inbox *inbox, int fd);
const tutti_datagram *tutti_inbox_datagram(const tutti_inbox *inbox, uint32_t index);
/// Datagrams the kernel dropped on this socket because the reader was too slow.
uint32_t tutti_inbox_kernel_drops(const tutti_inbox *inbox);

/// Sends the datagrams in order; returns how many went, or minus errno when the first did not.
int tutti_send_batch(int fd, int is_ipv4, const uint8_t *bytes, const tutti_outgoing *items,
                     uint32_t count);

/// Lets the kernel put the transmit stamps that `tutti_send_stamped` asks for on the error queue,
/// which polls as an error until it is emptied. 0 or minus errno.
int tutti_allow_transmit_stamps(int fd);
/// Sends one datagram and asks when it leaves; 1 or minus errno.
int tutti_send_stamped(int fd, int is_ipv4, const uint8_t *bytes, const tutti_outgoing *item);
/// Takes one entry off the error queue: the datagram's last eight octets and its CLOCK_REALTIME, 0
/// when it was something else. 1, 0 when there is none, or minus errno.
int tutti_take_transmit_stamp(int fd, uint8_t tail[8], int64_t *realtime_ns);

/// Resolves a host name or literal; count of addresses or minus a getaddrinfo code. `numeric`
/// not 0: literals only, never asks the network.
int tutti_resolve(const char *host, uint16_t port, int numeric, tutti_endpoint *found,
                  uint32_t capacity);
/// The words for a code that `tutti_resolve` returned.
const char *tutti_resolve_error_text(int code);
/// Writes the address without its port, such as `192.168.1.7` or `fe80::1%eth0`.
void tutti_format_address(const tutti_endpoint *address, char text[64]);
