// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Run by 'selftest': plays a ramp on a PCM for some seconds, as a player of ours would (opened
// once, started on a prefill, polled every 10 ms), and prints what the card tells it.
//
//   check PCM SECONDS
//   "at TRUE_NS delay FRAMES heard FRAMES"   heard: written less delay
//   "at TRUE_NS open|write|status|prepare|start ERROR"
#define _GNU_SOURCE
#include "true_time.h"
#include <alsa/asoundlib.h>
#include <stdlib.h>

enum { rate = 48000, block = 480, ahead = 4800 };

static snd_pcm_t *pcm;
static int64_t written;
static float sound[block * 2];

static int failed(const char *what, int code) {
  if (code < 0) printf("at %" PRId64 " %s %d\n", raw_ns(), what, code);
  return code < 0;
}

static int write_until_ahead(int64_t delay) {
  for (; delay < ahead; delay += block) {
    for (int i = 0; i < block; i++)
      sound[2 * i] = sound[2 * i + 1] = (float)((written + i) % 32768) / 65536;
    if (failed("write", (int)snd_pcm_writei(pcm, sound, block))) return -1;
    written += block;
  }
  return 0;
}

static int begin(void) {
  written = 0;
  if (failed("prepare", snd_pcm_prepare(pcm)) || write_until_ahead(0) < 0) return -1;
  return failed("start", snd_pcm_start(pcm)) ? -1 : 0;
}

static int open_pcm(const char *name) {
  int code = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK);
  if (failed("open", code)) return -1;
  code = snd_pcm_set_params(pcm, SND_PCM_FORMAT_FLOAT, SND_PCM_ACCESS_RW_INTERLEAVED, 2, rate, 0,
                            200000);
  if (failed("setup", code)) return -1;
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  snd_pcm_sw_params_current(pcm, software);
  snd_pcm_uframes_t boundary;
  snd_pcm_sw_params_get_boundary(software, &boundary);
  snd_pcm_sw_params_set_start_threshold(pcm, software, boundary);
  snd_pcm_sw_params_set_stop_threshold(pcm, software, boundary);
  return failed("setup", snd_pcm_sw_params(pcm, software)) ? -1 : begin();
}

static void close_pcm(void) {
  if (pcm) snd_pcm_close(pcm);
  pcm = NULL;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  read_namespace();
  setvbuf(stdout, NULL, _IOLBF, 0);
  int64_t end = raw_ns() + (int64_t)(atof(arguments[2]) * 1e9);
  for (; raw_ns() < end; usleep(10000)) {
    if (!pcm && open_pcm(arguments[1]) < 0) {
      close_pcm();
      continue;
    }
    snd_pcm_status_t *status;
    snd_pcm_status_alloca(&status);
    int code = snd_pcm_status(pcm, status);
    snd_pcm_state_t state = snd_pcm_status_get_state(status);
    if (code == 0 && state == SND_PCM_STATE_DISCONNECTED) code = -ENODEV;
    if (code == 0 && state == SND_PCM_STATE_XRUN) code = -EPIPE;
    if (failed("status", code)) {
      if (code == -EPIPE) begin();
      else close_pcm();
      continue;
    }
    int64_t delay = snd_pcm_status_get_delay(status);
    int64_t heard = written - delay;
    printf("at %" PRId64 " delay %" PRId64 " heard %" PRId64 "\n", raw_ns(), delay, heard);
    if (write_until_ahead(delay) < 0) close_pcm();
  }
  close_pcm();
  return 0;
}
