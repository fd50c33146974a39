// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#include "channel.h"
#include <math.h>
#include <string.h>

// SplitMix64 (Steele, Lea, Flood 2014): one word of state, passes BigCrush.
static uint64_t next_word(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

// Uniform in [0, 1).
static double draw(uint64_t *state) { return (double)(next_word(state) >> 11) * 0x1p-53; }

static double exponential(double mean, double uniform) { return -mean * log1p(-uniform); }

void channel_start(channel *c, uint64_t seed) {
  memset(c, 0, sizeof *c);
  c->path.burst = 1;
  c->fates = seed;
  c->stall_draws = next_word(&seed);
}

// Gilbert-Elliott with a losing state that loses all: it is left with 1/burst, and entered so that
// the share of time in it is `loss`.
static bool is_lost(channel *c, double uniform) {
  const path *p = &c->path;
  if (p->burst <= 1) return uniform < p->loss;
  double leave = 1 / p->burst;
  double enter = p->loss >= 1 ? 1 : leave * p->loss / (1 - p->loss);
  c->bad = c->bad ? uniform >= leave : uniform < enter;
  return c->bad;
}

static double jitter_us(const path *p, double uniform) {
  if (!p->exponential) return p->jitter_us * uniform;
  return fmin(exponential(p->jitter_us, uniform), 10 * p->jitter_us);
}

fate channel_decide(channel *c, int64_t arrival_ns, size_t bytes) {
  const path *p = &c->path;
  double loss = draw(&c->fates), jitter = draw(&c->fates);
  double reorder = draw(&c->fates), duplicate = draw(&c->fates);
  fate fate = {1, arrival_ns};
  c->counts.taken++;
  bool lost = is_lost(c, loss);
  if (c->down || lost) {
    if (c->down) c->counts.blocked++;
    else c->counts.lost++;
    fate.copies = 0;
    return fate;
  }
  if (p->rate_bps > 0) {
    int64_t start = c->line_free_ns > arrival_ns ? c->line_free_ns : arrival_ns;
    c->line_free_ns = start + (int64_t)((double)bytes * 8e9 / p->rate_bps);
    fate.due_ns = c->line_free_ns;
  }
  fate.due_ns += (int64_t)((p->delay_us + jitter_us(p, jitter)) * 1e3);
  if (fate.due_ns < c->last_due_ns) fate.due_ns = c->last_due_ns;
  if (reorder < p->reorder) {
    c->counts.reordered++;
    fate.due_ns += (int64_t)(p->reorder_us * 1e3);
  } else {
    c->last_due_ns = fate.due_ns;
  }
  if (duplicate < p->duplicate) {
    c->counts.duplicated++;
    fate.copies = 2;
  }
  return fate;
}

int64_t channel_free_at(channel *c, int64_t due_ns) {
  const path *p = &c->path;
  if (due_ns < c->hold_to_ns) return c->hold_to_ns;
  if (p->stall_every_us <= 0) return due_ns;
  if (c->stall_to_ns == 0) c->stall_to_ns = due_ns; // the first packet starts the sequence
  while (c->stall_to_ns <= due_ns) {
    double wait = exponential(p->stall_every_us, draw(&c->stall_draws));
    double length = p->stall_min_us + (p->stall_max_us - p->stall_min_us) * draw(&c->stall_draws);
    c->stall_from_ns = c->stall_to_ns + (int64_t)(wait * 1e3);
    c->stall_to_ns = c->stall_from_ns + (int64_t)(fmax(length, 1) * 1e3);
    c->counts.stalls++;
  }
  return due_ns >= c->stall_from_ns ? c->stall_to_ns : due_ns;
}
