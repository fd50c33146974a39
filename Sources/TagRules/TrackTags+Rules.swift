// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

// From the fields of a file to what Tutti knows about a track: which field counts, which of its
// spellings, and what is no value at all. Pure, so that any field of any file can be tried.

extension TrackTags {
  /// What the fields of a file mean.
  ///
  /// - Parameters:
  ///   - raw: As a library read them.
  ///   - fileName: The last part of the path; its ending tells an audiobook (.m4b).
  public init(_ raw: RawTags, fileName: String) {
    self.init()
    readNames(raw)
    readNumbers(raw)
    let lyrics = ["SYNCEDLYRICS", "LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS"]
      .lazy.map { TagText.lyrics(raw.verbatim($0)) }.first { !$0.isEmpty }
    self.lyrics = lyrics ?? ""
    replayGain = raw.replayGain
    hasArtwork = raw.hasArtwork
    chapters = raw.orderedChapters
    kind = raw.kind(genres: genres, fileName: fileName)
    readSound(raw)
  }

  private mutating func readNames(_ raw: RawTags) {
    title = raw.value("TITLE")
    titleSort = raw.value("TITLESORT")
    artists = Self.list(raw.values("ARTIST"))
    artistSort = raw.value("ARTISTSORT")
    album = raw.value("ALBUM")
    albumSort = raw.value("ALBUMSORT")
    albumArtists = Self.list(raw.values("ALBUMARTIST", "ALBUM ARTIST", "ALBUM_ARTIST", "ENSEMBLE"))
    albumArtistSort = raw.value("ALBUMARTISTSORT")
    composers = Self.list(raw.values("COMPOSER"))
    composerSort = raw.value("COMPOSERSORT")
    // Genres are words, not names: whoever writes a semicolon means two.
    genres = Self.list(raw.values("GENRE").flatMap { $0.split(separator: ";").map(String.init) })
  }

  private mutating func readNumbers(_ raw: RawTags) {
    year =
      ["DATE", "YEAR", "RELEASEDATE", "ORIGINALDATE", "ORIGINALYEAR"]
      .lazy.compactMap { TagNumbers.year(raw.value($0)) }.first
    let track = TagNumbers.place(raw.value("TRACKNUMBER"))
    trackNumber = track.number
    trackTotal = track.total ?? TagNumbers.place(raw.value("TRACKTOTAL", "TOTALTRACKS")).number
    let disc = TagNumbers.place(raw.value("DISCNUMBER"))
    discNumber = disc.number
    discTotal = disc.total ?? TagNumbers.place(raw.value("DISCTOTAL", "TOTALDISCS")).number
    isCompilation = TagNumbers.flag(raw.value("COMPILATION"))
  }

  private mutating func readSound(_ raw: RawTags) {
    codec = raw.codec
    (sampleRate, channels) = (max(0, raw.sampleRate), max(0, raw.channels))
    (bitDepth, bitRate) = (max(0, raw.bitDepth), max(0, raw.bitRate))
    guard raw.milliseconds > 0, raw.milliseconds <= Self.longestMilliseconds else { return }
    guard raw.hasPlausibleLength else {
      // It was reckoned from the same header.
      bitRate = 0
      return
    }
    durationMilliseconds = Int(raw.milliseconds)
  }

  /// 1,000 hours: nothing is longer, but counters of 32 bits run over.
  private static let longestMilliseconds: Int64 = 1_000 * 3_600_000

  /// No value twice, in their order.
  private static func list(_ values: [String]) -> [String] {
    var list: [String] = []
    for value in values.lazy.map({ TagText.line($0) }) where !value.isEmpty {
      if !list.contains(value) { list.append(value) }
      if list.count == maximumValues { break }
    }
    return list
  }
}
