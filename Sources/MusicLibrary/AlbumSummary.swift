// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import SQLiteDatabase

/// What an album's row says of its songs.
enum AlbumSummary {
  /// Counts an album's songs again; an album without songs is removed.
  static func update(
    _ album: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let songs = try SongReader.songs(of: album, database)
    guard let first = songs.first else {
      try database.run("DELETE FROM albums WHERE id = ?", [.integer(album)])
      try database.run("DELETE FROM albums_search WHERE rowid = ?", [.integer(album)])
      return
    }
    let artist = AlbumRules.artist(of: songs)
    var title = songs.first { !$0.album.isEmpty }?.album ?? ""
    if title.isEmpty { title = try storedTitle(album, database) }
    let sorts = try sortNames(album, database)
    let duration = songs.reduce(Int64(0)) { $0 + Int64($1.durationMilliseconds ?? 0) }
    try database.run(
      """
      UPDATE albums SET title = ?, title_key = ?, beginning = ?, artist = ?, artist_key = ?,
        year = ?, songs = ?, duration_ms = ?, artwork_song = ?, available = ? WHERE id = ?
      """,
      [
        .text(title), .text(SortKey.key(of: title, sortName: sorts.title)),
        .text(SearchText.beginning(of: title)), .optional(artist),
        .text(SortKey.key(of: artist ?? "", sortName: sorts.artist)),
        .optional(usualYear(songs)), .integer(Int64(songs.count)), .integer(duration),
        .optional(songs.first { $0.hasArtwork }?.id),
        .integer(songs.contains { $0.isAvailable } ? 1 : 0), .integer(album),
      ])
    try database.run("DELETE FROM albums_search WHERE rowid = ?", [.integer(album)])
    try database.run(
      "INSERT INTO albums_search(rowid, role, name, others) VALUES(?, ?, ?, ?)",
      [
        .integer(album), .text(first.kind.word), .text(SearchText.indexed(title)),
        .text(SearchText.indexed(artist ?? "")),
      ])
  }

  /// The year of most songs; of equally many the earlier.
  static func usualYear(_ songs: [Song]) -> Int? {
    var counts: [Int: Int] = [:]
    for song in songs { if let year = song.year { counts[year, default: 0] += 1 } }
    return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
  }

  /// A book without an album's title is called like its first file was: the identity has it.
  private static func storedTitle(
    _ album: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> String {
    var title = ""
    try database.rows("SELECT title FROM albums WHERE id = ?", [.integer(album)]) { row in
      title = row.text(0) ?? ""
    }
    return title
  }

  private static func sortNames(
    _ album: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> (title: String, artist: String) {
    var found = (title: "", artist: "")
    try database.rows(
      """
      SELECT max(d.album_sort), max(d.album_artist_sort) FROM songs s
        JOIN details d ON d.song = s.id WHERE s.album = ?
      """, [.integer(album)]
    ) { row in found = (row.text(0) ?? "", row.text(1) ?? "") }
    return found
  }
}
