// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// Rows to songs.
enum SongReader {
  /// What `song` reads, in its order. The tables are `s` (songs), `f` (files), `m` (memories).
  static let columns = """
    s.id, s.title, s.artists, s.album_artists, s.album_title, s.album, s.composers, s.genres,
    s.year, s.track, s.disc, s.duration_ms, s.kind, s.artwork, f.available, f.path,
    m.rating, m.position_ms
    """

  /// What belongs to a song, behind `FROM … s`.
  static let joins = """
    JOIN files f ON f.id = s.id LEFT JOIN memories m ON m.fingerprint = s.fingerprint
    """

  /// How many columns a song has: what else a query wants comes behind.
  static let columnCount: Int32 = 18

  static func song(_ row: borrowing SQLiteRow, from first: Int32 = 0) -> Song {
    var song = Song()
    song.id = row.integer(first) ?? 0
    song.title = row.text(first + 1) ?? ""
    song.artists = StoredNames.names(row.text(first + 2))
    song.albumArtists = StoredNames.names(row.text(first + 3))
    song.album = row.text(first + 4) ?? ""
    song.albumID = row.integer(first + 5)
    song.composers = StoredNames.names(row.text(first + 6))
    song.genres = StoredNames.names(row.text(first + 7))
    song.year = row.integer(first + 8).map(Int.init)
    song.trackNumber = row.integer(first + 9).map(Int.init)
    song.discNumber = row.integer(first + 10).map(Int.init)
    song.durationMilliseconds = row.integer(first + 11).map(Int.init)
    song.kind = TrackTags.Kind(stored: row.integer(first + 12))
    song.hasArtwork = row.integer(first + 13) != SongRow.Artwork.none
    song.isAvailable = row.integer(first + 14) == 1
    song.path = row.text(first + 15) ?? ""
    song.rating = row.integer(first + 16).map(Int.init)
    song.positionMilliseconds = row.integer(first + 17).map(Int.init)
    return song
  }

  /// The songs of an album in its order.
  static func songs(
    of album: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Song] {
    var songs: [Song] = []
    try database.rows(
      "SELECT \(columns) FROM songs s \(joins) WHERE s.album = ?", [.integer(album)]
    ) { row in songs.append(song(row)) }
    return songs.sorted(by: AlbumRules.precedes)
  }

  /// What a file said when it was read, so that it can be filed anew at another place.
  static func storedFile(
    _ id: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> ReadFile? {
    var found: ReadFile?
    try database.rows(
      """
      SELECT f.path, f.root, f.size, f.modified, f.device, f.inode, s.title, s.artists,
        s.album_artists, s.album_title, s.composers, s.genres, s.year, s.track, s.disc,
        s.duration_ms, s.artwork, s.codec, s.sample_rate, s.channels, s.bit_depth, s.bit_rate,
        s.has_title, s.compilation, s.own_kind, d.title_sort, d.artist_sort, d.album_sort,
        d.album_artist_sort, d.composer_sort, d.track_total, d.disc_total, d.lyrics,
        d.lyrics_beside, d.folder_artwork, d.track_gain, d.track_peak, d.album_gain,
        d.album_peak, d.gain_source
      FROM songs s JOIN files f ON f.id = s.id JOIN details d ON d.song = s.id WHERE s.id = ?
      """, [.integer(id)]
    ) { row in found = storedFile(row) }
    guard var file = found else { return nil }
    file.tags.chapters = try chapters(of: id, database)
    return file
  }

  private static func storedFile(_ row: borrowing SQLiteRow) -> ReadFile {
    let stamp = FileStamp(
      size: row.integer(2) ?? 0, modified: row.integer(3) ?? 0, device: row.bits(4) ?? 0,
      inode: row.bits(5) ?? 0)
    var tags = storedTags(row)
    tags.replayGain = gain(row, from: 35)
    var file = ReadFile(path: row.text(0) ?? "", root: row.text(1) ?? "", stamp: stamp, tags: tags)
    file.folderArtwork = row.text(34)
    if row.integer(33) == 1 {
      file.lyricsFile = row.text(32)
    } else {
      file.tags.lyrics = row.text(32) ?? ""
    }
    return file
  }

  private static func storedTags(_ row: borrowing SQLiteRow) -> TrackTags {
    var tags = TrackTags()
    if row.integer(22) == 1 { tags.title = row.text(6) ?? "" }
    tags.artists = StoredNames.names(row.text(7))
    tags.albumArtists = StoredNames.names(row.text(8))
    tags.album = row.text(9) ?? ""
    tags.composers = StoredNames.names(row.text(10))
    tags.genres = StoredNames.names(row.text(11))
    tags.year = row.integer(12).map(Int.init)
    tags.trackNumber = row.integer(13).map(Int.init)
    tags.discNumber = row.integer(14).map(Int.init)
    tags.durationMilliseconds = row.integer(15).map(Int.init)
    tags.hasArtwork = row.integer(16) == SongRow.Artwork.embedded
    tags.codec = row.text(17) ?? ""
    tags.sampleRate = Int(row.integer(18) ?? 0)
    tags.channels = Int(row.integer(19) ?? 0)
    tags.bitDepth = Int(row.integer(20) ?? 0)
    tags.bitRate = Int(row.integer(21) ?? 0)
    tags.isCompilation = row.integer(23) == 1
    tags.kind = TrackTags.Kind(stored: row.integer(24))
    tags.titleSort = row.text(25) ?? ""
    tags.artistSort = row.text(26) ?? ""
    tags.albumSort = row.text(27) ?? ""
    tags.albumArtistSort = row.text(28) ?? ""
    tags.composerSort = row.text(29) ?? ""
    tags.trackTotal = row.integer(30).map(Int.init)
    tags.discTotal = row.integer(31).map(Int.init)
    return tags
  }

  /// Four gains and their source, in a row from a column on.
  static func gain(_ row: borrowing SQLiteRow, from column: Int32) -> ReplayGain? {
    guard let source = row.integer(column + 4) else { return nil }
    return ReplayGain(
      trackGain: row.real(column), trackPeak: row.real(column + 1),
      albumGain: row.real(column + 2), albumPeak: row.real(column + 3),
      source: UInt8(exactly: source).flatMap(ReplayGain.Source.init(rawValue:)) ?? .replayGain)
  }

  /// The chapters of a song in order.
  static func chapters(
    of song: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Chapter] {
    var chapters: [Chapter] = []
    try database.rows(
      "SELECT start_ms, title FROM chapters WHERE song = ? ORDER BY place", [.integer(song)]
    ) { row in
      chapters.append(
        Chapter(startMilliseconds: Int(row.integer(0) ?? 0), title: row.text(1) ?? ""))
    }
    return chapters
  }
}
