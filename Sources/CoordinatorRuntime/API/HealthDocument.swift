// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The answer to `GET /healthz`: 200 while the coordinator decides, with what it has counted.
struct HealthDocument: Encodable, Sendable, Equatable {
  /// Audio packets handed to the kernel, all rooms.
  var packetsSent: UInt64
  /// Audio packets the kernel refused.
  var packetsRefused: UInt64
  /// Audio packets that were not sent because they could not be heard any more.
  var packetsSkipped: UInt64
  /// Questions to the clock service that were answered.
  var clockRequests: UInt64
  /// Flushes that some room never acknowledged.
  var flushesUnacknowledged: UInt64
  /// Datagrams that were none of ours.
  var garbageDatagrams: UInt64
  /// Rooms with a control link.
  var roomsConnected: Int
}

extension Coordinator {
  /// How the coordinator is.
  func healthDocument() -> HealthDocument {
    let counters = player.counters
    return HealthDocument(
      packetsSent: counters.packetsSent, packetsRefused: counters.packetsRefused,
      packetsSkipped: counters.packetsSkipped, clockRequests: counters.clockRequests,
      flushesUnacknowledged: counters.flushesUnacknowledged, garbageDatagrams: counters.garbage,
      roomsConnected: live.count)
  }
}
