// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What `GET /api/v1/events` sends: the SSE event's name and its data.
///
/// Each event carries a whole part of the state, so a listener that missed some is right again
/// after the next one. After ``reset`` it asks for the state anew.
public enum EventDocument: Sendable, Hashable {
  /// A room is new or has changed.
  case room(RoomDocument)
  /// A room was forgotten.
  case roomForgotten(id: String)
  /// A group's rooms, name or volume have changed, or the group is new.
  case group(GroupDocument)
  /// A group plays something else, or elsewhere.
  case playback(groupID: String, PlaybackDocument)
  /// A group's queue has changed.
  case queue(groupID: String, QueueDocument)
  /// A scan of the library has got further, or is over.
  case job(JobDocument)
  /// The library holds something else than before: lists are to be asked for anew.
  case library(revision: UInt64)
  /// Events were missed that cannot be repeated.
  case reset

  /// The event's name on the wire.
  public var name: String {
    switch self {
    case .room: "room"
    case .roomForgotten: "roomForgotten"
    case .group: "group"
    case .playback: "playback"
    case .queue: "queue"
    case .job: "job"
    case .library: "library"
    case .reset: "reset"
    }
  }

  /// The event's data on the wire.
  ///
  /// - Returns: JSON in one line.
  /// - Throws: ``DocumentError`` when a number has no form in JSON.
  public func data() throws(DocumentError) -> [UInt8] {
    switch self {
    case .room(let room): try JSONDocument.encode(room)
    case .roomForgotten(let id): try JSONDocument.encode(RoomForgotten(id: id))
    case .group(let group): try JSONDocument.encode(group)
    case .playback(let groupID, let playback):
      try JSONDocument.encode(OfGroup(groupID: groupID, playback: playback))
    case .queue(let groupID, let queue):
      try JSONDocument.encode(OfGroup(groupID: groupID, queue: queue))
    case .job(let job): try JSONDocument.encode(job)
    case .library(let revision): try JSONDocument.encode(LibraryChange(revision: revision))
    case .reset: Array("{}".utf8)
    }
  }

  /// Reads an event; nil for a name of a later version, which a listener passes over.
  ///
  /// - Parameters:
  ///   - name: The event's name on the wire.
  ///   - data: Its data.
  /// - Throws: ``DocumentError`` when the data does not fit the name.
  public init?(name: String, data: [UInt8]) throws(DocumentError) {
    switch name {
    case "room": self = .room(try JSONDocument.decode(RoomDocument.self, from: data))
    case "roomForgotten":
      self = .roomForgotten(id: try JSONDocument.decode(RoomForgotten.self, from: data).id)
    case "group": self = .group(try JSONDocument.decode(GroupDocument.self, from: data))
    case "playback":
      let part = try JSONDocument.decode(OfGroup.self, from: data)
      guard let playback = part.playback else { throw DocumentError("`playback` is missing") }
      self = .playback(groupID: part.groupID, playback)
    case "queue":
      let part = try JSONDocument.decode(OfGroup.self, from: data)
      guard let queue = part.queue else { throw DocumentError("`queue` is missing") }
      self = .queue(groupID: part.groupID, queue)
    case "job": self = .job(try JSONDocument.decode(JobDocument.self, from: data))
    case "library":
      self = .library(revision: try JSONDocument.decode(LibraryChange.self, from: data).revision)
    case "reset": self = .reset
    default: return nil
    }
  }

  private struct RoomForgotten: Codable { var id: String }
  private struct LibraryChange: Codable { var revision: UInt64 }

  private struct OfGroup: Codable {
    var groupID: String
    var playback: PlaybackDocument?
    var queue: QueueDocument?
  }
}

extension StateDocument {
  /// Brings the state up to date with an event.
  ///
  /// - Parameter event: What has changed; ``EventDocument/reset`` changes nothing here.
  public mutating func apply(_ event: EventDocument) {
    switch event {
    case .room(let room):
      if let index = rooms.firstIndex(where: { $0.id == room.id }) {
        rooms[index] = room
      } else {
        rooms.append(room)
      }
    case .roomForgotten(let id): rooms.removeAll { $0.id == id }
    case .group(let group):
      if let index = groups.firstIndex(where: { $0.id == group.id }) {
        groups[index] = group
      } else {
        groups.append(group)
      }
    case .playback(let groupID, let playback):
      if let index = groups.firstIndex(where: { $0.id == groupID }) {
        groups[index].playback = playback
      }
    case .queue(let groupID, let queue):
      if let index = groups.firstIndex(where: { $0.id == groupID }) {
        groups[index].queue = queue
      }
    case .job, .library, .reset: break
    }
  }
}
