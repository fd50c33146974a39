// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#include "network.h"
#include "queue.h"
#include "wire.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { take_at_once = 64 }; // then due packets get their turn

static channel *channel_of(network *n, int index) {
  return &n->nodes[index / 2].channels[index % 2];
}

// Lets a channel decide over the packet, which it takes over.
static void enter(network *n, packet *p, int index, int64_t arrival_ns) {
  fate fate = channel_decide(channel_of(n, index), arrival_ns, p->length - wire_head);
  p->channel = index;
  p->due_ns = fate.due_ns;
  packet *twin = fate.copies > 1 ? packet_copy(p) : NULL;
  if (fate.copies > 0) queue_push(p);
  else free(p);
  if (twin != NULL) queue_push(twin);
}

static int find(const network *n, uint32_t address) {
  for (int i = 0; i < n->count; i++)
    if (n->nodes[i].address == address) return i;
  return -1;
}

static void route(network *n, int from, int to, const uint8_t *frame, size_t length,
                  int64_t arrival_ns) {
  packet *p = packet_create(frame, length);
  if (p == NULL) return;
  p->destination = to;
  enter(n, p, from == 0 ? to * 2 + to_node : from * 2 + from_node, arrival_ns);
}

void network_take(network *n, int from) {
  static uint8_t frame[frame_room];
  int64_t arrival_ns;
  for (int i = 0; i < take_at_once; i++) {
    size_t length = wire_receive(n->nodes[from].wire, frame, &arrival_ns);
    if (length == 0) return;
    uint32_t destination = wire_destination(frame, length);
    if (wire_is_multicast(destination)) {
      for (int to = 0; to < n->count; to++)
        if (to != from) route(n, from, to, frame, length, arrival_ns);
      continue;
    }
    int to = find(n, destination);
    if (to < 0 || to == from) n->unrouted++;
    else route(n, from, to, frame, length, arrival_ns);
  }
}

// The end of a channel: out to the node, or into the second link of a packet between two rooms.
static void leave(network *n, packet *p, channel *c, int64_t now_ns) {
  lateness_note(&c->lateness, now_ns - p->due_ns);
  c->counts.sent++;
  node *destination = &n->nodes[p->destination];
  if (p->channel % 2 == from_node && p->destination != 0) {
    enter(n, p, p->destination * 2 + to_node, p->due_ns);
    return;
  }
  wire_send(destination->wire, destination->address, p->bytes, p->length);
  free(p);
}

int64_t network_release(network *n) {
  for (packet *p; (p = queue_first()) != NULL;) {
    int64_t now_ns = monotonic_ns();
    if (p->due_ns > now_ns) return p->due_ns;
    queue_pop();
    channel *c = channel_of(n, p->channel);
    int64_t free_ns = channel_free_at(c, p->due_ns);
    if (c->down || (c->tcp_down && wire_is_tcp(p->bytes, p->length))) {
      c->counts.blocked++;
      free(p);
    } else if (free_ns > p->due_ns) {
      c->counts.stalled++;
      p->due_ns = free_ns;
      queue_push_again(p);
    } else {
      leave(n, p, c, now_ns);
    }
  }
  return -1;
}

static void report_channel(const channel *c, FILE *out) {
  const channel_counts *k = &c->counts;
  fprintf(out,
          "{\"taken\": %" PRIu64 ", \"sent\": %" PRIu64 ", \"lost\": %" PRIu64
          ", \"blocked\": %" PRIu64 ", \"duplicated\": %" PRIu64 ", \"reordered\": %" PRIu64
          ", \"stalled\": %" PRIu64 ", \"stalls\": %" PRIu64,
          k->taken, k->sent, k->lost, k->blocked, k->duplicated, k->reordered, k->stalled,
          k->stalls);
  fprintf(out, ", \"lateMicroseconds\": {\"p50\": %.1f, \"p99\": %.1f, \"max\": %.1f}}",
          lateness_us(&c->lateness, 0.5), lateness_us(&c->lateness, 0.99),
          (double)c->lateness.max_ns / 1e3);
}

void network_report(network *n, FILE *out) {
  for (int i = 0; i < n->count; i++) n->kernel_drops += wire_drops(n->nodes[i].wire);
  fprintf(out, "{\"unrouted\": %" PRIu64 ", \"kernelDrops\": %" PRIu64 ", \"links\": {",
          n->unrouted, n->kernel_drops);
  for (int i = 1; i < n->count; i++) {
    fprintf(out, "%s\"%s\": {\"to\": ", i > 1 ? ", " : "", n->nodes[i].name);
    report_channel(&n->nodes[i].channels[to_node], out);
    fprintf(out, ", \"from\": ");
    report_channel(&n->nodes[i].channels[from_node], out);
    fprintf(out, "}");
  }
  fprintf(out, "}}\n");
}

void network_reset(network *n) {
  for (int i = 1; i < n->count; i++)
    for (int k = 0; k < 2; k++) {
      memset(&n->nodes[i].channels[k].counts, 0, sizeof(channel_counts));
      memset(&n->nodes[i].channels[k].lateness, 0, sizeof(lateness));
    }
  for (int i = 0; i < n->count; i++) (void)wire_drops(n->nodes[i].wire);
  n->unrouted = n->kernel_drops = 0;
}
