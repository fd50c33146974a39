// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// What the lab does to a card while it plays: LOG.control, mapped, so that looking costs nothing.
// ../cardcontrol.py writes it and has the same layout. A card without the file has no faults.
#pragma once
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

struct control {
  _Atomic int64_t unplugged;     // calls fail with ENODEV, opening too
  _Atomic int64_t busy;          // opening fails with EBUSY
  _Atomic int64_t stall_ns;      // written before its serial
  _Atomic int64_t stall_serial;  // each new one stops the pointer and the sound for stall_ns
  _Atomic int64_t xrun_serial;   // each new one ends the run with EPIPE
  _Atomic int64_t lie_ns;        // the delay is told wrong by this
  _Atomic int64_t lie_for_ns;    // in the first part of each run
};

static struct control no_faults;

static struct control *map_control(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return &no_faults;
  void *at = mmap(NULL, sizeof no_faults, PROT_READ, MAP_SHARED, fd, 0);
  close(fd);
  return at == MAP_FAILED ? &no_faults : at;
}

static void unmap_control(struct control *control) {
  if (control != &no_faults) munmap(control, sizeof no_faults);
}
