// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// A nonblocking UDP socket: dual-stack, or IPv4 on hosts without IPv6.
///
/// Sending is safe from any thread; receiving goes through a `DatagramInbox`, one thread's own.
public final class UDPSocket: Sendable {
  /// The descriptor, for a `Poller`.
  public let descriptor: Int32
  let isIPv4: Int32

  /// Binds a socket.
  ///
  /// - Parameter local: The address and port to receive on; port 0 takes any free one.
  /// - Throws: `NetworkError` that names the port and what to do.
  public init(binding local: SocketAddress) throws(NetworkError) {
    var endpoint = local.endpoint
    var isIPv4: Int32 = 0
    let result = tutti_socket_bind(&endpoint, 0, &isIPv4)
    guard result >= 0 else {
      throw .listening(on: local, transport: "UDP", code: -result)
    }
    descriptor = result
    self.isIPv4 = isIPv4
  }

  deinit { tutti_close(descriptor) }

  /// The address it is bound to.
  public var localAddress: SocketAddress {
    var endpoint = tutti_endpoint()
    tutti_socket_local(descriptor, &endpoint)
    return SocketAddress(endpoint)
  }

  /// Sends a batch and empties it.
  ///
  /// A datagram that the kernel refuses is skipped: UDP promises no more, and one unreachable room
  /// must not silence the others.
  ///
  /// - Parameter batch: What to send, in order.
  /// - Returns: How many the kernel took.
  @discardableResult
  public func send(_ batch: inout DatagramBatch) -> Int {
    var next = 0
    var taken = 0
    batch.bytes.withUnsafeBufferPointer { bytes in
      batch.items.withUnsafeBufferPointer { items in
        guard let bytes = bytes.baseAddress, let start = items.baseAddress else { return }
        while next < items.count {
          let count = UInt32(items.count - next)
          let sent = tutti_send_batch(descriptor, isIPv4, bytes, start + next, count)
          taken += sent > 0 ? Int(sent) : 0
          next += sent > 0 ? Int(sent) : 1
        }
      }
    }
    batch.removeAll()
    return taken
  }

  /// Sends one datagram at once.
  ///
  /// - Parameters:
  ///   - payload: The octets.
  ///   - address: Where to.
  ///   - trafficClass: How the network should treat it.
  /// - Returns: Whether the kernel took it.
  @discardableResult
  public func send(
    _ payload: [UInt8], to address: SocketAddress, _ trafficClass: TrafficClass
  ) -> Bool {
    var item = tutti_outgoing(
      offset: 0, length: UInt32(payload.count), to: address.endpoint, dscp: trafficClass.rawValue)
    return payload.withUnsafeBufferPointer { bytes in
      tutti_send_batch(descriptor, isIPv4, bytes.baseAddress, &item, 1) == 1
    }
  }
}
