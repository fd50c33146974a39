// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// One run of a card, from start to stop: what has been heard, its log, and what the lab does to it.
#pragma once
#include "control.h"
#include "crystal.h"
#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>

enum { point_ns = 250000000 };  // between logged points of a wandering line: 5 ns off at most

struct card {
  snd_pcm_ioplug_t io;
  FILE *raw;
  FILE *text;
  struct crystal crystal;
  struct control *control;
  long granularity;
  int free_phase;
  long rate, channels;
  snd_pcm_format_t format;  // SND_PCM_FORMAT_UNKNOWN: any
  int64_t started_ns;      // 0: not running
  int64_t next_point_ns;
  int64_t stalls_seen, xruns_seen;
  int broken;              // an xrun or unplugging not yet answered by prepare
  uint64_t written;        // frames written since prepare
  uint64_t file_frames;    // frames in LOG.raw
  uint64_t run_file_frame; // file frame of frame 0 since prepare
  uint64_t last_pointer;   // as told to alsa-lib
  size_t frame_bytes;
};

static void note_event(struct card *card, const char *what, double detail) {
  fprintf(card->text, "event %" PRId64 " %s %g\n", raw_ns(), what, detail);
  fflush(card->text);
}

static void note_point(struct card *card, int64_t ns, double rate) {
  double frame = (double)card->run_file_frame + crystal_frames(&card->crystal, ns);
  fprintf(card->text, "at %" PRId64 " %.6f %.9f\n", ns, frame, rate);
  fflush(card->text);
}

// Frames whose time has come since the start, whether or not they had been written.
static uint64_t heard(const struct card *card, int64_t ns) {
  if (card->started_ns == 0) return 0;
  double frames = crystal_frames(&card->crystal, ns);
  return frames > 0 ? (uint64_t)frames : 0;
}

// The pointer as the driver would show it: it moves by whole granules.
static uint64_t pointer_frames(const struct card *card) {
  int64_t now = raw_ns();
  if (!card->free_phase) {
    uint64_t frames = heard(card, now);
    return frames - frames % (uint64_t)card->granularity;
  }
  int64_t granule_ns = (int64_t)((double)card->granularity / card->crystal.nominal * 1e9 / 1.00002);
  return heard(card, now - now % granule_ns);
}

// Ends the run by itself, or as the player asks: what had not been heard never will be.
static void end_run(struct card *card) {
  if (card->started_ns != 0) {
    int64_t now = raw_ns();
    uint64_t played = heard(card, now);
    if (played > card->written) played = card->written;
    fprintf(card->text, "stop %" PRId64 " %" PRIu64 "\n", now, card->run_file_frame + played);
    fflush(card->text);
    fflush(card->raw);
  }
  card->started_ns = 0;
}

static void stall(struct card *card, int64_t length_ns) {
  int64_t now = raw_ns();
  note_event(card, "stall", (double)length_ns / 1e6);
  card->crystal.anchor_frames = crystal_frames(&card->crystal, now);
  int64_t from = now > card->crystal.anchor_ns ? now : card->crystal.anchor_ns;
  card->crystal.anchor_ns = from + length_ns;
  note_point(card, from, 0);
  note_point(card, card->crystal.anchor_ns, crystal_rate(&card->crystal, card->crystal.anchor_ns));
}

// Does what the lab asked for since the last call, and draws the line on. Negative: no card.
static int attend(struct card *card) {
  struct control *control = card->control;
  if (control->unplugged) {
    if (card->started_ns != 0) note_event(card, "unplug", 0);
    end_run(card);
    card->broken = 1;
    snd_pcm_ioplug_set_state(&card->io, SND_PCM_STATE_DISCONNECTED);
    return -ENODEV;
  }
  int64_t serial = control->xrun_serial;
  if (serial != card->xruns_seen && card->started_ns != 0) {
    note_event(card, "xrun", 0);
    end_run(card);
    card->broken = 1;
  }
  card->xruns_seen = serial;
  serial = control->stall_serial;
  if (serial != card->stalls_seen && card->started_ns != 0) stall(card, control->stall_ns);
  card->stalls_seen = serial;
  if (card->crystal.wander_ppm == 0 || card->started_ns == 0) return 0;
  for (; card->next_point_ns <= raw_ns(); card->next_point_ns += point_ns)
    if (card->next_point_ns > card->crystal.anchor_ns)
      note_point(card, card->next_point_ns, crystal_rate(&card->crystal, card->next_point_ns));
  return 0;
}
