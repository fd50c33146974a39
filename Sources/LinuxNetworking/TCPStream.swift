// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// A nonblocking TCP connection.
///
/// Any thread may call; two threads that read at once would share the octets between them, so one
/// owner reads and one owner writes.
public final class TCPStream: Sendable {
  /// What a read brought.
  public enum Received: Sendable, Equatable {
    /// This many octets.
    case bytes(Int)
    /// Nothing yet: wait until readable.
    case wouldBlock
    /// The peer closed its side.
    case ended
  }

  /// The descriptor, for a `Poller`.
  public let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Starts to connect; the stream turns writable when the attempt is decided.
  ///
  /// - Parameter remote: Whom to call.
  /// - Throws: `NetworkError` when the attempt cannot even start.
  public init(connectingTo remote: SocketAddress) throws(NetworkError) {
    var endpoint = remote.endpoint
    let result = tutti_tcp_connect(&endpoint)
    guard result >= 0 else {
      throw NetworkError(operation: "cannot connect to \(remote)", code: -result)
    }
    descriptor = result
  }

  deinit { tutti_close(descriptor) }

  /// Asks, once writable, how the attempt to connect ended.
  ///
  /// - Throws: `NetworkError` when it failed.
  public func finishConnecting() throws(NetworkError) {
    let result = tutti_tcp_connect_result(descriptor)
    guard result == 0 else { throw NetworkError(operation: "cannot connect", code: -result) }
  }

  /// The other end, while connected.
  public var peer: SocketAddress? {
    var endpoint = tutti_endpoint()
    return tutti_socket_remote(descriptor, &endpoint) == 0 ? SocketAddress(endpoint) : nil
  }

  /// This end.
  public var localAddress: SocketAddress {
    var endpoint = tutti_endpoint()
    tutti_socket_local(descriptor, &endpoint)
    return SocketAddress(endpoint)
  }

  /// Reads what has arrived.
  ///
  /// - Parameter buffer: Filled from its start.
  /// - Returns: How much was read, or why nothing was.
  /// - Throws: `NetworkError` when the connection broke.
  public func receive(into buffer: inout [UInt8]) throws(NetworkError) -> Received {
    let result = buffer.withUnsafeMutableBufferPointer {
      tutti_stream_receive(descriptor, $0.baseAddress, UInt32($0.count))
    }
    if result > 0 { return .bytes(Int(result)) }
    if result == 0 { return buffer.isEmpty ? .wouldBlock : .ended }
    guard result == -11 else {
      throw NetworkError(operation: "connection lost", code: -result)
    }
    return .wouldBlock
  }

  /// Writes as much as the kernel takes now.
  ///
  /// - Parameter bytes: What to send.
  /// - Returns: How many octets went, 0 when the stream must turn writable first.
  /// - Throws: `NetworkError` when the connection broke.
  public func send(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    let result = bytes.withUnsafeBufferPointer {
      tutti_stream_send(descriptor, $0.baseAddress, UInt32($0.count))
    }
    guard result < 0 else { return Int(result) }
    guard result == -11 else {
      throw NetworkError(operation: "connection lost", code: -result)
    }
    return 0
  }
}
