// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

/// A piece of sound in the library: a song, a chapter file of a book, an episode.
public struct Song: Sendable, Hashable, Identifiable {
  /// Names the song for as long as its file is known; never given to another.
  public var id: Int64 = 0
  /// The title, or the file's name when there is none. Never empty.
  public var title = ""
  /// Who plays, in the file's order; empty when nobody is named.
  public var artists: [String] = []
  /// Under whom the album is filed, as this file says; empty when it does not.
  public var albumArtists: [String] = []
  /// The album's title; empty when there is none.
  public var album = ""
  /// The album it belongs to.
  public var albumID: Int64?
  /// Who wrote it.
  public var composers: [String] = []
  /// Its genres.
  public var genres: [String] = []
  /// The year.
  public var year: Int?
  /// The number on its disc, from 1.
  public var trackNumber: Int?
  /// The number of its disc, from 1.
  public var discNumber: Int?
  /// The length.
  public var durationMilliseconds: Int?
  /// What it is played as.
  public var kind = TrackTags.Kind.song
  /// Whether a picture is embedded in the file or lies in its folder.
  public var hasArtwork = false
  /// 1 to 5 stars; nil when nobody has said.
  public var rating: Int?
  /// Where listening stopped; nil at the start.
  public var positionMilliseconds: Int?
  /// Whether its file can be reached: false while its disk is away.
  public var isAvailable = true
  /// The file, as a `PathText`.
  public var path = ""

  /// A song of which nothing is known.
  public init() {}

  /// The artists in one line; nil when nobody is named.
  public var artist: String? { Names.joined(artists) }
}

/// A song with what only its own page shows.
public struct SongDetails: Sendable, Hashable {
  /// The song.
  public var song = Song()
  /// Lyrics, plain or with times (LRC); empty when there are none.
  public var lyrics = ""
  /// Chapters in order of time.
  public var chapters: [Chapter] = []
  /// How loud it is, if measured.
  public var replayGain: ReplayGain?
  /// The codec's short name.
  public var codec = ""
  /// Samples a second, 0 when unknown.
  public var sampleRate = 0
  /// Channels, 0 when unknown.
  public var channels = 0
  /// Average bits a second, 0 when unknown.
  public var bitRate = 0
  /// The file's size in bytes.
  public var size: Int64 = 0

  /// Details of which nothing is known.
  public init() {}
}

/// Several names in one line.
public enum Names {
  /// Joins names for people.
  ///
  /// - Parameter names: Any number of names.
  /// - Returns: `A, B`; nil for none.
  public static func joined(_ names: [String]) -> String? {
    names.isEmpty ? nil : names.joined(separator: ", ")
  }
}
