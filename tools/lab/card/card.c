// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// A virtual sound card: an ALSA ioplug whose crystal, pointer, faults and log are ours.
//
// When a frame is heard is laid down by the crystal (crystal.h), by definition: the card keeps no
// real buffer of its own, only that line. What was written goes to LOG.raw in writing order; the
// times go to LOG.txt, on the true CLOCK_MONOTONIC_RAW of the initial time namespace, whatever the
// player's host believes:
//
//   format FLOAT_LE|S16_LE... channels C rate R ppm P granularity G
//   start  RAW_NS FILE_FRAME RATE_EFFECTIVE   frame FILE_FRAME of LOG.raw is heard at RAW_NS
//   at     RAW_NS FILE_FRAME RATE_EFFECTIVE   the line bends (wander, stall); FILE_FRAME is real
//   late   FILE_FRAME COUNT                   written after their time: nobody heard these
//   stop   RAW_NS FILE_FRAME_END              frames from here on were dropped unheard
//   event  RAW_NS NAME [DETAIL]               a fault that was asked for (control.h)
//
// Configuration (asoundrc):
//   pcm_type.tutticard { lib "DIR/libasound_module_pcm_tutticard.so" }
//   pcm.kitchen { type tutticard  log "DIR/kitchen"  ppm 40  granularity 1 }
//
// ppm: the crystal's error. wander, wander_period: a slow triangle around it, ppm and s (300).
// granularity: frames by which the pointer moves (real cards: 1 frame to 10 ms). granularity_phase:
// "locked" (default) moves at multiples of it, as a card that interrupts; "free" at moments of
// another clock (20 ppm fast), as USB frames do. "rate N" allows only that rate, "format S24_3LE"
// only that format (default: any), "channels N" only so many channels (2).

#define _GNU_SOURCE
#include "run.h"
#include <stdlib.h>
#include <sys/timerfd.h>

static int card_start(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  if (attend(card) < 0) return -ENODEV;
  card->started_ns = raw_ns();
  card->next_point_ns = card->started_ns + point_ns;
  card->crystal.anchor_ns = card->started_ns;
  card->crystal.anchor_frames = 0;
  double rate = crystal_rate(&card->crystal, card->started_ns);
  fprintf(card->text, "start %" PRId64 " %" PRIu64 " %.9f\n", card->started_ns,
          card->run_file_frame, rate);
  fflush(card->text);
  if (card->control->lie_ns && card->control->lie_for_ns)
    note_event(card, "lie", (double)card->control->lie_ns / 1e6);
  struct itimerspec tick = {{0, 0}, {0, 0}};
  tick.it_interval.tv_nsec = (long)((double)io->period_size / rate * 1e9);
  tick.it_value = tick.it_interval;
  timerfd_settime(io->poll_fd, 0, &tick, NULL);
  return 0;
}

static int card_stop(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  end_run(card);
  struct itimerspec off = {{0, 0}, {0, 0}};
  timerfd_settime(io->poll_fd, 0, &off, NULL);
  return 0;
}

static int card_prepare(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  end_run(card);
  if (attend(card) < 0) return -ENODEV;
  card->broken = 0;
  card->written = 0;
  card->last_pointer = 0;
  card->run_file_frame = card->file_frames;
  return 0;
}

// With BOUNDARY_WA the pointer runs to the boundary, not to the buffer size, so a reader that slept
// through a whole buffer still sees how far the card went.
static snd_pcm_sframes_t card_pointer(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  // A negative answer would turn "disconnected" into "xrun": the pointer stays where it was.
  if (attend(card) < 0) return (snd_pcm_sframes_t)card->last_pointer;
  if (card->broken) return -EPIPE;
  uint64_t frames = pointer_frames(card);
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  snd_pcm_sw_params_current(io->pcm, software);
  snd_pcm_uframes_t limit = 0, stop = 0;
  snd_pcm_sw_params_get_boundary(software, &limit);
  snd_pcm_sw_params_get_stop_threshold(software, &stop);
  uint64_t boundary = limit ? limit : io->buffer_size;
  if (stop < boundary && frames > card->written) return -EPIPE;
  card->last_pointer = frames % boundary;
  return (snd_pcm_sframes_t)card->last_pointer;
}

static int card_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *delay) {
  struct card *card = io->private_data;
  if (attend(card) < 0) return -ENODEV;
  // As real cards do: players tell by it that they have to prepare anew.
  if (card->broken || io->state == SND_PCM_STATE_XRUN) return -EPIPE;
  *delay = (snd_pcm_sframes_t)card->written - (snd_pcm_sframes_t)pointer_frames(card);
  int64_t lie_ns = card->control->lie_ns;
  if (lie_ns && card->started_ns && raw_ns() - card->started_ns < card->control->lie_for_ns)
    *delay += (snd_pcm_sframes_t)((double)lie_ns / 1e9 * card->crystal.nominal);
  return 0;
}

static snd_pcm_sframes_t card_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                       snd_pcm_uframes_t offset, snd_pcm_uframes_t size) {
  struct card *card = io->private_data;
  if (attend(card) < 0) return -ENODEV;
  if (card->broken) return -EPIPE;
  const char *from = (const char *)areas->addr + areas->first / 8 + areas->step / 8 * offset;
  uint64_t now = heard(card, raw_ns());
  if (now > card->written) {
    uint64_t late = now - card->written;
    if (late > size) late = size;
    fprintf(card->text, "late %" PRIu64 " %" PRIu64 "\n", card->file_frames, late);
    fflush(card->text);
  }
  if (fwrite(from, card->frame_bytes, size, card->raw) != size) return -EIO;
  card->written += size;
  card->file_frames += size;
  return (snd_pcm_sframes_t)size;
}

static int card_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  (void)params;
  struct card *card = io->private_data;
  card->frame_bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8 * io->channels;
  // A restarted player appends: frames are counted from where the file ends.
  fseek(card->raw, 0, SEEK_END);
  card->file_frames = (uint64_t)ftell(card->raw) / card->frame_bytes;
  card->crystal.nominal = io->rate;
  fprintf(card->text, "format %s channels %u rate %u ppm %g granularity %ld\n",
          snd_pcm_format_name(io->format), io->channels, io->rate, card->crystal.ppm,
          card->granularity);
  fflush(card->text);
  return 0;
}

static int card_poll_revents(snd_pcm_ioplug_t *io, struct pollfd *fds, unsigned int count,
                             unsigned short *revents) {
  (void)count;
  uint64_t ticks;
  if (fds[0].revents & POLLIN) {
    ssize_t got = read(io->poll_fd, &ticks, sizeof ticks);
    (void)got;
  }
  *revents = fds[0].revents & POLLIN ? POLLOUT : 0;
  return 0;
}

static void discard(struct card *card) {
  if (card->raw) fclose(card->raw);
  if (card->text) fclose(card->text);
  unmap_control(card->control);
  free(card);
}

static int card_close(snd_pcm_ioplug_t *io) {
  struct card *card = io->private_data;
  card_stop(io);
  close(io->poll_fd);
  discard(card);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = card_start,
    .stop = card_stop,
    .pointer = card_pointer,
    .transfer = card_transfer,
    .close = card_close,
    .hw_params = card_hw_params,
    .prepare = card_prepare,
    .poll_revents = card_poll_revents,
    .delay = card_delay,
};

static FILE *open_log(const char *stem, const char *suffix) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", stem, suffix);
  return fopen(path, "ab");
}

static int constrain(struct card *card) {
  static const unsigned int access[] = {SND_PCM_ACCESS_RW_INTERLEAVED};
  static const unsigned int formats[] = {SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE,
                                         SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S24_3LE,
                                         SND_PCM_FORMAT_S16_LE};
  unsigned int one = (unsigned int)card->format;
  snd_pcm_ioplug_t *io = &card->io;
  int err = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 1, access);
  if (err >= 0) err = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_FORMAT,
                                                card->format < 0 ? 5 : 1,
                                                card->format < 0 ? formats : &one);
  if (err >= 0) err = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_CHANNELS,
                                                  (unsigned int)card->channels,
                                                  (unsigned int)card->channels);
  unsigned int low = card->rate ? (unsigned int)card->rate : 8000;
  unsigned int high = card->rate ? (unsigned int)card->rate : 192000;
  if (err >= 0) err = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, low, high);
  if (err >= 0)
    err = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, 256, 1 << 18);
  if (err >= 0) err = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 1024);
  return err;
}

// Reads the card's own entries of the configuration; returns LOG.
static const char *configure(struct card *card, snd_config_t *conf) {
  const char *log = "card", *phase = "locked", *format;
  card->format = SND_PCM_FORMAT_UNKNOWN;
  card->granularity = 1;
  card->channels = 2;
  card->crystal.wander_period = 300;
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *id;
    double real;
    if (snd_config_get_id(entry, &id) < 0) continue;
    if (!strcmp(id, "log")) snd_config_get_string(entry, &log);
    if (!strcmp(id, "format") && snd_config_get_string(entry, &format) >= 0)
      card->format = snd_pcm_format_value(format);
    if (!strcmp(id, "granularity_phase")) snd_config_get_string(entry, &phase);
    if (!strcmp(id, "granularity")) snd_config_get_integer(entry, &card->granularity);
    if (!strcmp(id, "rate")) snd_config_get_integer(entry, &card->rate);
    if (!strcmp(id, "channels")) snd_config_get_integer(entry, &card->channels);
    if (snd_config_get_ireal(entry, &real) < 0) continue;
    if (!strcmp(id, "ppm")) card->crystal.ppm = real;
    if (!strcmp(id, "wander")) card->crystal.wander_ppm = real;
    if (!strcmp(id, "wander_period") && real > 0) card->crystal.wander_period = real;
  }
  if (card->granularity < 1) card->granularity = 1;
  card->free_phase = !strcmp(phase, "free");
  return log;
}

// What the lab asked for before this card was opened is not for it; a missing or busy device is.
static int open_control(struct card *card, const char *log) {
  char path[4096];
  snprintf(path, sizeof path, "%s.control", log);
  card->control = map_control(path);
  card->stalls_seen = card->control->stall_serial;
  card->xruns_seen = card->control->xrun_serial;
  if (card->control->unplugged) return -ENODEV;
  return card->control->busy ? -EBUSY : 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(tutticard) {
  (void)root;
  read_namespace();
  struct card *card = calloc(1, sizeof *card);
  if (!card) return -ENOMEM;
  const char *log = configure(card, conf);
  int err = open_control(card, log);
  if (err == 0) {
    card->raw = open_log(log, ".raw");
    card->text = open_log(log, ".txt");
    if (!card->raw || !card->text) {
      err = -errno;
      SNDERR("tutticard: cannot write %s.raw and %s.txt", log, log);
    }
  }
  if (err < 0) {
    discard(card);
    return err;
  }
  card->io.version = SND_PCM_IOPLUG_VERSION;
  card->io.name = "Tutti virtual card";
  card->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA | SND_PCM_IOPLUG_FLAG_MONOTONIC;
  card->io.callback = &callbacks;
  card->io.private_data = card;
  card->io.poll_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  card->io.poll_events = POLLIN;
  card->io.mmap_rw = 0;
  err = snd_pcm_ioplug_create(&card->io, name, stream, mode);
  if (err >= 0) err = constrain(card);
  if (err < 0) {
    snd_pcm_ioplug_delete(&card->io);
    return err;
  }
  *pcmp = card->io.pcm;
  return 0;
}

SND_PCM_PLUGIN_SYMBOL(tutticard);
