// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// A list that is long enough for letters beside it.
public enum LetteredList: String, Sendable, CaseIterable {
  /// All songs.
  case songs
  /// All albums.
  case albums
  /// All artists.
  case artists
  /// All composers.
  case composers
}

/// Where the items under a letter begin.
public struct IndexLetter: Sendable, Hashable {
  /// `A`, `#` or `…`.
  public var letter: String
  /// How many items stand before it.
  public var offset: Int
  /// How many items stand under it.
  public var count: Int
  /// The page that begins there; nil: the first.
  public var cursor: String?
}

/// What is counted over everything.
enum CountQueries {
  static func counts(_ database: borrowing SQLiteConnection) throws(SQLiteError) -> LibraryCounts {
    var counts = LibraryCounts()
    func count(_ table: String) throws(SQLiteError) -> Int {
      Int(try database.number("SELECT count(*) FROM \(table)") ?? 0)
    }
    counts.songs = try count("songs WHERE kind = 0")
    counts.albums = try count("albums WHERE kind = 0")
    counts.audiobooks = try count("albums WHERE kind = 1")
    counts.podcasts = try count("albums WHERE kind = 2")
    counts.artists = try count("headings WHERE role = 1")
    counts.composers = try count("headings WHERE role = 2")
    counts.genres = try count("headings WHERE role = 3")
    counts.playlists = try count("playlists WHERE is_list = 1")
    counts.stations = try count("stations")
    counts.failedFiles = try count("files WHERE failure IS NOT NULL")
    counts.missingFiles = try count("files WHERE available = 0")
    // Albums know their lengths: only songs without one are added up.
    counts.durationMilliseconds =
      (try database.number("SELECT sum(duration_ms) FROM albums") ?? 0)
      + (try database.number("SELECT sum(duration_ms) FROM songs WHERE album IS NULL") ?? 0)
    return counts
  }

  private static func source(_ list: LetteredList) -> (key: String, table: String, cursors: String)
  {
    switch list {
    case .songs: ("title_key", "songs WHERE kind = 0", SongQueries.list(.all).list)
    case .albums:
      ("title_key", "albums WHERE kind = 0", AlbumQueries.list(.all, kind: .song).list)
    case .artists: ("name_key", "headings WHERE role = 1", "headings \(HeadingRole.artist)")
    case .composers: ("name_key", "headings WHERE role = 2", "headings \(HeadingRole.composer)")
    }
  }

  static func letters(
    of list: LetteredList, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [IndexLetter] {
    let source = source(list)
    var letters: [IndexLetter] = []
    var offset = 0
    try database.rows(
      "SELECT substr(\(source.key), 1, 1) AS first, count(*) FROM \(source.table) GROUP BY first"
    ) { row in
      let first = row.text(0) ?? ""
      let count = Int(row.integer(1) ?? 0)
      let letter = SortKey.indexLetter(of: first)
      if let last = letters.indices.last, letters[last].letter == letter {
        letters[last].count += count
      } else {
        // Before every item whose key begins so.
        let cursor = Cursor(list: source.cursors, key: first, id: .min).text
        letters.append(
          IndexLetter(
            letter: letter, offset: offset, count: count, cursor: offset == 0 ? nil : cursor))
      }
      offset += count
    }
    return letters
  }
}
