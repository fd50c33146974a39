// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// Commands from outside while the emulator runs: text on a Unix socket (SOCK_SEQPACKET), one command
// a message, each answered by one message ("ok", "error: ..." or the report).
//
//   set NODE|all to|from|both key=value...   (keys: control.c; times in us, shares 0..1)
//   down|up NODE|all to|from|both            what is on its way when it goes down is lost
//   down|up NODE|all to|from|both tcp        TCP alone: a half-open connection
//   move NODE ADDRESS                        the node has another address (it must take it, too)
//   hold NODE|all to|from|both US            a stall that long, from now
//   report | reset
#pragma once
#include "network.h"

// Listens at `path`. -1 with errno set on failure.
int control_listen(const char *path);

// Answers one command from the connection. False when it has closed.
bool control_serve(int connection, network *n);
