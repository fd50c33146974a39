// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What something in the library is played as.
public enum MediaKindWord: String, Codable, Sendable, Hashable, CaseIterable {
  /// Music.
  case song
  /// A book read aloud; its position is remembered.
  case audiobook
  /// An episode; its position is remembered.
  case podcast
  /// A kind that this version does not know.
  case unknown

  /// Reads a kind; a word of a later version becomes ``unknown``.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When there is no text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = MediaKindWord(rawValue: word) ?? .unknown
  }
}

/// A song of the library. What its file does not say is absent.
public struct SongDocument: Codable, Sendable, Hashable, Identifiable {
  /// Its number; below 2^53, for JavaScript. Never given to another song.
  public var id: Int64
  /// The title, or the file's name when there is none. Never empty.
  public var title: String
  /// Who plays, in one line.
  public var artist: String?
  /// Under whom the album is filed, as this file says.
  public var albumArtist: String?
  /// The album's title.
  public var album: String?
  /// The album's number.
  public var albumID: Int64?
  /// Who wrote it, in one line.
  public var composer: String?
  /// Its genres, in one line.
  public var genre: String?
  /// The year.
  public var year: Int?
  /// The number on its disc, from 1.
  public var trackNumber: Int?
  /// The number of its disc, from 1.
  public var discNumber: Int?
  /// The length.
  public var durationSeconds: Double?
  /// What it is played as.
  public var kind: MediaKindWord
  /// Whether it has a picture; without one the default picture stands for it.
  public var hasArtwork: Bool
  /// 1 to 5 stars; absent when nobody has said.
  public var rating: Int?
  /// Where listening stopped; absent at the start.
  public var positionSeconds: Double?
  /// Whether its file can be reached: false while its disk is away.
  public var isAvailable: Bool
  /// The file, for people: what is no text in its name is U+FFFD.
  public var location: String

  /// A song with nothing but a title.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - title: The title.
  ///   - kind: What it is played as.
  ///   - location: The file, for people.
  public init(id: Int64, title: String, kind: MediaKindWord, location: String) {
    (self.id, self.title, self.kind, self.location) = (id, title, kind, location)
    hasArtwork = false
    isAvailable = true
  }
}

/// A song with what only its own page shows.
public struct SongDetailsDocument: Codable, Sendable, Hashable {
  /// A marked place in the file.
  public struct Chapter: Codable, Sendable, Hashable {
    /// Where it begins.
    public var startSeconds: Double
    /// Its title; empty when it has none.
    public var title: String

    /// A chapter.
    ///
    /// - Parameters:
    ///   - startSeconds: Where it begins.
    ///   - title: Its title.
    public init(startSeconds: Double, title: String) {
      (self.startSeconds, self.title) = (startSeconds, title)
    }
  }

  /// Measured loudness as the gain that brings it to -18 LUFS.
  public struct Gain: Codable, Sendable, Hashable {
    /// Gain of the track.
    public var trackDecibels: Double?
    /// Largest sample of the track, 1 = full scale.
    public var trackPeak: Double?
    /// Gain of the album.
    public var albumDecibels: Double?
    /// Largest sample of the album, 1 = full scale.
    public var albumPeak: Double?

    /// Nothing measured.
    public init() {}
  }

  /// The song.
  public var song: SongDocument
  /// Lyrics, plain or with times (LRC).
  public var lyrics: String?
  /// Chapters in order of time.
  public var chapters: [Chapter] = []
  /// How loud it is, if measured.
  public var replayGain: Gain?
  /// The codec's short name: `flac`.
  public var codec: String?
  /// Samples a second.
  public var sampleRate: Int?
  /// Channels.
  public var channels: Int?
  /// Average bits a second.
  public var bitRate: Int?
  /// The file's size.
  public var sizeBytes: Int64 = 0

  /// A song of which no more is known.
  ///
  /// - Parameter song: The song.
  public init(song: SongDocument) { self.song = song }
}

/// An album; also a book, or a podcast with its episodes.
public struct AlbumDocument: Codable, Sendable, Hashable, Identifiable {
  /// Its number; never given to another album.
  public var id: Int64
  /// The title. Never empty.
  public var title: String
  /// Under whom it is filed.
  public var artist: String?
  /// The year of most of its songs.
  public var year: Int?
  /// What its songs are played as.
  public var kind: MediaKindWord
  /// How many songs it has.
  public var songCount: Int
  /// The length of all of them.
  public var durationSeconds: Double
  /// Whether one of its songs has a picture.
  public var hasArtwork: Bool
  /// Whether any of its songs can be reached.
  public var isAvailable: Bool

  /// An album of songs.
  ///
  /// - Parameters:
  ///   - id: Its number.
  ///   - title: The title.
  ///   - kind: What its songs are played as.
  ///   - songCount: How many songs it has.
  ///   - durationSeconds: The length of all of them.
  public init(
    id: Int64, title: String, kind: MediaKindWord, songCount: Int, durationSeconds: Double
  ) {
    (self.id, self.title, self.kind) = (id, title, kind)
    (self.songCount, self.durationSeconds) = (songCount, durationSeconds)
    hasArtwork = false
    isAvailable = true
  }
}

/// An album opened.
public struct AlbumPageDocument: Codable, Sendable, Hashable {
  /// A line of the page.
  public struct Track: Codable, Sendable, Hashable {
    /// `3. Title`, or the title of a song without a number.
    public var label: String
    /// Who plays; absent when all of the album's songs share one artist.
    public var artist: String?
    /// The song.
    public var song: SongDocument

    /// A line.
    ///
    /// - Parameters:
    ///   - label: `3. Title`.
    ///   - artist: Who plays.
    ///   - song: The song.
    public init(label: String, artist: String?, song: SongDocument) {
      (self.label, self.artist, self.song) = (label, artist, song)
    }
  }

  /// The album.
  public var album: AlbumDocument
  /// The album artist for the head, in words: `Unknown artist` when nobody is named.
  public var artist: String
  /// `12 songs, 47 min`.
  public var summary: String
  /// The song whose picture stands for the album; absent: the default picture.
  public var artworkSongID: Int64?
  /// The songs by disc and number.
  public var tracks: [Track]

  /// A page.
  ///
  /// - Parameters:
  ///   - album: The album.
  ///   - artist: The album artist for the head.
  ///   - summary: `12 songs, 47 min`.
  ///   - artworkSongID: The song whose picture stands for the album.
  ///   - tracks: The songs by disc and number.
  public init(
    album: AlbumDocument, artist: String, summary: String, artworkSongID: Int64?, tracks: [Track]
  ) {
    (self.album, self.artist, self.summary) = (album, artist, summary)
    (self.artworkSongID, self.tracks) = (artworkSongID, tracks)
  }
}
