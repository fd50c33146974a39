// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "CLinuxProcess.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int tutti_make_directory(const char *path) {
  char part[PATH_MAX];
  if (strlen(path) >= sizeof part || path[0] == 0) return -ENAMETOOLONG;
  strcpy(part, path);
  for (char *at = part + 1; *at; at++) {
    if (*at != '/') continue;
    *at = 0;
    if (mkdir(part, 0700) < 0 && errno != EEXIST) return -errno;
    *at = '/';
  }
  if (mkdir(part, 0700) < 0 && errno != EEXIST) return -errno;
  struct stat kind;
  if (stat(part, &kind) < 0) return -errno;
  return S_ISDIR(kind.st_mode) ? 0 : -ENOTDIR;
}

int tutti_lock_file(const char *path) {
  int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return -errno;
  if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  char text[24];
  int length = snprintf(text, sizeof text, "%d\n", (int)getpid());
  if (ftruncate(fd, 0) < 0 || pwrite(fd, text, (size_t)length, 0) < 0) {
    int code = errno;
    close(fd);
    return -code;
  }
  return fd;
}

int tutti_lock_holder(const char *path) {
  char text[24] = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t got = read(fd, text, sizeof text - 1);
  close(fd);
  return got > 0 ? atoi(text) : 0;
}

static int write_fully(int fd, const uint8_t *bytes, uint64_t count) {
  uint64_t done = 0;
  while (done < count) {
    ssize_t got = write(fd, bytes + done, count - done);
    if (got < 0 && errno != EINTR) return -errno;
    if (got > 0) done += (uint64_t)got;
  }
  return 0;
}

static int sync_directory(const char *directory) {
  int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return -errno;
  int code = fsync(fd) < 0 ? -errno : 0;
  close(fd);
  return code;
}

int tutti_write_file(const char *directory, const char *name, const uint8_t *bytes, uint64_t count,
                     uint32_t mode) {
  char final[PATH_MAX], temporary[PATH_MAX];
  int a = snprintf(final, sizeof final, "%s/%s", directory, name);
  int b = snprintf(temporary, sizeof temporary, "%s/.%s.new", directory, name);
  if (a >= (int)sizeof final || b >= (int)sizeof temporary) return -ENAMETOOLONG;
  int fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return -errno;
  int code = write_fully(fd, bytes, count);
  if (code == 0 && fsync(fd) < 0) code = -errno;
  if (close(fd) < 0 && code == 0) code = -errno;
  if (code == 0 && rename(temporary, final) < 0) code = -errno;
  if (code == 0) return sync_directory(directory);
  unlink(temporary);
  return code;
}

int64_t tutti_read_file(const char *path, uint8_t *bytes, uint64_t capacity) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -errno;
  struct stat kind;
  int64_t result = fstat(fd, &kind) < 0 ? -errno : (int64_t)kind.st_size;
  uint64_t done = 0;
  while (result >= 0 && done < capacity) {
    ssize_t got = read(fd, bytes + done, capacity - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) result = -errno;
    if (got <= 0) break;
    done += (uint64_t)got;
  }
  close(fd);
  return result < 0 ? result : (int64_t)done;
}

void tutti_write_all(int fd, const uint8_t *bytes, uint64_t count) {
  (void)write_fully(fd, bytes, count);
}
