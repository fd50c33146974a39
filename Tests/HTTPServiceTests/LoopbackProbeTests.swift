// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import Testing

@testable import HTTPService

@Suite struct LoopbackProbeTests {
  /// A TCP socket that listens on ::1; nil on a host without it.
  func listenOnIPv6Loopback() -> (socket: Int32, port: Int)? {
    let socket = socket(AF_INET6, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_addr = in6addr_loopback
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, length) == 0 && listen(socket, 1) == 0
          && getsockname(socket, $0, &length) == 0
      }
    }
    guard isBound else { return nil }
    return (socket, Int(UInt16(bigEndian: address.sin6_port)))
  }

  @Test func `a port that another program has on the IPv6 loopback is seen before it is asked for`()
  {
    guard let (socket, port) = listenOnIPv6Loopback() else {
      #expect(!canListenOnIPv6Loopback(port: 0))
      return
    }
    #expect(!canListenOnIPv6Loopback(port: port))
    close(socket)
    #expect(canListenOnIPv6Loopback(port: port))
  }

  @Test func `a port that is none is refused`() {
    #expect(!canListenOnIPv6Loopback(port: 65_536))
    #expect(!canListenOnIPv6Loopback(port: -1))
  }
}
