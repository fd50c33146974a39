// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// The star: node 0 is the hub (the coordinator), every other node has a link to it of two channels.
// A packet between two others passes both links.
#pragma once
#include "channel.h"
#include <stdio.h>

enum { max_nodes = 24 };
enum { to_node = 0, from_node = 1 };

typedef struct {
  char name[32];
  uint32_t address; // network byte order
  int wire;
  channel channels[2]; // unused at the hub
} node;

typedef struct {
  node nodes[max_nodes];
  int count;
  uint64_t unrouted; // packets to an address nobody has
  uint64_t kernel_drops;
} network;

// Takes every packet that waits on the node's wire.
void network_take(network *n, int from);

// Sends everything due; returns when the next is due, or -1.
int64_t network_release(network *n);

// Counts and lateness of every channel, as JSON on one line.
void network_report(network *n, FILE *out);

// Forgets counts and lateness.
void network_reset(network *n);
