// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase

extension MusicLibrary {
  /// The files of songs that can be reached, in the order in which they are to be played: all songs
  /// by title, an artist's and a composer's album by album, others as they are listed.
  ///
  /// - Parameters:
  ///   - selection: Which songs.
  ///   - limit: The most files.
  /// - Returns: The files.
  /// - Throws: `LibraryError`; `unknown` for what is not there.
  public func files(of selection: Selection, limit: Int) throws(LibraryError) -> [SongFile] {
    try check(selection)
    return try readApart { database throws(SQLiteError) in
      switch selection {
      case .album(let id):
        return try SongReader.songs(of: id, database).filter(\.isAvailable).prefix(limit)
          .map(SongFile.init)
      case .playlist(let id):
        var files: [SongFile] = []
        for entry in try PlaylistReader.entries(of: id, database) where files.count < limit {
          guard let song = try PlaylistReader.song(entry, database) else { continue }
          files += try FileQueries.files(
            "s.id = ?", [.integer(song)], order: "1", limit: 1, database)
        }
        return files
      default: return try FileQueries.files(selection, limit: limit, database)
      }
    }
  }

  /// What is known of files by their paths: of a queue that was made from a folder, say.
  ///
  /// - Parameter paths: `PathText`s.
  /// - Returns: The songs that are known, in the order asked for.
  /// - Throws: `LibraryError`.
  public func files(at paths: [String]) throws(LibraryError) -> [SongFile] {
    try read { database throws(SQLiteError) in
      var files: [SongFile] = []
      for path in paths {
        files += try FileQueries.files(
          "f.path = ?", [.text(path)], order: "1", limit: 1, unavailable: true, database)
      }
      return files
    }
  }
}

extension SongFile {
  init(_ song: Song) {
    self.init(
      id: song.id, path: song.path, title: song.title, artist: song.artist ?? "",
      album: song.album, durationMilliseconds: song.durationMilliseconds)
  }
}

/// Songs as the queue wants them: without what only lists show.
enum FileQueries {
  /// Album by album, oldest first, each in its own order.
  private static let byAlbum =
    "a.year IS NULL, a.year, a.title_key, a.id, coalesce(s.disc, 1), s.track IS NULL, s.track, f.name"

  static func files(
    _ selection: Selection, limit: Int, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [SongFile] {
    switch selection {
    case .song(let id): try files("s.id = ?", [.integer(id)], order: "1", limit: 1, database)
    case .artist(let heading), .composer(let heading):
      try files(
        "s.id IN (SELECT song FROM credits WHERE heading = ?)", [.integer(heading)],
        order: byAlbum, limit: limit, database)
    case .genre(let heading):
      try files(
        "s.id IN (SELECT song FROM credits WHERE heading = ?)", [.integer(heading)],
        order: "s.title_key, s.id", limit: limit, database)
    case .year(let year):
      try files(
        "s.kind = 0 AND s.year = ?", [.integer(Int64(year))], order: "s.title_key, s.id",
        limit: limit, database)
    case .all, .album, .playlist:
      try files("s.kind = 0", [], order: "s.title_key, s.id", limit: limit, database)
    }
  }

  static func files(
    _ filter: String, _ values: [SQLiteValue], order: String, limit: Int,
    unavailable: Bool = false, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [SongFile] {
    var files: [SongFile] = []
    let albums = order == byAlbum ? " LEFT JOIN albums a ON a.id = s.album" : ""
    try database.rows(
      """
      SELECT s.id, f.path, s.title, s.artists, s.album_title, s.duration_ms
        FROM songs s JOIN files f ON f.id = s.id\(albums)
        WHERE \(filter)\(unavailable ? "" : " AND f.available = 1") ORDER BY \(order) LIMIT ?
      """, values + [.integer(Int64(limit))]
    ) { row in
      files.append(
        SongFile(
          id: row.integer(0) ?? 0, path: row.text(1) ?? "", title: row.text(2) ?? "",
          artist: Names.joined(StoredNames.names(row.text(3))) ?? "", album: row.text(4) ?? "",
          durationMilliseconds: row.integer(5).map(Int.init)))
    }
    return files
  }
}
