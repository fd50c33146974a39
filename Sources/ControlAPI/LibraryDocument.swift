// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How much the library holds.
public struct LibraryDocument: Codable, Sendable, Hashable {
  /// Grows with every change of what the library holds.
  public var revision: UInt64
  /// Songs, without audiobooks and podcasts.
  public var songCount = 0
  /// Albums of songs.
  public var albumCount = 0
  /// Artists.
  public var artistCount = 0
  /// Composers.
  public var composerCount = 0
  /// Genres.
  public var genreCount = 0
  /// Playlists' files.
  public var playlistCount = 0
  /// Audiobooks.
  public var audiobookCount = 0
  /// Podcasts.
  public var podcastCount = 0
  /// Radio stations.
  public var stationCount = 0
  /// Files that cannot be played.
  public var failedFileCount = 0
  /// Files whose disk is away.
  public var missingFileCount = 0
  /// The length of everything.
  public var durationSeconds: Double = 0

  /// An empty library.
  ///
  /// - Parameter revision: Grows with every change.
  public init(revision: UInt64) { self.revision = revision }
}

/// A part of a long list.
public struct PageDocument<Item: Codable & Sendable & Hashable>: Codable, Sendable, Hashable {
  /// The items in order.
  public var items: [Item]
  /// Asks for what comes after them; absent at the end.
  public var nextCursor: String?
  /// How long the whole list is; in a search 1000 means that many or more.
  public var total: Int

  /// A page.
  ///
  /// - Parameters:
  ///   - items: The items in order.
  ///   - nextCursor: Asks for what comes after them.
  ///   - total: How long the whole list is.
  public init(items: [Item], nextCursor: String? = nil, total: Int) {
    (self.items, self.nextCursor, self.total) = (items, nextCursor, total)
  }
}

/// Something that songs are listed under: an artist, composer or genre.
public struct HeadingDocument: Codable, Sendable, Hashable, Identifiable {
  /// Its number.
  public var id: Int64
  /// Its name.
  public var name: String
  /// How many albums there are with songs of it.
  public var albumCount: Int
  /// How many songs.
  public var songCount: Int

  /// A heading.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: Its name.
  ///   - albumCount: How many albums there are with songs of it.
  ///   - songCount: How many songs.
  public init(id: Int64, name: String, albumCount: Int, songCount: Int) {
    (self.id, self.name) = (id, name)
    (self.albumCount, self.songCount) = (albumCount, songCount)
  }
}

/// A year with what there is of it.
public struct YearDocument: Codable, Sendable, Hashable {
  /// The year.
  public var year: Int
  /// How many albums are of it.
  public var albumCount: Int
  /// How many songs.
  public var songCount: Int

  /// A year.
  ///
  /// - Parameters:
  ///   - year: The year.
  ///   - albumCount: How many albums are of it.
  ///   - songCount: How many songs.
  public init(year: Int, albumCount: Int, songCount: Int) {
    (self.year, self.albumCount, self.songCount) = (year, albumCount, songCount)
  }
}

/// A playlist's file in the music folders.
public struct LibraryPlaylistDocument: Codable, Sendable, Hashable, Identifiable {
  /// Its number.
  public var id: Int64
  /// Its name.
  public var name: String
  /// The file, for people.
  public var location: String
  /// How many entries the file has.
  public var entryCount: Int

  /// A playlist.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: Its name.
  ///   - location: The file, for people.
  ///   - entryCount: How many entries the file has.
  public init(id: Int64, name: String, location: String, entryCount: Int) {
    (self.id, self.name) = (id, name)
    (self.location, self.entryCount) = (location, entryCount)
  }
}

/// An entry of a playlist: with `song`, with `url`, or with neither when it names nothing there is.
public struct PlaylistEntryDocument: Codable, Sendable, Hashable {
  /// What the list calls it.
  public var title: String
  /// The song.
  public var song: SongDocument?
  /// The address.
  public var url: String?

  /// An entry.
  ///
  /// - Parameters:
  ///   - title: What the list calls it.
  ///   - song: The song.
  ///   - url: The address.
  public init(title: String, song: SongDocument? = nil, url: String? = nil) {
    (self.title, self.song, self.url) = (title, song, url)
  }
}

/// A radio station.
public struct StationDocument: Codable, Sendable, Hashable, Identifiable {
  /// Its number.
  public var id: Int64
  /// Its name.
  public var name: String
  /// Where it sends.
  public var url: String

  /// A station.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - name: Its name.
  ///   - url: Where it sends.
  public init(id: Int64, name: String, url: String) {
    (self.id, self.name, self.url) = (id, name, url)
  }
}

/// The letters beside a list.
public struct LettersDocument: Codable, Sendable, Hashable {
  /// A letter with where its items are.
  public struct Letter: Codable, Sendable, Hashable {
    /// `A`; `#` for numbers and signs, `…` for scripts with too many signs to list.
    public var letter: String
    /// How many items stand before it.
    public var offset: Int
    /// How many items stand under it.
    public var count: Int
    /// The page that begins there; absent: the first.
    public var cursor: String?

    /// A letter.
    ///
    /// - Parameters:
    ///   - letter: `A`.
    ///   - offset: How many items stand before it.
    ///   - count: How many items stand under it.
    ///   - cursor: The page that begins there.
    public init(letter: String, offset: Int, count: Int, cursor: String?) {
      (self.letter, self.offset, self.count) = (letter, offset, count)
      self.cursor = cursor
    }
  }

  /// The letters in the order of the list.
  public var letters: [Letter]

  /// The letters.
  ///
  /// - Parameter letters: In the order of the list.
  public init(letters: [Letter]) { self.letters = letters }
}

/// What a search found, by kind; absent: not searched for.
public struct SearchDocument: Codable, Sendable, Hashable {
  /// Songs, and files of audiobooks and podcasts.
  public var songs: PageDocument<SongDocument>?
  /// Albums of songs.
  public var albums: PageDocument<AlbumDocument>?
  /// Artists.
  public var artists: PageDocument<HeadingDocument>?
  /// Composers.
  public var composers: PageDocument<HeadingDocument>?
  /// Genres.
  public var genres: PageDocument<HeadingDocument>?
  /// Audiobooks.
  public var audiobooks: PageDocument<AlbumDocument>?
  /// Podcasts.
  public var podcasts: PageDocument<AlbumDocument>?
  /// Playlists' files.
  public var playlists: PageDocument<LibraryPlaylistDocument>?
  /// Radio stations.
  public var stations: PageDocument<StationDocument>?

  /// Nothing.
  public init() {}
}

/// A song's stars: the body of `PUT /api/v1/library/songs/{id}/rating`.
public struct RatingDocument: Codable, Sendable, Hashable {
  /// 1 to 5; absent or null takes the stars away.
  public var rating: Int?

  /// Stars.
  ///
  /// - Parameter rating: 1 to 5; nil takes them away.
  public init(rating: Int?) { self.rating = rating }
}
