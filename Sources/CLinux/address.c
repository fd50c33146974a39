// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#define _GNU_SOURCE
#include "address.h"
#include <arpa/inet.h>
#include <endian.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

static const uint64_t mapped_prefix = 0xffff00000000ull;

int tutti_is_mapped(const tutti_endpoint *endpoint) {
  return endpoint->high == 0 && (endpoint->low >> 32) == 0xffff;
}

static struct in6_addr octets(const tutti_endpoint *endpoint) {
  uint64_t parts[2] = {htobe64(endpoint->high), htobe64(endpoint->low)};
  struct in6_addr address;
  memcpy(&address, parts, sizeof address);
  return address;
}

socklen_t tutti_to_sockaddr(const tutti_endpoint *endpoint, int is_ipv4,
                            struct sockaddr_storage *address) {
  memset(address, 0, sizeof *address);
  if (!is_ipv4) {
    struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
    six->sin6_family = AF_INET6;
    six->sin6_port = htons(endpoint->port);
    six->sin6_addr = octets(endpoint);
    six->sin6_scope_id = endpoint->scope;
    return sizeof *six;
  }
  int any = endpoint->high == 0 && endpoint->low == 0;
  if (!any && !tutti_is_mapped(endpoint)) return 0;
  struct sockaddr_in *four = (struct sockaddr_in *)address;
  four->sin_family = AF_INET;
  four->sin_port = htons(endpoint->port);
  four->sin_addr.s_addr = htonl((uint32_t)endpoint->low);
  return sizeof *four;
}

tutti_endpoint tutti_from_sockaddr(const struct sockaddr_storage *address) {
  tutti_endpoint endpoint = {0, 0, 0, 0};
  if (address->ss_family == AF_INET) {
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    endpoint.low = mapped_prefix | ntohl(four->sin_addr.s_addr);
    endpoint.port = ntohs(four->sin_port);
  } else if (address->ss_family == AF_INET6) {
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    uint64_t parts[2];
    memcpy(parts, &six->sin6_addr, sizeof parts);
    endpoint.high = be64toh(parts[0]);
    endpoint.low = be64toh(parts[1]);
    endpoint.port = ntohs(six->sin6_port);
    endpoint.scope = six->sin6_scope_id;
  }
  return endpoint;
}

int tutti_resolve(const char *host, uint16_t port, int numeric, tutti_endpoint *found,
                  uint32_t capacity) {
  struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_DGRAM};
  hints.ai_flags = numeric ? AI_NUMERICHOST : 0;
  struct addrinfo *list = NULL;
  int code = getaddrinfo(host, NULL, &hints, &list);
  if (code != 0) return code < 0 ? code : -code;
  uint32_t count = 0;
  for (struct addrinfo *item = list; item != NULL && count < capacity; item = item->ai_next) {
    struct sockaddr_storage address;
    if (item->ai_addrlen > sizeof address) continue;
    memset(&address, 0, sizeof address);
    memcpy(&address, item->ai_addr, item->ai_addrlen);
    found[count] = tutti_from_sockaddr(&address);
    found[count].port = port;
    count++;
  }
  freeaddrinfo(list);
  return (int)count;
}

const char *tutti_resolve_error_text(int code) { return gai_strerror(code); }

void tutti_format_address(const tutti_endpoint *endpoint, char text[64]) {
  struct in6_addr address = octets(endpoint);
  if (tutti_is_mapped(endpoint)) {
    inet_ntop(AF_INET, &address.s6_addr[12], text, 64);
    return;
  }
  inet_ntop(AF_INET6, &address, text, 64);
  char name[IF_NAMESIZE];
  if (endpoint->scope == 0) return;
  size_t used = strlen(text);
  if (if_indextoname(endpoint->scope, name) != NULL)
    snprintf(text + used, 64 - used, "%%%s", name);
  else
    snprintf(text + used, 64 - used, "%%%u", endpoint->scope);
}
