// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Packets on their way, the earliest due first; of two due together, the one that came first.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int64_t due_ns;
  uint64_t order;
  int channel;     // which one it is passing
  int destination; // node
  size_t length;
  uint8_t bytes[]; // virtio_net_hdr, then the Ethernet frame
} packet;

packet *packet_copy(const packet *p);
packet *packet_create(const uint8_t *bytes, size_t length);

// Takes the packet over; drops it when memory is out.
void queue_push(packet *p);
// Puts a packet back without giving up its place among those due together.
void queue_push_again(packet *p);
packet *queue_first(void);
packet *queue_pop(void);
