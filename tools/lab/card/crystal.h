// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// How many frames a card's crystal has played by a moment of true time.
#pragma once
#include "true_time.h"

struct crystal {
  double nominal;        // frames per second
  double ppm;            // constant error
  double wander_ppm;     // and a triangle around it: ramps up and down,
  double wander_period;  // in so many seconds; in phase for all runs, as temperature would be
  int64_t anchor_ns;     // 0: not running. Until this moment the crystal stands still,
  double anchor_frames;  // having played these
};

// Integral of a triangle wave of height 1 over the first `phase` of its period: 0 up to 1/8.
static double triangle_area(double phase) {
  if (phase < 0.25) return 2 * phase * phase;
  if (phase < 0.75) return 0.125 + (phase - 0.25) - 2 * (phase - 0.25) * (phase - 0.25);
  return 0.125 - (phase - 0.75) + 2 * (phase - 0.75) * (phase - 0.75);
}

static double triangle(double phase) {
  if (phase < 0.25) return 4 * phase;
  return phase < 0.75 ? 2 - 4 * phase : 4 * phase - 4;
}

static double wander_phase(const struct crystal *crystal, int64_t ns) {
  double turns = (double)ns / 1e9 / crystal->wander_period;
  return turns - (double)(int64_t)turns;
}

// Frames per second at a moment.
static double crystal_rate(const struct crystal *crystal, int64_t ns) {
  double wander = crystal->wander_ppm ? triangle(wander_phase(crystal, ns)) : 0;
  return crystal->nominal * (1 + (crystal->ppm + crystal->wander_ppm * wander) * 1e-6);
}

// Frames whose time has come, as a real number.
static double crystal_frames(const struct crystal *crystal, int64_t ns) {
  if (crystal->anchor_ns == 0 || ns <= crystal->anchor_ns) return crystal->anchor_frames;
  double seconds = (double)(ns - crystal->anchor_ns) / 1e9 * (1 + crystal->ppm * 1e-6);
  if (crystal->wander_ppm) {
    double from = triangle_area(wander_phase(crystal, crystal->anchor_ns));
    double to = triangle_area(wander_phase(crystal, ns));
    seconds += crystal->wander_ppm * 1e-6 * crystal->wander_period * (to - from);
  }
  return crystal->anchor_frames + seconds * crystal->nominal;
}
