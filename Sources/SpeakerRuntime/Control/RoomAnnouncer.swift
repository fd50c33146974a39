// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AvahiDiscovery
internal import CommandLineOptions
internal import DaemonProcess
internal import SecureLink
internal import Synchronization

/// Announces the room by zeroconf as `_tutti-speaker._tcp`: TXT version, id, room, paired.
///
/// A host without Avahi costs one line; the room works by `--speaker HOST` at the coordinator.
final class RoomAnnouncer: Sendable {
  static let type = "_tutti-speaker._tcp"

  private let log: Log
  private let client = Mutex<AvahiClient?>(nil)

  /// An announcer that has announced nothing.
  init(log: Log) { self.log = log }

  /// Announces the room, or its new name.
  func publish(name: String, id: [UInt8], port: UInt16) {
    let service = ServiceAnnouncement(
      name: Self.label(name), type: Self.type, port: port,
      text: [
        "version": tuttiVersion, "id": NodeIdentity.digits(id), "room": name, "paired": "no",
      ])
    let log = log
    client.withLock { client in
      if let client { return client.publish([service]) }
      do throws(DiscoveryError) {
        client = try AvahiClient(publishing: [service]) { Self.tell($0, log) }
      } catch {
        log.warning("the room is not announced: \(error)")
      }
    }
  }

  /// The longest beginning of a room's name that DNS-SD takes: 63 bytes (RFC 6763 section 4.1.1).
  static func label(_ name: String) -> String {
    var label = name
    while label.utf8.count > 63 { label.removeLast() }
    return label
  }

  /// Takes the announcement back.
  func withdraw() { client.withLock { $0 = nil } }

  private static func tell(_ event: DiscoveryEvent, _ log: Log) {
    switch event {
    case .published(let service, let name) where name != service.name:
      log.notice("the name \"\(service.name)\" is taken on this network; announced as \"\(name)\"")
    case .published(_, let name): log.info("announced as \"\(name)\"")
    case .publishingFailed(_, let reason): log.warning("the room is not announced: \(reason)")
    case .unavailable(let reason):
      log.notice("no zeroconf (\(reason)); add this room with --speaker HOST at the coordinator")
    case .available, .found, .lost: break
    }
  }
}
