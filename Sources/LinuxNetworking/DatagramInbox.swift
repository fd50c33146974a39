// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import CLinux

/// Buffers for receiving many datagrams with one system call.
///
/// Owned by one thread. Allocates once, in `init`.
public struct DatagramInbox: ~Copyable {
  private let raw: OpaquePointer
  private let slots: Int
  private let realtime: @Sendable () -> Int64
  private var converter = KernelStampConverter()
  /// Datagrams longer than a slot: not ours, dropped.
  public private(set) var oversized: UInt64 = 0

  /// An inbox of `slots` datagrams of at most `slotBytes` octets each.
  ///
  /// 2048 octets hold any datagram of an Ethernet; ours are below 1472.
  public init(slots: Int = 32, slotBytes: Int = 2_048) {
    self.init(slots: slots, slotBytes: slotBytes, realtime: { tutti_realtime_ns() })
  }

  /// An inbox that reads the time of day from `realtime`: a test sets it as it likes.
  init(slots: Int = 32, slotBytes: Int = 2_048, realtime: @escaping @Sendable () -> Int64) {
    guard let raw = tutti_inbox_create(UInt32(slots), UInt32(slotBytes)) else {
      preconditionFailure("out of memory for \(slots) datagrams of \(slotBytes) octets")
    }
    self.raw = raw
    self.slots = slots
    self.realtime = realtime
  }

  deinit { tutti_inbox_free(raw) }

  /// Datagrams that the kernel dropped because this thread read too slowly.
  public var kernelDrops: UInt32 { tutti_inbox_kernel_drops(raw) }

  /// Receive stamps that could not be believed; the time of reading stood in for them.
  public var stampsRefused: UInt64 { converter.refused }
  /// Whether the kernel's stamps are of another clock than its time of day.
  public var stampsAreForeign: Bool { converter.isForeign }

  /// Hands over what is waiting on `socket`, without blocking.
  ///
  /// - Parameters:
  ///   - socket: Where to read.
  ///   - handler: Called for each datagram in order: its octets (valid only during the call), who
  ///     sent it, and when it reached this host.
  /// - Returns: How many were taken from the socket; a full inbox means there may be more.
  /// - Throws: `NetworkError` when the socket is broken.
  @discardableResult
  public mutating func receive(
    from socket: UDPSocket,
    _ handler: (Span<UInt8>, SocketAddress, LocalInstant) -> Void
  ) throws(NetworkError) -> Int {
    let asked = LocalClock.now()
    let count = tutti_inbox_receive(raw, socket.descriptor)
    guard count >= 0 else {
      throw NetworkError(operation: "cannot receive datagrams", code: -count)
    }
    if count > 0 { readClocks() }
    for index in 0..<UInt32(count) {
      guard let item = tutti_inbox_datagram(raw, index)?.pointee else { continue }
      guard item.truncated == 0 else {
        oversized += 1
        continue
      }
      let bytes = UnsafeBufferPointer(start: item.bytes, count: Int(item.length))
      let arrival = converter.arrival(stamped: item.realtime_ns)
      handler(bytes.span, SocketAddress(item.from), arrival)
    }
    if count < slots { converter.emptied(at: asked) }
    return Int(count)
  }

  private mutating func readClocks() {
    let before = LocalClock.now()
    let realtime = realtime()
    converter.observe(before: before, realtime: realtime, after: LocalClock.now())
  }
}
