// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// A TCP socket that accepts connections, without blocking.
public final class TCPListener: Sendable {
  /// The descriptor, for a `Poller`.
  public let descriptor: Int32

  /// Starts to listen.
  ///
  /// - Parameter local: The address and port; port 0 takes any free one.
  /// - Throws: `NetworkError` that names the port and what to do.
  public init(binding local: SocketAddress) throws(NetworkError) {
    var endpoint = local.endpoint
    var isIPv4: Int32 = 0
    let result = tutti_socket_bind(&endpoint, 1, &isIPv4)
    guard result >= 0 else {
      throw .listening(on: local, transport: "TCP", code: -result)
    }
    descriptor = result
  }

  deinit { tutti_close(descriptor) }

  /// The address it listens on.
  public var localAddress: SocketAddress {
    var endpoint = tutti_endpoint()
    tutti_socket_local(descriptor, &endpoint)
    return SocketAddress(endpoint)
  }

  /// Takes one waiting connection.
  ///
  /// - Returns: The connection and its peer, or nil when none waits or it is gone already.
  public func accept() -> (stream: TCPStream, peer: SocketAddress)? {
    var endpoint = tutti_endpoint()
    let result = tutti_tcp_accept(descriptor, &endpoint)
    guard result >= 0 else { return nil }
    return (TCPStream(descriptor: result), SocketAddress(endpoint))
  }
}
