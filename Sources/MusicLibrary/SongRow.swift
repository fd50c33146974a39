// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// What is written of a song: what its file says, and what follows from that.
struct SongRow {
  let tags: TrackTags
  let kind: TrackTags.Kind
  let title: String
  let titleKey: String
  let fingerprint: UInt64
  let artwork: Int64

  /// Values of the column `artwork`.
  enum Artwork {
    static let none: Int64 = 0
    static let embedded: Int64 = 1
    static let inFolder: Int64 = 2
  }

  init(_ file: ReadFile) {
    tags = file.tags
    kind = MediaKind.kind(tags, path: file.path, root: file.root)
    title = tags.title.isEmpty ? FilePath.title(of: file.path) : tags.title
    titleKey = SortKey.key(of: title, sortName: tags.titleSort)
    fingerprint = SongFingerprint.fingerprint(tags, size: file.stamp.size, path: file.path)
    artwork =
      tags.hasArtwork
      ? Artwork.embedded : file.folderArtwork == nil ? Artwork.none : Artwork.inFolder
  }

  /// The words of the title.
  var searchName: String { SearchText.indexed(title) }

  /// The words of everything else that one remembers a song by.
  var searchOthers: String {
    var seen: Set<String> = []
    let names = tags.artists + tags.albumArtists + [tags.album] + tags.composers
    return names.filter { seen.insert($0).inserted }.map(SearchText.indexed)
      .joined(separator: " ")
  }

  static let insert = """
    INSERT OR REPLACE INTO songs VALUES(
      ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func values(id: Int64, album: Int64?) -> [SQLiteValue] {
    [
      .integer(id), .integer(Int64(kind.rawValue)), .text(title), .text(titleKey),
      .text(SearchText.beginning(of: title)), .text(StoredNames.text(tags.artists)),
      .text(StoredNames.text(tags.albumArtists)), .text(tags.album), .optional(album),
      .text(StoredNames.text(tags.composers)), .text(StoredNames.text(tags.genres)),
      .optional(tags.year), .optional(tags.trackNumber), .optional(tags.discNumber),
      .optional(tags.durationMilliseconds), .bits(fingerprint), .integer(artwork),
      .text(tags.codec), .integer(Int64(tags.sampleRate)), .integer(Int64(tags.channels)),
      .integer(Int64(tags.bitDepth)), .integer(Int64(tags.bitRate)),
      .integer(tags.title.isEmpty ? 0 : 1), .integer(tags.isCompilation ? 1 : 0),
      .integer(Int64(tags.kind.rawValue)),
    ]
  }

  static let insertDetails = """
    INSERT OR REPLACE INTO details VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    """

  func details(id: Int64, _ file: ReadFile) -> [SQLiteValue] {
    let lyrics = file.lyricsFile ?? tags.lyrics
    let gain = tags.replayGain
    return [
      .integer(id), .optional(tags.titleSort.orNil), .optional(tags.artistSort.orNil),
      .optional(tags.albumSort.orNil), .optional(tags.albumArtistSort.orNil),
      .optional(tags.composerSort.orNil), .optional(tags.trackTotal), .optional(tags.discTotal),
      .optional(lyrics.orNil), .integer(file.lyricsFile == nil ? 0 : 1),
      .optional(file.folderArtwork), .optional(gain?.trackGain), .optional(gain?.trackPeak),
      .optional(gain?.albumGain), .optional(gain?.albumPeak),
      .optional(gain.map { Int($0.source.rawValue) }),
    ]
  }
}
