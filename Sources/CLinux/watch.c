// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "CLinuxFiles.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

struct tutti_watcher {
  int fd;
  size_t filled;
  size_t used;
  // inotify(7): a buffer that holds one event with the longest name is always enough.
  _Alignas(struct inotify_event) char buffer[16 * (sizeof(struct inotify_event) + NAME_MAX + 1)];
};

tutti_watcher *tutti_watcher_create(int *code) {
  tutti_watcher *watcher = calloc(1, sizeof *watcher);
  *code = ENOMEM;
  if (watcher == NULL) return NULL;
  watcher->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watcher->fd >= 0) return watcher;
  *code = errno;
  free(watcher);
  return NULL;
}

void tutti_watcher_free(tutti_watcher *watcher) {
  close(watcher->fd);
  free(watcher);
}

int tutti_watcher_descriptor(const tutti_watcher *watcher) { return watcher->fd; }

int tutti_watcher_add(tutti_watcher *watcher, const char *path) {
  // Attributes too: a folder that becomes readable, a file whose times are set.
  uint32_t mask = IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB |
                  IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW | IN_EXCL_UNLINK;
  int watch = inotify_add_watch(watcher->fd, path, mask);
  return watch < 0 ? -errno : watch;
}

void tutti_watcher_remove(tutti_watcher *watcher, int watch) {
  inotify_rm_watch(watcher->fd, watch);
}

int tutti_watcher_next(tutti_watcher *watcher, tutti_change *change) {
  if (watcher->used >= watcher->filled) {
    ssize_t got = read(watcher->fd, watcher->buffer, sizeof watcher->buffer);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (got <= 0) return got < 0 ? -errno : 0;
    watcher->filled = (size_t)got;
    watcher->used = 0;
  }
  const struct inotify_event *event =
      (const struct inotify_event *)(watcher->buffer + watcher->used);
  watcher->used += sizeof *event + event->len;
  memset(change, 0, sizeof *change);
  change->watch = event->wd;
  change->is_folder = (event->mask & IN_ISDIR) != 0;
  change->is_gone =
      (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) != 0;
  change->is_overflow = (event->mask & IN_Q_OVERFLOW) != 0;
  if (event->len > 0) strncpy(change->name, event->name, sizeof change->name - 1);
  return 1;
}
