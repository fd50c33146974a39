// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// The emulator's own error: how much later than due each packet left.
#pragma once
#include <stdint.h>

// Half-microsecond bins up to 10 ms; the largest is kept exactly.
enum { lateness_bins = 20000, lateness_bin_ns = 500 };

typedef struct {
  uint32_t bins[lateness_bins + 1];
  uint64_t count;
  int64_t max_ns;
} lateness;

static inline void lateness_note(lateness *l, int64_t late_ns) {
  int64_t bin = late_ns < 0 ? 0 : late_ns / lateness_bin_ns;
  l->bins[bin < lateness_bins ? bin : lateness_bins]++;
  l->count++;
  if (late_ns > l->max_ns) l->max_ns = late_ns;
}

// The upper edge of the bin that holds the quantile; the largest value beyond the last bin.
static inline double lateness_us(const lateness *l, double quantile) {
  uint64_t wanted = (uint64_t)((double)l->count * quantile), seen = 0;
  for (int i = 0; i < lateness_bins; i++) {
    seen += l->bins[i];
    if (seen > wanted) return (i + 1) * (lateness_bin_ns / 1e3);
  }
  return (double)l->max_ns / 1e3;
}
