// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What kind of thing happened to a room.
public enum IncidentKind: String, Codable, Sendable, Hashable, CaseIterable {
  /// The control link was down.
  case link
  /// Packets did not come, or not in time.
  case loss
  /// The device ran dry, failed or was away.
  case device
  /// The room was out of time and jumped.
  case timing
  /// The coordinator's clock was not known any more.
  case clock
  /// Another speaker claims to be the room.
  case twin
  /// A kind that this version does not know.
  case unknown

  /// Reads a kind; a word of a later version becomes ``unknown``.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When there is no text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = IncidentKind(rawValue: word) ?? .unknown
  }
}

/// What `GET /api/v1/rooms/{id}/log` answers: what happened to a room in the last hour, and why.
public struct RoomLogDocument: Codable, Sendable, Hashable {
  /// The room's id.
  public var roomID: String
  /// The room's name.
  public var roomName: String
  /// Oldest first.
  public var incidents: [IncidentDocument]

  /// A room's log.
  public init(roomID: String, roomName: String, incidents: [IncidentDocument]) {
    self.roomID = roomID
    self.roomName = roomName
    self.incidents = incidents
  }
}

/// What `tutti --json rooms --verbose` prints: the rooms with their last hour.
public struct RoomRecordsDocument: Codable, Sendable, Hashable {
  /// Every room.
  public var rooms: [RoomDocument]
  /// How well each was in time.
  public var sync: [RoomSyncDocument] = []
  /// What happened to each.
  public var logs: [RoomLogDocument] = []

  /// Rooms with nothing known of their past.
  public init(rooms: [RoomDocument]) { self.rooms = rooms }
}

/// Something that happened to a room.
public struct IncidentDocument: Codable, Sendable, Hashable, Identifiable {
  /// Counts from 1 within a room and a run of the coordinator.
  public var id: UInt64
  /// What kind of thing.
  public var kind: IncidentKind
  /// When it began: seconds since 1970.
  public var beganUnixSeconds: Double
  /// How long it took; absent while it goes on.
  public var durationSeconds: Double?
  /// What happened, in words.
  public var cause: String
  /// What a listener may have heard, in words.
  public var effect: String
  /// What mended it, in words.
  public var repair: String
  /// What was counted meanwhile.
  public var counted: SyncCountsDocument

  /// An incident.
  public init(
    id: UInt64, kind: IncidentKind, beganUnixSeconds: Double, durationSeconds: Double?,
    cause: String, effect: String, repair: String, counted: SyncCountsDocument
  ) {
    self.id = id
    self.kind = kind
    self.beganUnixSeconds = beganUnixSeconds
    self.durationSeconds = durationSeconds
    self.cause = cause
    self.effect = effect
    self.repair = repair
    self.counted = counted
  }
}
