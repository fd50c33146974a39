// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Rooms that play one queue.
public struct GroupDocument: Codable, Sendable, Hashable, Identifiable {
  /// Stays the same for the group's life.
  public var id: String
  /// For people.
  public var name: String
  /// Ids of its rooms.
  public var roomIDs: [String]
  /// The group's volume, 0 to 100; its rooms keep their balance around it.
  public var volume: Int
  /// Whether all of its rooms are muted.
  public var isMuted: Bool
  /// What is heard.
  public var playback: PlaybackDocument
  /// What comes next.
  public var queue: QueueDocument

  /// A group.
  ///
  /// - Parameters:
  ///   - id: Stays the same for the group's life.
  ///   - name: For people.
  ///   - roomIDs: Ids of its rooms.
  ///   - volume: The group's volume, 0 to 100.
  ///   - isMuted: Whether all of its rooms are muted.
  ///   - playback: What is heard.
  ///   - queue: What comes next.
  public init(
    id: String, name: String, roomIDs: [String], volume: Int, isMuted: Bool,
    playback: PlaybackDocument, queue: QueueDocument
  ) {
    self.id = id
    self.name = name
    self.roomIDs = roomIDs
    self.volume = volume
    self.isMuted = isMuted
    self.playback = playback
    self.queue = queue
  }
}

/// Whether a group plays.
public enum PlaybackPhase: String, Codable, Sendable, Hashable, CaseIterable {
  /// Nothing is loaded; the queue waits at its start.
  case stopped
  /// It sounds, or is about to.
  case playing
  /// It waits at a place.
  case paused
  /// A phase that this version does not know.
  case unknown

  /// Reads a phase; a word of a later version becomes ``unknown``.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When there is no text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = PlaybackPhase(rawValue: word) ?? .unknown
  }
}

/// What a group plays, and where it is.
public struct PlaybackDocument: Codable, Sendable, Hashable {
  /// Whether it plays.
  public var state: PlaybackPhase
  /// The track; absent when stopped.
  public var item: QueueItemDocument?
  /// The heard position when this document was made. While playing it grows by a second a second.
  public var positionSeconds: Double?
  /// The track's length; absent when it is not known (radio).
  public var durationSeconds: Double?
  /// How long after it was sent a frame is heard, now: the playout delay. Absent when stopped.
  public var delayMilliseconds: Double?
  /// Why the music stopped or a track was passed over, in words; absent when all is well.
  public var problem: String?
  /// What the station says, when the track is one; absent for anything that has an end.
  public var broadcast: BroadcastDocument?

  /// A playback document.
  ///
  /// - Parameters:
  ///   - state: Whether it plays.
  ///   - item: The track.
  ///   - positionSeconds: The heard position now.
  ///   - durationSeconds: The track's length.
  ///   - problem: Why the music stopped or a track was passed over.
  public init(
    state: PlaybackPhase, item: QueueItemDocument? = nil, positionSeconds: Double? = nil,
    durationSeconds: Double? = nil, problem: String? = nil
  ) {
    self.state = state
    self.item = item
    self.positionSeconds = positionSeconds
    self.durationSeconds = durationSeconds
    self.problem = problem
  }
}
