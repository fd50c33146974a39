// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a group can be told: the body of `POST /api/v1/groups/{id}/commands`.
///
/// In JSON one flat object: `{"command": "seek", "offsetSeconds": -10}`.
public enum GroupCommand: Sendable, Hashable {
  /// Replaces the queue by `items` and plays it; without items it resumes, or starts the queue when
  /// stopped. `startAt` counts the tracks that the items stand for, from 0; absent, a shuffled queue
  /// may begin with any. `startSeconds` counts within the first track that is heard.
  case play(items: [MediaReference], startSeconds: Double?, startAt: Int? = nil)
  /// Plays a track of the queue.
  case playItem(UInt64)
  /// Falls silent and keeps the place.
  case pause
  /// Goes on at the place.
  case resume
  /// Pauses when playing, else resumes or starts.
  case toggle
  /// Falls silent and returns to the start of the queue.
  case stop
  /// Plays the next track.
  case next
  /// Plays the previous track, or this one again when more than 3 s in.
  case previous
  /// Moves within the track.
  case seek(SeekTarget)
  /// Changes the group's volume; the rooms keep their balance.
  case volume(VolumeChange)
  /// Mutes or unmutes every room.
  case mute(Bool)
  /// Adds tracks.
  case queueAdd(items: [MediaReference], place: QueuePlace)
  /// Moves tracks, in the order in which they are named.
  case queueMove(itemIDs: [UInt64], place: QueuePlace)
  /// Takes tracks out.
  case queueRemove(itemIDs: [UInt64])
  /// Empties the queue and stops.
  case queueClear
  /// Keeps the queue as a playlist; `replaces` allows that one of this name is overwritten.
  case queueSave(name: String, replaces: Bool = false)
  /// Replaces the queue by a playlist that was kept; what played goes on with its first track.
  case queueLoad(name: String)
  /// Brings the queue into a random order, or back into its own; what plays goes on.
  case shuffle(Bool)
  /// Chooses what happens at the end.
  case setRepeat(RepeatMode)
  /// Opens the rooms' devices, so that the next command sounds at once.
  case arm
}

/// What a room can be told: the body of `POST /api/v1/rooms/{id}/commands`.
public enum RoomCommand: Sendable, Hashable {
  /// Changes the room's volume.
  case volume(VolumeChange)
  /// Mutes or unmutes the room.
  case mute(Bool)
}

/// Where to move within a track.
public enum SeekTarget: Sendable, Hashable {
  /// So far from the track's start: `seconds` in JSON.
  case absolute(Double)
  /// So far from what is heard now: `offsetSeconds` in JSON.
  case relative(Double)
}

/// How to change a volume of 0 to 100.
public enum VolumeChange: Sendable, Hashable {
  /// To this level: `level` in JSON.
  case absolute(Int)
  /// By so much: `change` in JSON. The result stays within 0 to 100.
  case relative(Int)
}

/// Where in the queue tracks go. In JSON `place`, and `itemID` where it needs one.
public enum QueuePlace: Sendable, Hashable {
  /// After all others; in a shuffled queue anywhere among those to come.
  case end
  /// Right after the track that plays.
  case next
  /// In front of this item.
  case before(UInt64)
  /// Behind this item.
  case after(UInt64)
}

/// A command with what its sender wants to recognise it by.
public struct CommandDocument<Command: Sendable & Hashable>: Sendable, Hashable {
  /// What to do.
  public var command: Command
  /// A number of the sender's own, given back in the answer: a slider that has sent newer values
  /// since then passes over the answer.
  public var clientSequence: UInt64?

  /// A command document.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - clientSequence: A number of the sender's own.
  public init(_ command: Command, clientSequence: UInt64? = nil) {
    self.command = command
    self.clientSequence = clientSequence
  }
}

extension CommandDocument: Codable where Command: FlatlyCoded {
  /// Reads a command.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When the command is not known or lacks something.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CommandKey.self)
    command = try Command(flat: container)
    clientSequence =
      container.contains(.clientSequence)
      ? try container.number(.clientSequence, in: 0...greatestNumber) : nil
  }

  /// Writes the command.
  ///
  /// - Parameter encoder: Where to write to.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CommandKey.self)
    try command.encode(flat: &container)
    try container.encodeIfPresent(clientSequence, forKey: .clientSequence)
  }
}
