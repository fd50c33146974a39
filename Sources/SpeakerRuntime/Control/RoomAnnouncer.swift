// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess

/// Announces the room by zeroconf: `_tutti-speaker._tcp`.
final class RoomAnnouncer: Sendable {
  private let log: Log

  init(log: Log) { self.log = log }

  /// Announces the room, or its new name.
  func publish(name: String, id: [UInt8], port: UInt16) {}

  /// Takes the announcement back.
  func withdraw() {}
}
