// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include <stdint.h>

/// What a name in a folder is.
enum {
  tutti_entry_unknown = 0,
  tutti_entry_file = 1,
  tutti_entry_folder = 2,
  tutti_entry_link = 3,
  tutti_entry_other = 4 ///< A FIFO, a socket, a device: never opened.
};

/// What `stat` tells of a file.
typedef struct {
  uint32_t kind;
  int64_t size;
  int64_t modified_ns; ///< Since 1970.
  uint64_t device;
  uint64_t inode;
} tutti_file_facts;

/// A folder while it is read. One thread at a time.
typedef struct tutti_folder tutti_folder;

/// Opens a folder; a link is refused. NULL with errno in `code`.
tutti_folder *tutti_folder_open(const char *path, int *code);
void tutti_folder_close(tutti_folder *folder);
/// The next name, without "." and "..", valid until the next call; its kind, where the file system
/// says that for nothing. NULL at the end (`code` is 0) or at an error (errno).
const char *tutti_folder_next(tutti_folder *folder, uint32_t *kind, int *code);
/// Facts of a name in the folder, of a link itself; of the folder when `name` is empty. 0 or minus
/// errno.
int tutti_folder_facts(tutti_folder *folder, const char *name, tutti_file_facts *facts);
/// Facts of a path, with links followed. 0 or minus errno.
int tutti_path_facts(const char *path, tutti_file_facts *facts);
/// Reads at most `capacity` octets of a regular file; anything else is refused without waiting for it.
/// How many were read or minus errno.
int64_t tutti_read_regular(const char *path, uint8_t *bytes, uint64_t capacity);
/// 1 when others may change the folder without the kernel noticing (NFS, SMB, FUSE and their like),
/// 0 when not, or minus errno. `name` gets the file system's name.
int tutti_is_remote(const char *path, char name[16]);

/// One change below a watched folder.
typedef struct {
  int watch;       ///< The folder's number; -1 with `overflow`.
  int is_folder;   ///< The name is a folder's.
  int is_gone;     ///< The watched folder itself went, or its watch did.
  int is_overflow; ///< Changes were lost.
  char name[256];  ///< Empty when it is the folder itself.
} tutti_change;

typedef struct tutti_watcher tutti_watcher;

/// An inotify instance, nonblocking. NULL with errno in `code`.
tutti_watcher *tutti_watcher_create(int *code);
void tutti_watcher_free(tutti_watcher *watcher);
int tutti_watcher_descriptor(const tutti_watcher *watcher);
/// Watches a folder; its number or minus errno (-ENOSPC: the user's watches are used up).
int tutti_watcher_add(tutti_watcher *watcher, const char *path);
void tutti_watcher_remove(tutti_watcher *watcher, int watch);
/// Takes one change: 1, 0 when there is none, or minus errno.
int tutti_watcher_next(tutti_watcher *watcher, tutti_change *change);

/// Lets everybody else go first: the calling thread (0) or a process.
void tutti_lower_priority(int process);
