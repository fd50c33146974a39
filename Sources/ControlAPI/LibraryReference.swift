// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Something of the library, to be played: a song, or everything of an album, an artist and so on.
///
/// In JSON the kind with an id or a name, and where to begin: `{"album": 12, "startAt": 345}`,
/// `{"artist": "Bach"}`, `{"songs": true}`.
public struct LibraryReference: Sendable, Hashable {
  /// What is meant.
  public enum Kind: String, CodingKey, Sendable, Hashable, CaseIterable {
    /// All songs, by title.
    case songs
    /// One song.
    case song
    /// An album in its order; a book or a podcast too.
    case album
    /// Everything with an artist, album by album.
    case artist
    /// Everything by a composer, album by album.
    case composer
    /// Everything of a genre.
    case genre
    /// Everything of a year.
    case year
    /// A playlist in its order.
    case playlist
    /// A radio station.
    case station
  }

  /// Which one.
  public enum Which: Sendable, Hashable {
    /// All there are; for ``Kind/songs`` alone.
    case all
    /// The one with this id; a year by its number.
    case id(Int64)
    /// The one with this name, as a person writes it; refused with the choices when several fit.
    case name(String)
  }

  /// What is meant.
  public var kind: Kind
  /// Which one.
  public var which: Which
  /// The song to begin with, by its id; the queue holds the ones before it too.
  public var startAt: Int64?

  /// A reference.
  ///
  /// - Parameters:
  ///   - kind: What is meant.
  ///   - which: Which one.
  ///   - startAt: The song to begin with.
  public init(_ kind: Kind, _ which: Which = .all, startAt: Int64? = nil) {
    self.kind = kind
    self.which = which
    self.startAt = startAt
  }

  init(kind: Kind, from container: KeyedDecodingContainer<MediaKey>) throws {
    self.kind = kind
    let key = MediaKey(kind)
    startAt = try container.decodeIfPresent(Int64.self, forKey: .startAt)
    if kind == .songs {
      guard try container.decode(Bool.self, forKey: key) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "`songs` can only be true")
      }
      which = .all
    } else if let id = try? container.decode(Int64.self, forKey: key) {
      which = .id(id)
    } else {
      which = .name(try container.decode(String.self, forKey: key))
    }
  }

  func encode(to container: inout KeyedEncodingContainer<MediaKey>) throws {
    let key = MediaKey(kind)
    switch which {
    case .all: try container.encode(true, forKey: key)
    case .id(let id): try container.encode(id, forKey: key)
    case .name(let name): try container.encode(name, forKey: key)
    }
    try container.encodeIfPresent(startAt, forKey: .startAt)
  }
}

/// The fields of a ``MediaReference``.
enum MediaKey: String, CodingKey {
  case path, url, upload, input
  case songs, song, album, artist, composer, genre, year, playlist, station
  case startAt

  init(_ kind: LibraryReference.Kind) {
    self =
      switch kind {
      case .songs: .songs
      case .song: .song
      case .album: .album
      case .artist: .artist
      case .composer: .composer
      case .genre: .genre
      case .year: .year
      case .playlist: .playlist
      case .station: .station
      }
  }
}
