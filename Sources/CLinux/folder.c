// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "CLinuxFiles.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

struct tutti_folder {
  DIR *stream;
  int fd;
};

tutti_folder *tutti_folder_open(const char *path, int *code) {
  tutti_folder *folder = malloc(sizeof *folder);
  *code = ENOMEM;
  if (folder == NULL) return NULL;
  folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  folder->stream = folder->fd < 0 ? NULL : fdopendir(folder->fd);
  if (folder->stream != NULL) return folder;
  *code = errno;
  if (folder->fd >= 0) close(folder->fd);
  free(folder);
  return NULL;
}

void tutti_folder_close(tutti_folder *folder) {
  closedir(folder->stream);
  free(folder);
}

static uint32_t kind_of_entry(unsigned char type) {
  switch (type) {
  case DT_UNKNOWN: return tutti_entry_unknown;
  case DT_REG: return tutti_entry_file;
  case DT_DIR: return tutti_entry_folder;
  case DT_LNK: return tutti_entry_link;
  default: return tutti_entry_other;
  }
}

const char *tutti_folder_next(tutti_folder *folder, uint32_t *kind, int *code) {
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(folder->stream);
    *code = errno;
    if (entry == NULL) return NULL;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    *kind = kind_of_entry(entry->d_type);
    return entry->d_name;
  }
}

static uint32_t kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return tutti_entry_file;
  if (S_ISDIR(mode)) return tutti_entry_folder;
  return S_ISLNK(mode) ? tutti_entry_link : tutti_entry_other;
}

static int facts_at(int fd, const char *name, int flags, tutti_file_facts *facts) {
  struct stat status;
  if (fstatat(fd, name, &status, flags | AT_NO_AUTOMOUNT) < 0) return -errno;
  facts->kind = kind_of_mode(status.st_mode);
  facts->size = status.st_size;
  facts->modified_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
  facts->device = status.st_dev;
  facts->inode = status.st_ino;
  return 0;
}

int tutti_folder_facts(tutti_folder *folder, const char *name, tutti_file_facts *facts) {
  if (name[0] == 0) return facts_at(folder->fd, "", AT_EMPTY_PATH, facts);
  return facts_at(folder->fd, name, AT_SYMLINK_NOFOLLOW, facts);
}

int tutti_path_facts(const char *path, tutti_file_facts *facts) {
  return facts_at(AT_FDCWD, path, 0, facts);
}

int64_t tutti_read_regular(const char *path, uint8_t *bytes, uint64_t capacity) {
  // Nonblocking: a FIFO that nobody writes to must not be waited for.
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) return -errno;
  struct stat status;
  int64_t done = fstat(fd, &status) < 0 ? -errno : 0;
  if (done == 0 && !S_ISREG(status.st_mode)) done = -EINVAL;
  while (done >= 0 && (uint64_t)done < capacity) {
    ssize_t got = read(fd, bytes + done, capacity - (uint64_t)done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) done = -errno;
    if (got <= 0) break;
    done += got;
  }
  close(fd);
  return done;
}

// Numbers of file systems that change without this kernel's doing (statfs(2) and linux/magic.h).
static const struct {
  uint32_t magic;
  const char *name;
} remote_systems[] = {
    {0x6969, "nfs"},         {0x517B, "smb"},         {0xFF534D42, "cifs"},  {0xFE534D42, "smb2"},
    {0x65735546, "fuse"},    {0x01021997, "9p"},      {0x5346414F, "afs"},   {0x6B414653, "kafs"},
    {0x73757245, "coda"},    {0x00C36400, "ceph"},    {0x7461636F, "ocfs2"}, {0x01161970, "gfs2"},
    {0x0BD00BD0, "lustre"},  {0x786F4256, "vboxsf"},  {0xBACBACBC, "vmhgfs"},
};

int tutti_is_remote(const char *path, char name[16]) {
  struct statfs status;
  name[0] = 0;
  if (statfs(path, &status) < 0) return -errno;
  for (size_t i = 0; i < sizeof remote_systems / sizeof *remote_systems; i++) {
    if ((uint32_t)status.f_type != remote_systems[i].magic) continue;
    strncpy(name, remote_systems[i].name, 15);
    name[15] = 0;
    return 1;
  }
  return 0;
}

void tutti_lower_priority(int process) { setpriority(PRIO_PROCESS, (id_t)process, 10); }
