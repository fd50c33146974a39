// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

// libwebsockets 4.1.6 puts a vhost whose address cannot be bound on a list of vhosts to try again,
// frees it because we asked it to fail instead, and leaves it on that list: 30 s later its periodic
// check follows the dangling pointer and the process dies. So it is never asked for an address that
// cannot be bound.

/// Whether this host has ::1 and lets us listen there.
///
/// - Parameter port: The TCP port; 0 for any.
/// - Returns: False on a host without IPv6, and when another program has the port.
func canListenOnIPv6Loopback(port: Int) -> Bool {
  guard let port = UInt16(exactly: port) else { return false }
  let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
  guard socket >= 0 else { return false }
  defer { close(socket) }
  // As the library does: a connection of an earlier run in TIME_WAIT does not hold the port.
  var yes: Int32 = 1
  setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
  var address = sockaddr_in6()
  address.sin6_family = sa_family_t(AF_INET6)
  address.sin6_port = port.bigEndian
  address.sin6_addr = in6addr_loopback
  let bound = withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(socket, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
    }
  }
  return bound == 0 && listen(socket, 1) == 0
}
