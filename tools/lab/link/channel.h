// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// One direction of one link: what happens to each packet, decided from a seed.
#pragma once
#include "lateness.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the direction does; the words are those of the control command "set".
typedef struct {
  double delay_us;
  double jitter_us;   // uniform: from 0 to this; exponential: the mean, cut at ten times it
  bool exponential;
  double loss;        // share of packets, 0..1
  double burst;       // mean packets lost in a row (Gilbert-Elliott); 1: independent losses
  double reorder;     // share of packets that others may overtake
  double reorder_us;  // for they are held this much longer
  double duplicate;   // share of packets that come twice
  double rate_bps;    // bits a second; 0: no limit
  double stall_every_us;            // mean time between stalls, exponential; 0: none
  double stall_min_us, stall_max_us; // a stall holds everything this long, uniform
} path;

typedef struct {
  uint64_t taken, sent, lost, blocked, duplicated, reordered, stalled, stalls;
} channel_counts;

typedef struct {
  path path;
  uint64_t fates, stall_draws; // states of two random sequences: packets do not move the stalls
  bool down;
  bool tcp_down;         // TCP alone is dropped, without a word: a half-open connection
  bool bad;             // Gilbert-Elliott: in the losing state
  int64_t last_due_ns;  // packets leave in the order they came, unless picked to be overtaken
  int64_t line_free_ns; // when the rate limit lets the next packet start
  int64_t stall_from_ns, stall_to_ns;
  int64_t hold_to_ns; // stalled by command until then
  channel_counts counts;
  lateness lateness;
} channel;

typedef struct {
  int copies; // 0: lost
  int64_t due_ns;
} fate;

void channel_start(channel *c, uint64_t seed);

// Decides over a packet that came in at `arrival_ns`. Each packet takes the same number of random
// values whatever becomes of it: the fate of packet n depends on seed, settings and n alone.
fate channel_decide(channel *c, int64_t arrival_ns, size_t bytes);

// When a packet due at `due_ns` may leave: later than that inside a stall. Ask in order of time.
int64_t channel_free_at(channel *c, int64_t due_ns);
