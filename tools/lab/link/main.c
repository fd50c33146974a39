// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
//
// A link emulator in user space: IPv4 packets between network namespaces, each room behind a link
// with delay, jitter, loss, reordering, duplication, rate, stalls and outages, all from a seed.
//
//   link --control SOCKET [--seed N] [--spin US] NAME=INTERFACE=ADDRESS...
//
// The first node is the hub. It prints its report (control.h) on SIGTERM. A packet's time counts from
// the kernel's stamp, so a late wake-up costs nothing while the link's delay is longer; what is left
// is stated per link as lateMicroseconds.
#define _GNU_SOURCE
#include "control.h"
#include "network.h"
#include "wire.h"
#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { max_clients = 4, priority = 40 };

static volatile sig_atomic_t is_over;
static network all;
static int64_t spin_ns = 30000; // measured: a timed poll wakes within this, mostly

static void on_signal(int number) {
  (void)number;
  is_over = 1;
}

static void catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGTERM);
  sigaddset(&both, SIGINT);
  sigprocmask(SIG_BLOCK, &both, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGINT, &action, NULL);
}

static void fail(const char *what) {
  fprintf(stderr, "link: %s: %s\n", what, strerror(errno));
  exit(1);
}

static void add_node(char *text, uint64_t seed) {
  char *interface = strchr(text, '='), *address = interface ? strchr(interface + 1, '=') : NULL;
  struct in_addr parsed;
  errno = EINVAL;
  if (address == NULL || all.count == max_nodes) fail(text);
  *interface++ = 0;
  *address++ = 0;
  node *n = &all.nodes[all.count];
  if (strlen(text) >= sizeof n->name || inet_pton(AF_INET, address, &parsed) != 1) fail(text);
  strcpy(n->name, text);
  n->address = parsed.s_addr;
  n->wire = wire_open(interface);
  if (n->wire < 0) fail(interface);
  for (int k = 0; k < 2; k++)
    channel_start(&n->channels[k], seed * 1000003 + (uint64_t)(all.count * 2 + k));
  all.count++;
}

// Real-time priority where it is permitted; without it the stated lateness is larger, that is all.
static void hurry(void) {
  struct sched_param wanted = {.sched_priority = priority};
  if (sched_setscheduler(0, SCHED_FIFO, &wanted) < 0)
    fprintf(stderr, "link: no real-time priority: %s\n", strerror(errno));
  mlockall(MCL_CURRENT | MCL_FUTURE);
  prctl(PR_SET_TIMERSLACK, 1ul, 0, 0, 0);
}

// Waits for packets, commands or shortly before the next packet is due; then spins up to it.
static void wait_for(struct pollfd *polled, nfds_t count, int64_t due_ns) {
  int64_t left = due_ns - monotonic_ns() - spin_ns;
  if (due_ns >= 0 && left <= 0) {
    while (monotonic_ns() < due_ns) {}
    left = 0;
  }
  struct timespec timeout = {left / 1000000000, left % 1000000000};
  sigset_t none;
  sigemptyset(&none); // signals are let in only here: none is missed between the test and the wait
  if (ppoll(polled, count, due_ns < 0 ? NULL : &timeout, &none) <= 0)
    for (nfds_t i = 0; i < count; i++) polled[i].revents = 0;
}

static void run(int listener) {
  struct pollfd polled[max_nodes + 1 + max_clients];
  int clients = all.count + 1;
  for (int i = 0; i < clients + max_clients; i++) polled[i] = (struct pollfd){-1, POLLIN, 0};
  for (int i = 0; i < all.count; i++) polled[i].fd = all.nodes[i].wire;
  polled[all.count].fd = listener;
  while (!is_over) {
    wait_for(polled, (nfds_t)(clients + max_clients), network_release(&all));
    for (int i = 0; i < all.count; i++)
      if (polled[i].revents) network_take(&all, i);
    for (int i = clients; i < clients + max_clients; i++)
      if (polled[i].revents && !control_serve(polled[i].fd, &all)) {
        close(polled[i].fd);
        polled[i].fd = -1;
      }
    if (!polled[all.count].revents) continue;
    int accepted = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    for (int i = clients; i < clients + max_clients && accepted >= 0; i++)
      if (polled[i].fd < 0) {
        polled[i].fd = accepted;
        accepted = -1;
      }
    if (accepted >= 0) close(accepted);
  }
}

int main(int count, char **words) {
  const char *control = NULL;
  uint64_t seed = 1;
  int at = 1;
  for (; at + 1 < count && !strncmp(words[at], "--", 2); at += 2) {
    if (!strcmp(words[at], "--control")) control = words[at + 1];
    else if (!strcmp(words[at], "--seed")) seed = strtoull(words[at + 1], NULL, 10);
    else if (!strcmp(words[at], "--spin")) spin_ns = atol(words[at + 1]) * 1000;
    else break;
  }
  if (control == NULL || count - at < 2) {
    fprintf(stderr, "usage: link --control SOCKET [--seed N] [--spin US] "
                    "NAME=INTERFACE=ADDRESS... (the hub first)\n");
    return 2;
  }
  for (; at < count; at++) add_node(words[at], seed);
  catch_signals();
  hurry();
  int listener = control_listen(control); // last: whoever finds it there finds everything ready
  if (listener < 0) fail(control);
  run(listener);
  network_report(&all, stdout);
  return 0;
}
