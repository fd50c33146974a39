// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// The requests that have not been answered: what makes a reply believable.
///
/// A reply must echo the random stamp of a request that is still open, and each is good for one
/// reply: duplicates, late ones and forgeries by anyone who cannot read the path fall through.
struct OutstandingRequests: Sendable {
  private var requests: [(stamp: UInt64, sent: LocalInstant)] = []

  /// Remembers a request; the oldest makes room.
  mutating func insert(_ stamp: UInt64, sent: LocalInstant) {
    if requests.count >= Self.capacity { requests.removeFirst() }
    requests.append((stamp, sent))
  }

  /// Corrects the time at which a request left, to a later one.
  mutating func update(_ stamp: UInt64, sent: LocalInstant) {
    guard let index = requests.firstIndex(where: { $0.stamp == stamp }) else { return }
    let correction = sent - requests[index].sent
    guard correction >= .zero, correction <= Self.longestCall else { return }
    requests[index].sent = sent
  }

  /// Ends a request; returns when it was sent, or nil if it is not open.
  mutating func take(_ stamp: UInt64) -> LocalInstant? {
    guard let index = requests.firstIndex(where: { $0.stamp == stamp }) else { return nil }
    return requests.remove(at: index).sent
  }

  /// Disowns every open request.
  mutating func removeAll() { requests.removeAll(keepingCapacity: true) }

  /// A system call that takes longer, or a stamp of a wall clock that was set meanwhile.
  static let longestCall = Nanoseconds.milliseconds(100)

  /// Four bursts: an answer later than that comes after a second or more.
  static let capacity = 32
}
