// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// How routers and Wi-Fi should treat a datagram (the DSCP of RFC 2474).
public enum TrafficClass: UInt8, Sendable {
  /// No mark.
  case bestEffort = 0
  /// AF41: audio.
  case audio = 34
  /// EF: clock exchanges and flushes, which must not queue behind audio.
  case clock = 46
}

/// Datagrams gathered to be sent with one system call.
///
/// Owned by one thread; keeps its memory from use to use.
public struct DatagramBatch: Sendable {
  private(set) var bytes: [UInt8] = []
  private(set) var items: [tutti_outgoing] = []

  /// An empty batch.
  public init() {}

  /// How many datagrams wait in it.
  public var count: Int { items.count }
  /// Whether none does.
  public var isEmpty: Bool { items.isEmpty }

  /// Adds a datagram.
  public mutating func append(
    _ payload: Span<UInt8>, to address: SocketAddress, _ trafficClass: TrafficClass
  ) {
    let offset = bytes.count
    payload.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    add(from: offset, to: address, trafficClass)
  }

  /// Adds a datagram.
  public mutating func append(
    _ payload: [UInt8], to address: SocketAddress, _ trafficClass: TrafficClass
  ) {
    let offset = bytes.count
    bytes.append(contentsOf: payload)
    add(from: offset, to: address, trafficClass)
  }

  /// Empties the batch and keeps its memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
  }

  private mutating func add(
    from offset: Int, to address: SocketAddress, _ trafficClass: TrafficClass
  ) {
    items.append(
      tutti_outgoing(
        offset: UInt32(offset), length: UInt32(bytes.count - offset), to: address.endpoint,
        dscp: trafficClass.rawValue))
  }
}
