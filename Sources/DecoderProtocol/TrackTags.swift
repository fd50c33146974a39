// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What one file says about itself. Texts are empty where there is no tag, valid UTF-8, on one line
/// (but for the lyrics), and at most `DecoderFraming.maximumText` bytes.
public struct TrackTags: Sendable, Hashable {
  /// What a file is to be played as, in the file's own words.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// Music, and whatever says nothing else.
    case song = 0
    /// A book read aloud: its position is remembered.
    case audiobook = 1
    /// An episode: its position is remembered.
    case podcast = 2
  }

  /// The longest list of values of one field.
  public static var maximumValues: Int { 16 }
  /// The longest list of chapters.
  public static var maximumChapters: Int { 1_000 }
  /// The longest title of a chapter in bytes.
  public static var maximumChapterTitle: Int { 256 }
  /// The longest lyrics in bytes: a 16-bit length on the wire.
  public static var maximumLyrics: Int { 65_535 }

  /// The title.
  public var title = ""
  /// The title as it is to be sorted.
  public var titleSort = ""
  /// Who plays, in the file's order.
  public var artists: [String] = []
  /// The artists as they are to be sorted, one text for all.
  public var artistSort = ""
  /// The album's title.
  public var album = ""
  /// The album's title as it is to be sorted.
  public var albumSort = ""
  /// Under whom the album is filed.
  public var albumArtists: [String] = []
  /// The album's artists as they are to be sorted.
  public var albumArtistSort = ""
  /// Who wrote the music.
  public var composers: [String] = []
  /// The composers as they are to be sorted.
  public var composerSort = ""
  /// Genres by name, also where the file has a number.
  public var genres: [String] = []
  /// The year of the recording or release, 1 to 9999.
  public var year: Int?
  /// The number of the track on its disc, from 1.
  public var trackNumber: Int?
  /// How many tracks the disc has.
  public var trackTotal: Int?
  /// The number of the disc, from 1.
  public var discNumber: Int?
  /// How many discs the album has.
  public var discTotal: Int?
  /// Whether the album gathers tracks of several artists.
  public var isCompilation = false
  /// Embedded lyrics, plain or with times (LRC); lines end with "\n".
  public var lyrics = ""
  /// How loud the track is, if measured.
  public var replayGain: ReplayGain?
  /// Whether a picture is embedded.
  public var hasArtwork = false
  /// Chapters in order of time.
  public var chapters: [Chapter] = []
  /// What the file says it is.
  public var kind: Kind = .song
  /// The length as the container announces it.
  public var durationMilliseconds: Int?
  /// Samples a second, 0 when unknown.
  public var sampleRate = 0
  /// Channels, 0 when unknown.
  public var channels = 0
  /// Bits of a sample as stored, 0 when unknown or not a property of the codec.
  public var bitDepth = 0
  /// Average bits a second, 0 when unknown.
  public var bitRate = 0
  /// The codec's short name, such as "flac", "mp3", "aac"; "" when unknown.
  public var codec = ""

  /// The tags of a file that says nothing.
  public init() {}
}

/// A marked place in a file.
public struct Chapter: Sendable, Hashable {
  /// Where it begins.
  public var startMilliseconds: Int
  /// Its title; "" when it has none. At most `TrackTags.maximumChapterTitle` bytes.
  public var title: String

  /// A chapter from a place to the next chapter, or to the end.
  public init(startMilliseconds: Int, title: String) {
    (self.startMilliseconds, self.title) = (startMilliseconds, title)
  }
}

/// Measured loudness as the gain that brings it to the reference of ReplayGain 2.0, -18 LUFS.
public struct ReplayGain: Sendable, Hashable {
  /// Where the figures come from.
  public enum Source: UInt8, Sendable, CaseIterable {
    /// `REPLAYGAIN_*` tags, taken as they are.
    case replayGain = 0
    /// `R128_*` tags of Opus (-23 LUFS, 1/256 dB), converted: 5 dB more.
    case r128 = 1
    /// The `iTunNORM` tag of iTunes, a coarse measure.
    case soundCheck = 2
  }

  /// Gain of the track in decibels.
  public var trackGain: Double?
  /// Largest sample of the track, 1 = full scale.
  public var trackPeak: Double?
  /// Gain of the album in decibels.
  public var albumGain: Double?
  /// Largest sample of the album, 1 = full scale.
  public var albumPeak: Double?
  /// Where the figures come from.
  public var source: Source

  /// What was measured.
  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil,
    albumPeak: Double? = nil, source: Source = .replayGain
  ) {
    (self.trackGain, self.trackPeak) = (trackGain, trackPeak)
    (self.albumGain, self.albumPeak) = (albumGain, albumPeak)
    self.source = source
  }
}
