// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The fields that commands are made of.
public enum CommandKey: String, CodingKey, Sendable {
  /// Every field by its name in JSON.
  case command, clientSequence, items, startSeconds, place
  /// Every field by its name in JSON.
  case seconds, offsetSeconds, level, change, muted
  /// Every field by its name in JSON.
  case startAt, itemID, itemIDs, name, replace, on, mode
}

/// A command that is written as one flat object together with others' fields.
public protocol FlatlyCoded {
  /// Reads the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: When the command is not known or lacks something.
  init(flat container: KeyedDecodingContainer<CommandKey>) throws

  /// Writes the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: What the encoder throws.
  func encode(flat container: inout KeyedEncodingContainer<CommandKey>) throws
}

extension GroupCommand: FlatlyCoded {
  private enum Word: String, CaseIterable {
    case play, playItem, pause, resume, toggle, stop, next, previous, seek, volume, mute
    case queueAdd, queueMove, queueRemove, queueClear, queueSave, queueLoad, shuffle, arm
    case setRepeat = "repeat"
  }

  /// Reads the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: When the command is not known or lacks something.
  public init(flat container: KeyedDecodingContainer<CommandKey>) throws {
    switch try container.word(Word.self) {
    case .play:
      self = .play(
        items: try container.given([MediaReference].self, .items) ?? [],
        startSeconds: container.contains(.startSeconds)
          ? try container.seconds(.startSeconds, from: 0) : nil,
        startAt: container.contains(.startAt)
          ? try container.number(.startAt, in: 0...99_999) : nil)
    case .playItem: self = .playItem(try container.itemID())
    case .pause: self = .pause
    case .resume: self = .resume
    case .toggle: self = .toggle
    case .stop: self = .stop
    case .next: self = .next
    case .previous: self = .previous
    case .seek: self = .seek(try container.seekTarget())
    case .volume: self = .volume(try container.volumeChange())
    case .mute: self = .mute(try container.decode(Bool.self, forKey: .muted))
    case .queueAdd:
      self = .queueAdd(
        items: try container.decode([MediaReference].self, forKey: .items),
        place: try container.queuePlace())
    case .queueMove:
      self = .queueMove(itemIDs: try container.itemIDs(), place: try container.queuePlace())
    case .queueRemove: self = .queueRemove(itemIDs: try container.itemIDs())
    case .queueClear: self = .queueClear
    case .queueSave:
      self = .queueSave(
        name: try container.decode(String.self, forKey: .name),
        replaces: try container.given(Bool.self, .replace) ?? false)
    case .queueLoad: self = .queueLoad(name: try container.decode(String.self, forKey: .name))
    case .shuffle: self = .shuffle(try container.decode(Bool.self, forKey: .on))
    case .setRepeat: self = .setRepeat(try container.decode(RepeatMode.self, forKey: .mode))
    case .arm: self = .arm
    }
  }

  /// Writes the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: What the encoder throws.
  public func encode(flat container: inout KeyedEncodingContainer<CommandKey>) throws {
    try container.encode(word.rawValue, forKey: .command)
    switch self {
    case .play(let items, let startSeconds, let startAt):
      if !items.isEmpty { try container.encode(items, forKey: .items) }
      try container.encodeIfPresent(startSeconds, forKey: .startSeconds)
      try container.encodeIfPresent(startAt, forKey: .startAt)
    case .playItem(let id): try container.encode(id, forKey: .itemID)
    case .seek(let target): try container.encode(target)
    case .volume(let change): try container.encode(change)
    case .mute(let muted): try container.encode(muted, forKey: .muted)
    case .queueAdd(let items, let place):
      try container.encode(items, forKey: .items)
      try container.encode(place)
    case .queueMove(let ids, let place):
      try container.encode(ids, forKey: .itemIDs)
      try container.encode(place)
    case .queueRemove(let ids): try container.encode(ids, forKey: .itemIDs)
    case .queueSave(let name, let replaces):
      try container.encode(name, forKey: .name)
      if replaces { try container.encode(true, forKey: .replace) }
    case .queueLoad(let name): try container.encode(name, forKey: .name)
    case .shuffle(let isOn): try container.encode(isOn, forKey: .on)
    case .setRepeat(let mode): try container.encode(mode, forKey: .mode)
    case .pause, .resume, .toggle, .stop, .next, .previous, .queueClear, .arm: break
    }
  }

  private var word: Word {
    switch self {
    case .play: .play
    case .playItem: .playItem
    case .pause: .pause
    case .resume: .resume
    case .toggle: .toggle
    case .stop: .stop
    case .next: .next
    case .previous: .previous
    case .seek: .seek
    case .volume: .volume
    case .mute: .mute
    case .queueAdd: .queueAdd
    case .queueMove: .queueMove
    case .queueRemove: .queueRemove
    case .queueClear: .queueClear
    case .queueSave: .queueSave
    case .queueLoad: .queueLoad
    case .shuffle: .shuffle
    case .setRepeat: .setRepeat
    case .arm: .arm
    }
  }
}

extension RoomCommand: FlatlyCoded {
  private enum Word: String, CaseIterable { case volume, mute }

  /// Reads the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: When the command is not known or lacks something.
  public init(flat container: KeyedDecodingContainer<CommandKey>) throws {
    switch try container.word(Word.self) {
    case .volume: self = .volume(try container.volumeChange())
    case .mute: self = .mute(try container.decode(Bool.self, forKey: .muted))
    }
  }

  /// Writes the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: What the encoder throws.
  public func encode(flat container: inout KeyedEncodingContainer<CommandKey>) throws {
    switch self {
    case .volume(let change):
      try container.encode(Word.volume.rawValue, forKey: .command)
      try container.encode(change)
    case .mute(let muted):
      try container.encode(Word.mute.rawValue, forKey: .command)
      try container.encode(muted, forKey: .muted)
    }
  }
}
