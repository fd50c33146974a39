// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import CLinux

/// Waits for many descriptors, a wake-up from another thread, and a deadline: epoll and eventfd.
///
/// One thread waits; `wake`, `add`, `change` and `remove` may come from any (epoll allows it).
public final class Poller: Sendable {
  /// What a descriptor is watched for.
  public struct Interest: OptionSet, Sendable {
    /// The bits of `tutti_poll_readable` and its kin.
    public let rawValue: UInt32
    /// An interest with these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Octets or connections wait.
    public static let readable = Interest(rawValue: 1)
    /// There is room to write, or a connection attempt is decided.
    public static let writable = Interest(rawValue: 2)
  }

  /// What happened on one descriptor.
  public struct Event: Sendable {
    /// The token it was added with.
    public let token: UInt64
    /// There is something to read (also set on failure, so that the reader finds out).
    public let isReadable: Bool
    /// There is room to write (also set on failure).
    public let isWritable: Bool
    /// The peer hung up or the socket broke.
    public let isFailed: Bool
  }

  /// Most events that one wait hands over.
  private static let capacity = 64
  /// Marks the eventfd; no caller's token may be this.
  private static let wakeToken = UInt64.max

  /// The operations of `tutti_poll_control`.
  private enum Operation {
    static let add: UInt32 = 0
    static let change: UInt32 = 1
    static let remove: UInt32 = 2
  }

  private let poll: Int32
  private let waker: Int32

  /// A poller that watches nothing yet.
  ///
  /// - Throws: `NetworkError` when the process is out of descriptors.
  public init() throws(NetworkError) {
    poll = tutti_poll_create()
    guard poll >= 0 else { throw NetworkError(operation: "cannot create epoll", code: -poll) }
    waker = tutti_wake_create()
    guard waker >= 0 else {
      tutti_close(poll)
      throw NetworkError(operation: "cannot create an eventfd", code: -waker)
    }
    try control(Operation.add, waker, .readable, Self.wakeToken)
  }

  deinit {
    tutti_close(poll)
    tutti_close(waker)
  }

  /// Watches a descriptor.
  ///
  /// - Parameters:
  ///   - descriptor: Stays open until it is removed.
  ///   - interest: What to wait for.
  ///   - token: Comes back in the events; anything but `UInt64.max`.
  /// - Throws: `NetworkError` when the kernel refuses.
  public func add(
    _ descriptor: Int32, for interest: Interest, token: UInt64
  ) throws(NetworkError) {
    try control(Operation.add, descriptor, interest, token)
  }

  /// Changes what a descriptor is watched for.
  ///
  /// - Parameters:
  ///   - descriptor: One that was added.
  ///   - interest: What to wait for from now on.
  ///   - token: Comes back in the events.
  /// - Throws: `NetworkError` when it was not added.
  public func change(
    _ descriptor: Int32, to interest: Interest, token: UInt64
  ) throws(NetworkError) {
    try control(Operation.change, descriptor, interest, token)
  }

  /// Stops watching a descriptor. Call before closing it.
  public func remove(_ descriptor: Int32) {
    _ = tutti_poll_control(poll, Int32(Operation.remove), descriptor, 0, 0)
  }

  /// Makes the waiting thread return from `wait` at once.
  public func wake() { tutti_wake_signal(waker) }

  /// Waits until something happens, `wake` is called, or `deadline` comes.
  ///
  /// - Parameters:
  ///   - deadline: On this host's clock; nil waits for ever.
  ///   - handler: Called for each event.
  /// - Returns: Whether `wake` was called.
  @discardableResult
  public func wait(until deadline: LocalInstant?, _ handler: (Event) -> Void) -> Bool {
    withUnsafeTemporaryAllocation(of: tutti_poll_event.self, capacity: Self.capacity) { events in
      var timeout: Int64 = -1
      if let deadline { timeout = max(0, (deadline - LocalClock.now()).count) }
      let count = tutti_poll_wait(poll, events.baseAddress, UInt32(Self.capacity), timeout)
      var isWoken = false
      for event in events.prefix(Int(max(0, count))) {
        guard event.token != Self.wakeToken else {
          tutti_wake_clear(waker)
          isWoken = true
          continue
        }
        handler(Event(event))
      }
      return isWoken
    }
  }

  private func control(
    _ operation: UInt32, _ descriptor: Int32, _ interest: Interest, _ token: UInt64
  ) throws(NetworkError) {
    let result = tutti_poll_control(
      poll, Int32(operation), descriptor, interest.rawValue, token)
    guard result == 0 else {
      throw NetworkError(operation: "cannot watch descriptor \(descriptor)", code: -result)
    }
  }
}

extension Poller.Event {
  fileprivate init(_ raw: tutti_poll_event) {
    token = raw.token
    isFailed = raw.ready & 4 != 0
    isReadable = raw.ready & 1 != 0 || isFailed
    isWritable = raw.ready & 2 != 0 || isFailed
  }
}
