// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import House

// Flushes go out at 0, 5, 15 and 40 ms until the room has acknowledged. Three losses in a row within
// 40 ms are a dead link, not bad luck; the control link carries the flush too.

/// Repeats flushes until the rooms have acknowledged them. One thread's own.
struct FlushRepeats<Room: Hashable> {
  /// When a flush is sent, counted from its beginning.
  static var offsets: [Nanoseconds] {
    [.zero, .milliseconds(5), .milliseconds(15), .milliseconds(40)]
  }
  /// How long after the last repetition an acknowledgement still counts.
  static var patience: Nanoseconds { .milliseconds(100) }

  private struct Entry {
    var room: Room
    var serial: UInt32
    var datagram: [UInt8]
    var began: LocalInstant
    var sent = 0
  }

  private var entries: [Entry] = []
  /// Flushes that a room never acknowledged.
  private(set) var unacknowledged: UInt64 = 0

  /// Whether every room has acknowledged everything, or was given up.
  var isSettled: Bool { entries.isEmpty }

  /// Starts sending `datagram` to `rooms`.
  mutating func begin(_ datagram: [UInt8], serial: UInt32, to rooms: [Room], at now: LocalInstant) {
    entries += rooms.map { Entry(room: $0, serial: serial, datagram: datagram, began: now) }
  }

  /// A room has acknowledged.
  mutating func acknowledge(_ serial: UInt32, by room: Room) {
    entries.removeAll { $0.serial == serial && $0.room == room }
  }

  /// What has to be sent at `now`.
  mutating func due(at now: LocalInstant) -> [(room: Room, datagram: [UInt8])] {
    var due: [(room: Room, datagram: [UInt8])] = []
    for index in entries.indices where nextTime(of: entries[index]) <= now {
      guard entries[index].sent < Self.offsets.count else { continue }
      // After a late wake-up one repetition stands for all that were missed.
      let passed = Self.offsets.prefix { entries[index].began + $0 <= now }.count
      entries[index].sent = passed
      due.append((entries[index].room, entries[index].datagram))
    }
    let kept = entries.filter { $0.sent < Self.offsets.count || nextTime(of: $0) > now }
    unacknowledged += UInt64(entries.count - kept.count)
    entries = kept
    return due
  }

  /// When `due` has something to do.
  var nextDeadline: LocalInstant? { entries.map(nextTime).min() }

  private func nextTime(of entry: Entry) -> LocalInstant {
    guard entry.sent < Self.offsets.count else { return entry.began + Self.patience }
    return entry.began + Self.offsets[entry.sent]
  }
}
