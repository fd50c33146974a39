// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include <stdint.h>

/// Starts a thread with all signals blocked, so that they reach the thread that waits for them.
int tutti_thread_start(void (*body)(void *), void *context, uint64_t *thread);
void tutti_thread_join(uint64_t thread);
/// Gives the thread's stack back when it ends; it cannot be joined any more.
void tutti_thread_detach(uint64_t thread);
uint64_t tutti_thread_current(void);
/// Names the calling thread (15 octets at most are kept).
void tutti_thread_set_name(const char *name);
/// Moves the calling thread to SCHED_FIFO; minus errno when the host forbids it.
int tutti_thread_set_fifo(int priority);
/// How late the kernel may fire the calling thread's timers (50,000 ns by default).
void tutti_thread_set_timer_slack(uint64_t nanoseconds);
/// Locks all present and future pages as they are touched (MCL_ONFAULT).
int tutti_lock_memory(void);

/// Blocks SIGTERM, SIGINT and SIGHUP for the calling thread and its children; ignores SIGPIPE.
void tutti_signals_block(void);
/// Waits for one of them; its number, or 0 when `timeout_ns` passed (negative: for ever).
int tutti_signals_wait(int64_t timeout_ns);

/// Creates the directory and its missing parents, mode 0700.
int tutti_make_directory(const char *path);
/// Takes the lock file, writes our process id; -EWOULDBLOCK when another process holds it.
int tutti_lock_file(const char *path);
/// The process id that a lock file names, or 0.
int tutti_lock_holder(const char *path);
/// Writes `directory/name` by way of a synced temporary file and a rename.
int tutti_write_file(const char *directory, const char *name, const uint8_t *bytes, uint64_t count,
                     uint32_t mode);
/// Reads at most `capacity` octets; how many were read or minus errno.
int64_t tutti_read_file(const char *path, uint8_t *bytes, uint64_t capacity);
/// Writes the octets to a descriptor in one call where the kernel lets us.
void tutti_write_all(int fd, const uint8_t *bytes, uint64_t count);

/// Sends one datagram to systemd's notification socket (a leading `@` means abstract).
int tutti_notify(const char *socket_path, const char *state);
/// The words for an errno.
void tutti_error_text(int code, char text[128]);
/// Fills `bytes` from the kernel's random source.
int tutti_random(uint8_t *bytes, uint32_t count);
