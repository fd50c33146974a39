// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// What has been told to everybody who listens, so that only changes are told.
struct Bulletin {
  /// Grows with every change that was told.
  private(set) var revision: UInt64 = 1
  private var rooms: [String: RoomDocument] = [:]
  private var groups: [String: GroupDocument] = [:]

  /// Compares the state with what was told, and takes it over.
  ///
  /// - Parameters:
  ///   - rooms: Every room.
  ///   - groups: Every group.
  ///   - progress: Whether the mere passing of time is told too.
  /// - Returns: What to tell, in order.
  mutating func changes(
    rooms: [RoomDocument], groups: [GroupDocument], progress: Bool
  ) -> [EventDocument] {
    var events: [EventDocument] = []
    for room in rooms { events += news(of: room) }
    let present = Set(rooms.map(\.id))
    for id in self.rooms.keys.filter({ !present.contains($0) }).sorted() {
      events.append(.roomForgotten(id: id))
      self.rooms[id] = nil
    }
    for group in groups { events += changes(in: group, progress: progress) }
    if !events.isEmpty { revision += 1 }
    return events
  }

  /// Compares one room with what was told, and takes it over.
  mutating func changes(in room: RoomDocument) -> [EventDocument] {
    let events = news(of: room)
    if !events.isEmpty { revision += 1 }
    return events
  }

  private mutating func news(of room: RoomDocument) -> [EventDocument] {
    guard rooms[room.id] != timeless(room) else { return [] }
    rooms[room.id] = timeless(room)
    return [.room(room)]
  }

  private mutating func changes(in group: GroupDocument, progress: Bool) -> [EventDocument] {
    let old = groups[group.id]
    groups[group.id] = group
    guard let old else { return [.group(group)] }
    var events: [EventDocument] = []
    if head(old) != head(group) {
      // A group's event carries its queue and playback too.
      return [.group(group)]
    }
    if old.queue != group.queue { events.append(.queue(groupID: group.id, group.queue)) }
    if progress || timeless(old.playback) != timeless(group.playback) {
      events.append(.playback(groupID: group.id, group.playback))
    }
    return events
  }

  /// A group without what has events of its own.
  private func head(_ group: GroupDocument) -> GroupDocument {
    var head = group
    head.playback = PlaybackDocument(state: .stopped)
    head.queue = QueueDocument(revision: 0, items: [])
    return head
  }

  /// A room without what passes by itself.
  private func timeless(_ room: RoomDocument) -> RoomDocument {
    var timeless = room
    timeless.lastSeenSecondsAgo = nil
    return timeless
  }

  /// Playback without what passes by itself.
  private func timeless(_ playback: PlaybackDocument) -> PlaybackDocument {
    var timeless = playback
    if playback.state == .playing { timeless.positionSeconds = nil }
    timeless.delayMilliseconds = nil
    return timeless
  }
}
