// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// The emulator's end of a node's cable: a packet socket on one side of a veth pair.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { wire_head = 10 }; // bytes of the virtio_net_hdr before each frame
enum { frame_room = 70000 }; // a virtio_net_hdr and the largest unsegmented TCP frame

// Opens the interface for IPv4 frames. -1 with errno set on failure.
int wire_open(const char *interface);

// One frame, headed by its virtio_net_hdr (checksum not yet filled in, perhaps segments to come:
// handed on as it is). Returns its length, 0 when there is none. `arrival_ns` is the kernel's stamp
// of the moment the sender put it on the cable, on CLOCK_MONOTONIC: how long the emulator took to
// wake up is not in it.
size_t wire_receive(int fd, uint8_t *frame, int64_t *arrival_ns);

// The frame's IPv4 destination; 0 when it has none.
uint32_t wire_destination(const uint8_t *frame, size_t length);

// Whether the address is of a group: such a frame goes to all other nodes.
bool wire_is_multicast(uint32_t address);

// Whether the frame carries TCP.
bool wire_is_tcp(const uint8_t *frame, size_t length);

// Sends it to the node with that address, whose MAC is 02:00 and the address.
void wire_send(int fd, uint32_t address, uint8_t *frame, size_t length);

// Frames the kernel dropped because the emulator was too slow, since the last question.
uint32_t wire_drops(int fd);

int64_t monotonic_ns(void);
