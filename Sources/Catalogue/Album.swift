// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

/// Songs that were published together; also a book, or a podcast with its episodes.
public struct Album: Sendable, Hashable, Identifiable {
  /// Names the album for as long as it has songs; never given to another.
  public var id: Int64 = 0
  /// The title. Never empty.
  public var title = ""
  /// Under whom it is filed; nil when nobody is known.
  public var artist: String?
  /// The year of most of its songs.
  public var year: Int?
  /// What its songs are played as.
  public var kind = TrackTags.Kind.song
  /// How many songs it has.
  public var songCount = 0
  /// The length of all of them.
  public var durationMilliseconds: Int64 = 0
  /// Whether one of its songs has a picture.
  public var hasArtwork = false
  /// Whether any of its songs can be reached.
  public var isAvailable = true

  /// An album of which nothing is known.
  public init() {}
}

/// Somebody or something that songs are listed under: an artist, composer or genre.
public struct Heading: Sendable, Hashable, Identifiable {
  /// Names it for as long as there are songs; never given to another.
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
  ///   - id: Names it.
  ///   - name: Its name.
  ///   - albumCount: How many albums there are with songs of it.
  ///   - songCount: How many songs.
  public init(id: Int64, name: String, albumCount: Int, songCount: Int) {
    (self.id, self.name) = (id, name)
    (self.albumCount, self.songCount) = (albumCount, songCount)
  }
}

/// A year with what there is of it.
public struct Year: Sendable, Hashable {
  /// The year.
  public var year: Int
  /// How many albums are of it: most of their songs are.
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

/// A list that somebody has put together.
public struct Playlist: Sendable, Hashable, Identifiable {
  /// Names the list for as long as its file is known.
  public var id: Int64
  /// Its name: the file's, without the ending.
  public var name: String
  /// The file, as a `PathText`.
  public var path: String
  /// How many entries the file has; those that are lists themselves count as one.
  public var entryCount: Int

  /// A list.
  ///
  /// - Parameters:
  ///   - id: Names the list.
  ///   - name: Its name.
  ///   - path: The file.
  ///   - entryCount: How many entries the file has.
  public init(id: Int64, name: String, path: String, entryCount: Int) {
    (self.id, self.name, self.path, self.entryCount) = (id, name, path, entryCount)
  }
}

/// An entry of a list: a song of the library, an address, or something that is not there.
public struct PlaylistItem: Sendable, Hashable {
  /// The song, when it is one.
  public var song: Song?
  /// The address, when it is one.
  public var url: String?
  /// The title as the list has it, else what the entry names.
  public var title: String

  /// An entry.
  ///
  /// - Parameters:
  ///   - song: The song, when it is one.
  ///   - url: The address, when it is one.
  ///   - title: The title.
  public init(song: Song? = nil, url: String? = nil, title: String) {
    (self.song, self.url, self.title) = (song, url, title)
  }
}

/// A radio station.
public struct Station: Sendable, Hashable, Identifiable {
  /// Names the station for as long as it is listed.
  public var id: Int64
  /// Its name.
  public var name: String
  /// Where it sends: `http:` or `https:`.
  public var url: String

  /// A station.
  ///
  /// - Parameters:
  ///   - id: Names the station.
  ///   - name: Its name.
  ///   - url: Where it sends.
  public init(id: Int64, name: String, url: String) {
    (self.id, self.name, self.url) = (id, name, url)
  }
}
