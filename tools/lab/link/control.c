// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "control.h"
#include "wire.h"
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { command_room = 1024, answer_room = 1 << 16 };

int control_listen(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  unlink(path);
  if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0) return fd;
  int why = errno;
  close(fd);
  errno = why;
  return -1;
}

typedef struct {
  const char *name;
  size_t offset;
  double largest;
} key;

static const key keys[] = {
    {"delay", offsetof(path, delay_us), 1e8},
    {"jitter", offsetof(path, jitter_us), 1e8},
    {"loss", offsetof(path, loss), 1},
    {"burst", offsetof(path, burst), 1e6},
    {"reorder", offsetof(path, reorder), 1},
    {"reorder_by", offsetof(path, reorder_us), 1e8},
    {"duplicate", offsetof(path, duplicate), 1},
    {"rate", offsetof(path, rate_bps), 1e12},
    {"stall_every", offsetof(path, stall_every_us), 1e10},
    {"stall_min", offsetof(path, stall_min_us), 1e8},
    {"stall_max", offsetof(path, stall_max_us), 1e8},
};

// Sets one "key=value". False when the key is unknown or the value outside its range.
static bool set_one(path *p, char *word) {
  char *value = strchr(word, '=');
  if (value == NULL) return false;
  *value++ = 0;
  if (!strcmp(word, "shape")) {
    p->exponential = !strcmp(value, "exponential");
    return p->exponential || !strcmp(value, "uniform");
  }
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    if (strcmp(word, keys[i].name)) continue;
    char *end;
    double number = strtod(value, &end);
    if (end == value || *end || !(number >= 0 && number <= keys[i].largest)) return false;
    memcpy((char *)p + keys[i].offset, &number, sizeof number);
    return true;
  }
  return false;
}

// Applies a verb to one channel; `rest` is what followed the direction.
static bool apply(channel *c, const char *verb, const char *rest) {
  if (!strcmp(verb, "down") || !strcmp(verb, "up")) {
    bool *what = strcmp(rest, "tcp") ? &c->down : &c->tcp_down;
    *what = verb[0] == 'd';
    return *rest == 0 || what == &c->tcp_down;
  }
  if (!strcmp(verb, "hold")) {
    double us = atof(rest);
    c->hold_to_ns = monotonic_ns() + (int64_t)(us * 1e3);
    return us > 0 && us <= 1e8;
  }
  char words[command_room], *kept;
  path wanted = c->path;
  strncpy(words, rest, sizeof words - 1);
  words[sizeof words - 1] = 0;
  for (char *w = strtok_r(words, " ", &kept); w; w = strtok_r(NULL, " ", &kept))
    if (!set_one(&wanted, w)) return false;
  c->path = wanted;
  return true;
}

// A node (the hub too) has another address from now on.
static const char *move_node(network *n, const char *name, const char *text) {
  struct in_addr address;
  if (inet_pton(AF_INET, text, &address) != 1) return "error: bad address\n";
  for (int i = 0; i < n->count; i++) {
    if (strcmp(name, n->nodes[i].name)) continue;
    n->nodes[i].address = address.s_addr;
    return "ok\n";
  }
  return "error: no such node\n";
}

static const char *change(network *n, char *command) {
  char *kept;
  const char *verb = strtok_r(command, " ", &kept), *name = strtok_r(NULL, " ", &kept);
  const char *direction = strtok_r(NULL, " ", &kept), *rest = strtok_r(NULL, "", &kept);
  if (!verb || !name || !direction) return "error: too few words\n";
  if (!strcmp(verb, "move")) return move_node(n, name, direction);
  if (strcmp(verb, "set") && strcmp(verb, "down") && strcmp(verb, "up") && strcmp(verb, "hold"))
    return "error: unknown command\n";
  bool to = strcmp(direction, "from") != 0, from = strcmp(direction, "to") != 0;
  if (to && from && strcmp(direction, "both")) return "error: say to, from or both\n";
  int found = 0;
  for (int i = 1; i < n->count; i++) {
    if (strcmp(name, "all") && strcmp(name, n->nodes[i].name)) continue;
    found++;
    if (to && !apply(&n->nodes[i].channels[to_node], verb, rest ? rest : ""))
      return "error: bad value\n";
    if (from && !apply(&n->nodes[i].channels[from_node], verb, rest ? rest : ""))
      return "error: bad value\n";
  }
  return found ? "ok\n" : "error: no such node\n";
}

bool control_serve(int connection, network *n) {
  char command[command_room], *answer = NULL;
  size_t length = 0;
  ssize_t got = recv(connection, command, sizeof command - 1, 0);
  if (got <= 0) return false;
  command[got] = 0;
  command[strcspn(command, "\n")] = 0;
  FILE *out = open_memstream(&answer, &length);
  if (out == NULL) return false;
  if (!strcmp(command, "report")) {
    network_report(n, out);
  } else if (!strcmp(command, "reset")) {
    network_reset(n);
    fputs("ok\n", out);
  } else {
    fputs(change(n, command), out);
  }
  fclose(out);
  bool sent = send(connection, answer, length, MSG_NOSIGNAL) == (ssize_t)length;
  free(answer);
  return sent;
}
