// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase

/// A queue as it is kept.
public struct SavedQueue: Sendable, Equatable {
  /// A track in the queue.
  public struct Item: Sendable, Hashable {
    /// Its identity.
    public var id: UInt64
    /// What `location` is: a word of the house's choosing.
    public var kind: String
    /// Where its sound comes from.
    public var location: String
    /// What it is called.
    public var label: String
    /// Its title, when that is known without opening it.
    public var title: String?
    /// Who plays it, when that is known without opening it.
    public var artist: String?
    /// What it is on, when that is known without opening it.
    public var album: String?
    /// How long it is, in milliseconds, when that is known without opening it.
    public var durationMilliseconds: Int64?

    /// A track in the queue.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - kind: What `location` is.
    ///   - location: Where its sound comes from.
    ///   - label: What it is called.
    public init(id: UInt64, kind: String, location: String, label: String) {
      self.id = id
      self.kind = kind
      self.location = location
      self.label = label
    }
  }

  /// The tracks in the order in which they play.
  public var items: [Item] = []
  /// While shuffled: the identities in the order to go back to.
  public var naturalOrder: [UInt64]?
  /// What was heard, oldest first.
  public var history: [UInt64] = []
  /// The current track.
  public var current: UInt64?
  /// How often the queue has been edited.
  public var revision: UInt64 = 0
  /// The repeat mode, a word of the house's choosing.
  public var repeatMode = "off"
  /// The identity for the next new track.
  public var nextID: UInt64 = 1

  /// An empty queue.
  public init() {}
}

extension SavedQueue.Item {
  var row: [SQLiteValue] {
    [
      .bits(id), .text(kind), .text(location), .text(label), .optional(title), .optional(artist),
      .optional(album), .optional(durationMilliseconds),
    ]
  }
}
