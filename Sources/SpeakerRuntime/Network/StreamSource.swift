// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import LinuxNetworking

// A coordinator whose host gets another address sends from there at once, but its control link takes
// seconds to notice. Until then questions to the old address would be lost: the clock would run on, but
// no packet would be repaired. So the stream itself says where it comes from.

/// Where the coordinator of the stream is. The network thread's own.
struct StreamSource {
  /// Packets come each 20 ms: a source that is silent for so long has gone, and whoever sends the same
  /// stream now has its place. While it is not silent, nobody can take it.
  static let patience = Nanoseconds.milliseconds(200)

  /// Where to ask; nil before the first announcement.
  private(set) var address: SocketAddress?
  private var lastHeard = LocalInstant(nanoseconds: 0)

  /// The control link says where it is.
  mutating func announce(_ address: SocketAddress, at now: LocalInstant) {
    self.address = address
    lastHeard = now
  }

  /// A packet of the stream has come.
  ///
  /// - Parameters:
  ///   - source: Where from.
  ///   - now: When.
  /// - Returns: The new place, if it has moved.
  mutating func heard(from source: SocketAddress, at now: LocalInstant) -> SocketAddress? {
    guard let address else { return nil }
    if source == address {
      lastHeard = max(lastHeard, now)
      return nil
    }
    guard now - lastHeard >= Self.patience else { return nil }
    self.address = source
    lastHeard = now
    return source
  }
}
