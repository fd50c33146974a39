// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a group plays, in order: all of it, or a part.
///
/// In states and events a long queue is a window of ``window`` items around the current one, so that a
/// track change in a queue of 20,000 costs what it costs in one of 100. `GET /groups/{id}/queue` has the
/// rest, in pages.
public struct QueueDocument: Codable, Sendable, Hashable {
  /// The most items that a state or an event carries.
  public static let window = 100

  /// Grows with every change of the items or their order; what `If-Match` compares.
  public var revision: UInt64
  /// How many tracks there are in all.
  public var count: Int
  /// How many tracks come before the first of ``items``.
  public var firstIndex: Int
  /// The tracks of this part, in the order in which they play.
  public var items: [QueueItemDocument]
  /// Where the next page begins; absent at the end, and outside of pages.
  public var nextCursor: String?
  /// The track that plays or would play next.
  public var currentItemID: UInt64?
  /// Whether the order is shuffled.
  public var shuffle: Bool
  /// What happens at the end.
  public var repeatMode: RepeatMode

  /// A queue.
  ///
  /// - Parameters:
  ///   - revision: Grows with every change.
  ///   - items: The tracks in order; all there are, until told otherwise.
  ///   - currentItemID: The track that plays or would play next.
  ///   - shuffle: Whether the order is shuffled.
  ///   - repeatMode: What happens at the end.
  public init(
    revision: UInt64, items: [QueueItemDocument], currentItemID: UInt64? = nil,
    shuffle: Bool = false, repeatMode: RepeatMode = .off
  ) {
    self.revision = revision
    count = items.count
    firstIndex = 0
    self.items = items
    self.currentItemID = currentItemID
    self.shuffle = shuffle
    self.repeatMode = repeatMode
  }

  /// `repeat` in JSON, which is a keyword here.
  private enum CodingKeys: String, CodingKey {
    case revision, count, firstIndex, items, nextCursor, currentItemID, shuffle
    case repeatMode = "repeat"
  }
}

/// What happens at the end of the queue.
public enum RepeatMode: String, Codable, Sendable, Hashable, CaseIterable {
  /// The music stops.
  case off
  /// The queue begins again.
  case all
  /// The track begins again.
  case one
}

/// A track in a queue. Its id never names another item, even after it is gone.
public struct QueueItemDocument: Codable, Sendable, Hashable, Identifiable {
  /// The item's own number; the same file twice is two items. Below 2^53, for JavaScript.
  public var id: UInt64
  /// The title, or the file's name when there is none. Never empty.
  public var title: String
  /// The artist, if known.
  public var artist: String?
  /// The album, if known.
  public var album: String?
  /// The length, if known.
  public var durationSeconds: Double?
  /// The path, URL or name of the uploaded file.
  public var location: String
  /// Why it cannot be played, in words; absent when it can, as far as anybody knows.
  public var problem: String?

  /// A track.
  ///
  /// - Parameters:
  ///   - id: The item's own number.
  ///   - title: The title, or the file's name.
  ///   - artist: The artist, if known.
  ///   - album: The album, if known.
  ///   - durationSeconds: The length, if known.
  ///   - location: The path, URL or name of the uploaded file.
  ///   - problem: Why it cannot be played.
  public init(
    id: UInt64, title: String, artist: String? = nil, album: String? = nil,
    durationSeconds: Double? = nil, location: String, problem: String? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.album = album
    self.durationSeconds = durationSeconds
    self.location = location
    self.problem = problem
  }
}
