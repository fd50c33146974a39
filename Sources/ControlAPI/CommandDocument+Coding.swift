// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The fields that commands are made of.
public enum CommandKey: String, CodingKey, Sendable {
  /// Every field by its name in JSON.
  case command, clientSequence, items, startSeconds, place
  /// Every field by its name in JSON.
  case seconds, offsetSeconds, level, change, muted
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
    case play, pause, resume, toggle, stop, next, previous, seek, volume, mute, queueAdd
    case queueClear, arm
  }

  /// Reads the command's own fields.
  ///
  /// - Parameter container: The object.
  /// - Throws: When the command is not known or lacks something.
  public init(flat container: KeyedDecodingContainer<CommandKey>) throws {
    switch try container.word(Word.self) {
    case .play:
      self = .play(
        items: try container.decodeIfPresent([MediaReference].self, forKey: .items) ?? [],
        startSeconds: try container.decodeIfPresent(Double.self, forKey: .startSeconds))
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
        place: try container.decodeIfPresent(QueuePlace.self, forKey: .place) ?? .end)
    case .queueClear: self = .queueClear
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
    case .play(let items, let startSeconds):
      if !items.isEmpty { try container.encode(items, forKey: .items) }
      try container.encodeIfPresent(startSeconds, forKey: .startSeconds)
    case .seek(let target): try container.encode(target)
    case .volume(let change): try container.encode(change)
    case .mute(let muted): try container.encode(muted, forKey: .muted)
    case .queueAdd(let items, let place):
      try container.encode(items, forKey: .items)
      try container.encode(place, forKey: .place)
    case .pause, .resume, .toggle, .stop, .next, .previous, .queueClear, .arm: break
    }
  }

  private var word: Word {
    switch self {
    case .play: .play
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
    case .queueClear: .queueClear
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
