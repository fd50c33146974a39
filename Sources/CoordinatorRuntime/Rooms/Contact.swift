// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import House
internal import LinuxNetworking

// A room is reached through contacts: the address it had last time, what `--speaker` says, what browsing
// finds. Several contacts may lead to one room. Which room a contact leads to is known only when the
// speaker there has said hello (browsing tells beforehand), and while that room is connected none of its
// contacts is called.

/// One way to reach a speaker.
struct Contact {
  /// Where we know it from.
  enum Origin: Hashable, CustomStringConvertible {
    /// `--speaker HOST[:PORT]`.
    case configured(String)
    /// The name of a service that browsing found.
    case discovered(String)
    /// The room's address of last time.
    case remembered(RoomID)
    /// It asked for the time from here. Called once: it is a room that has moved, or nobody of ours.
    case heard(SocketAddress)

    /// For the log.
    var description: String {
      switch self {
      case .configured(let text): "--speaker \(text)"
      case .discovered(let name): "\"\(name)\" (zeroconf)"
      case .remembered(let room): "room \(room.rawValue.prefix(8)) (last address)"
      case .heard(let address): "\(address) (asks for the time)"
      }
    }
  }

  let origin: Origin
  /// Where it may answer, best first. A host has addresses that do not lead to it from here (other
  /// interfaces, bridges of containers): they are tried in turn.
  var addresses: [SocketAddress]
  /// Which address is next.
  var turn = 0
  /// The room that answers there, when it is known.
  var room: RoomID?
  /// When to call again.
  var backoff = RedialBackoff()
  /// The link or the attempt that it has led to.
  var link: UInt64?
  /// The call that is planned.
  var timer: LoopExecutor.Timer?
  /// Whether its name is being looked up.
  var isResolving = false

  /// A contact that has not been called yet.
  init(_ origin: Origin, addresses: [SocketAddress] = [], room: RoomID? = nil) {
    self.origin = origin
    self.addresses = addresses
    self.room = room
  }

  /// The address to try now; the next time it is another.
  mutating func nextAddress() -> SocketAddress? {
    guard !addresses.isEmpty else { return nil }
    defer { turn += 1 }
    return addresses[turn % addresses.count]
  }

  /// The address worked: it is the first to be tried again.
  mutating func prefer(_ address: SocketAddress) {
    addresses.removeAll { $0 == address }
    addresses.insert(address, at: 0)
    turn = 0
  }
}
