// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include <stdint.h>

/// What happened on a descriptor; bits of `ready`: 1 readable, 2 writable, 4 error or hang-up.
typedef struct {
  uint64_t token;
  uint32_t ready;
} tutti_poll_event;

enum { tutti_poll_readable = 1, tutti_poll_writable = 2, tutti_poll_failed = 4 };
enum { tutti_poll_add = 0, tutti_poll_change = 1, tutti_poll_remove = 2 };

int tutti_poll_create(void);
int tutti_poll_control(int poll, int operation, int fd, uint32_t interest, uint64_t token);
/// Waits at most `timeout_ns` (negative: for ever); count of events or minus errno.
int tutti_poll_wait(int poll, tutti_poll_event *events, uint32_t capacity, int64_t timeout_ns);

/// A nonblocking eventfd.
int tutti_wake_create(void);
void tutti_wake_signal(int fd);
void tutti_wake_clear(int fd);
