// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors
#pragma once
#include "CLinuxNetwork.h"
#include <sys/socket.h>

/// Fills a kernel address; its length, or 0 when an IPv4 socket cannot reach `endpoint`.
socklen_t tutti_to_sockaddr(const tutti_endpoint *endpoint, int is_ipv4,
                            struct sockaddr_storage *address);
/// Reads a kernel address; all zero when it is of no IP family.
tutti_endpoint tutti_from_sockaddr(const struct sockaddr_storage *address);
/// Whether the endpoint is IPv4 in its mapped form.
int tutti_is_mapped(const tutti_endpoint *endpoint);
