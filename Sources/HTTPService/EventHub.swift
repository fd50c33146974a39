// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Synchronization

/// The events of a run of the program, and the last of them for those who were away.
///
/// Every listener has a place in one shared, bounded ring instead of a queue of its own: a slow
/// listener costs nothing and is told to start over (`reset`) when its place has been overwritten.
/// Ids are `boot-n`: n counts from 1 within a run, and `boot` names the run, so that an id of an
/// earlier run is recognised. Safe from any thread.
public final class EventHub: Sendable {
  /// Names this run; part of every id.
  public let boot: String
  private let capacity: Int
  private let byteCapacity: Int
  private let state = Mutex(State())
  private let wake = Mutex<(@Sendable () -> Void)?>(nil)

  private struct State {
    /// Each event as it goes out; the first one has the number `firstNumber`.
    var events: [[UInt8]] = []
    var firstNumber: UInt64 = 1
    var bytes = 0

    var nextNumber: UInt64 { firstNumber + UInt64(events.count) }
  }

  /// A hub without events.
  ///
  /// - Parameters:
  ///   - boot: Names this run, without line ends.
  ///   - capacity: How many events are kept for those who come back.
  ///   - byteCapacity: How many octets are kept; the newest event is always.
  public init(boot: String, capacity: Int = 1_024, byteCapacity: Int = 4 << 20) {
    self.boot = boot
    self.capacity = max(1, capacity)
    self.byteCapacity = byteCapacity
  }

  /// Sends an event to everybody who listens.
  ///
  /// - Parameters:
  ///   - name: The event's name, without line ends.
  ///   - data: UTF-8 text.
  public func publish(name: String, data: [UInt8]) {
    state.withLock { state in
      let event = frame(number: state.nextNumber, name: name, data: data)
      state.events.append(event)
      state.bytes += event.count
      while state.events.count > capacity
        || (state.bytes > byteCapacity && state.events.count > 1)
      {
        state.bytes -= state.events.removeFirst().count
        state.firstNumber += 1
      }
    }
    wake.withLock { $0 }?()
  }

  /// Calls `body` after each event, on the publisher's thread; nil ends that.
  func onPublish(_ body: (@Sendable () -> Void)?) {
    wake.withLock { $0 = body }
  }

  /// A listener's place and what it is sent first.
  func start(after lastEventID: String?) -> (place: UInt64, greeting: [UInt8]) {
    state.withLock { state in
      // An id without data sets the browser's last id: even a listener that has heard nothing yet
      // can come back to where it was.
      let next = state.nextNumber
      let greeting = Array("retry: 1000\nid: \(boot)-\(next - 1)\n\n".utf8)
      guard let lastEventID else { return (next, greeting) }
      guard let last = number(in: lastEventID), last < next, last + 1 >= state.firstNumber else {
        return (next, greeting + reset(before: next))
      }
      return (last + 1, Array("retry: 1000\n\n".utf8))
    }
  }

  /// What a listener at `place` is sent next: whole events up to about `limit` octets.
  func read(from place: UInt64, limit: Int) -> (bytes: [UInt8], place: UInt64) {
    state.withLock { state in
      guard place >= state.firstNumber else {
        return (reset(before: state.nextNumber), state.nextNumber)
      }
      var bytes: [UInt8] = []
      var next = place
      while next < state.nextNumber, bytes.count < limit {
        bytes += state.events[Int(next - state.firstNumber)]
        next += 1
      }
      return (bytes, next)
    }
  }

  /// Whether there is something for a listener at `place`.
  func hasNews(for place: UInt64) -> Bool {
    state.withLock { place < $0.nextNumber }
  }

  private func reset(before number: UInt64) -> [UInt8] {
    frame(number: number - 1, name: "reset", data: Array("{}".utf8))
  }

  private func frame(number: UInt64, name: String, data: [UInt8]) -> [UInt8] {
    var bytes = Array("id: \(boot)-\(number)\nevent: \(name)\n".utf8)
    for line in data.split(
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
    {
      bytes += Array("data: ".utf8) + line + [UInt8(ascii: "\n")]
    }
    return bytes + [UInt8(ascii: "\n")]
  }

  private func number(in id: String) -> UInt64? {
    guard let dash = id.lastIndex(of: "-"), id[..<dash] == boot else { return nil }
    return UInt64(id[id.index(after: dash)...])
  }
}
