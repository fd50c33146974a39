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
  /// A file that a client sent because the coordinator may not read it; by its upload identity.
  case upload(id: String)
  /// A live input of the coordinator, by its name. It has no length and no places: it is heard now.
  case input(name: String)

  /// Whether this sounds now or never: no place in it can be gone to, and nothing follows it.
  public var isLive: Bool { if case .input = self { true } else { false } }
}

/// A track in the queue.
public struct QueueItem: Sendable, Hashable, Identifiable {
  /// Which place this is.
  public var id: ItemID
  /// Where its sound comes from.
  public var source: ItemSource
  /// What to call it until its tags have been read: mostly the file's name.
  public var label: String

  /// A place in the queue.
  ///
  /// - Parameters:
  ///   - id: Its identity.
  ///   - source: Where its sound comes from.
  ///   - label: What to call it until its tags have been read.
  public init(id: ItemID, source: ItemSource, label: String) {
    self.id = id
    self.source = source
    self.label = label
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
    case .url(let address): address
    case .upload: label
    case .input(let name): "input:\(name)"
    }
  }
}
