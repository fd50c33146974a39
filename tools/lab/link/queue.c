// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#include "queue.h"
#include <stdlib.h>
#include <string.h>

// A binary heap: the parent of i is (i - 1) / 2.
static packet **heap;
static size_t count, room;
static uint64_t orders;

packet *packet_create(const uint8_t *bytes, size_t length) {
  packet *p = malloc(sizeof *p + length);
  if (p == NULL) return NULL;
  memset(p, 0, sizeof *p);
  p->length = length;
  memcpy(p->bytes, bytes, length);
  return p;
}

packet *packet_copy(const packet *p) {
  packet *copy = packet_create(p->bytes, p->length);
  if (copy != NULL) memcpy(copy, p, sizeof *p);
  return copy;
}

static int is_before(const packet *a, const packet *b) {
  return a->due_ns != b->due_ns ? a->due_ns < b->due_ns : a->order < b->order;
}

static void swap(size_t i, size_t j) {
  packet *kept = heap[i];
  heap[i] = heap[j];
  heap[j] = kept;
}

void queue_push_again(packet *p) {
  if (count == room) {
    size_t wanted = room ? room * 2 : 1024;
    packet **grown = realloc(heap, wanted * sizeof *heap);
    if (grown == NULL) {
      free(p);
      return;
    }
    heap = grown;
    room = wanted;
  }
  size_t i = count++;
  heap[i] = p;
  for (; i > 0 && is_before(heap[i], heap[(i - 1) / 2]); i = (i - 1) / 2) swap(i, (i - 1) / 2);
}

void queue_push(packet *p) {
  p->order = orders++;
  queue_push_again(p);
}

packet *queue_first(void) { return count ? heap[0] : NULL; }

packet *queue_pop(void) {
  if (count == 0) return NULL;
  packet *first = heap[0];
  heap[0] = heap[--count];
  for (size_t i = 0;;) {
    size_t least = i, left = 2 * i + 1, right = left + 1;
    if (left < count && is_before(heap[left], heap[least])) least = left;
    if (right < count && is_before(heap[right], heap[least])) least = right;
    if (least == i) return first;
    swap(i, least);
    i = least;
  }
}
