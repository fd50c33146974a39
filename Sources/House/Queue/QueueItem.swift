// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// One place in the queue, for as long as the house remembers it.
///
/// Never used twice, so that an edit that names it cannot hit another item that moved into its place.
public struct ItemID: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The number; counts up from 1.
  public var rawValue: UInt64

  /// The identity with this number.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Whether `a` was made before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// Where the sound of a queue item comes from.
public enum ItemSource: Sendable, Hashable {
  /// A file below one of the music folders, by its absolute path with links resolved.
  case file(path: String)
  /// A file behind an `http` or `https` address.
  case url(String)
  /// A radio station behind an `http` or `https` address: when it cannot be reached, it is waited for.
  case station(String)
  /// A file that a client sent because the coordinator may not read it; by its upload identity.
  case upload(id: String)
  /// A live input of the coordinator, by its name. It has no length and no places: it is heard now.
  case input(name: String)

  /// Whether this sounds now or never: no place in it can be gone to, and nothing follows it.
  public var isLive: Bool { if case .input = self { true } else { false } }
}

/// What is known of a track before it is opened: from the library, or from a playlist.
public struct ItemFacts: Sendable, Hashable {
  /// The title; nil when nobody knows.
  public var title: String?
  /// Who plays; nil when nobody knows.
  public var artist: String?
  /// What it is on; nil when nobody knows.
  public var album: String?
  /// How long it is, in milliseconds; nil when nobody knows.
  public var durationMilliseconds: Int64?

  /// Facts about a track; without any, nothing is known.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - artist: Who plays.
  ///   - album: What it is on.
  ///   - durationMilliseconds: How long it is.
  public init(
    title: String? = nil, artist: String? = nil, album: String? = nil,
    durationMilliseconds: Int64? = nil
  ) {
    self.title = title
    self.artist = artist
    self.album = album
    self.durationMilliseconds = durationMilliseconds
  }
}

/// A track in the queue.
public struct QueueItem: Sendable, Hashable, Identifiable {
  /// Which place this is.
  public var id: ItemID
  /// Where its sound comes from.
  public var source: ItemSource
  /// What to call it until its tags have been read: mostly the file's name.
  public var label: String
  /// What is known of it before it is opened.
  public var facts: ItemFacts

  /// A place in the queue.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - source: Where its sound comes from.
  ///   - label: What to call it until its tags have been read.
  ///   - facts: What is known of it before it is opened.
  public init(id: ItemID, source: ItemSource, label: String, facts: ItemFacts = ItemFacts()) {
    self.id = id
    self.source = source
    self.label = label
    self.facts = facts
  }
}

/// What happens after the last track, or after each.
public enum RepeatMode: String, Sendable, Hashable, CaseIterable {
  /// The music ends after the last track.
  case off
  /// The first track follows the last.
  case all
  /// Each track follows itself, until someone skips.
  case one
}

extension QueueItem {
  /// What a message of trouble calls the item: the file's own name with its ending, which a title
  /// hides, or the whole address.
  public var nameInTrouble: String {
    switch source {
    case .file(let path): path.split(separator: "/").last.map(String.init) ?? path
    case .url(let address), .station(let address): address
    case .upload: label
    case .input(let name): "input:\(name)"
    }
  }
}
