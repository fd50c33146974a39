// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

// A playlist's entries are kept as the file has them and looked up when somebody asks: songs come,
// go and move without the list being read again.

/// Playlists and radio stations in the tables.
enum PlaylistStore {
  /// Reads a playlist's file and keeps what it says.
  static func write(
    _ file: PlaylistFile, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let parsed = PlaylistParser.parse(file.bytes, path: file.path)
    let name = parsed.name?.orNil ?? FilePath.title(of: file.path)
    let isList = !parsed.isStations && !parsed.isStream
    try database.run(
      """
      INSERT INTO playlists(path, root, modified, name, name_key, beginning, entries, is_list)
        VALUES(?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT(path) DO UPDATE SET root = excluded.root, modified = excluded.modified,
          name = excluded.name, name_key = excluded.name_key, beginning = excluded.beginning,
          entries = excluded.entries, is_list = excluded.is_list
      """,
      [
        .text(file.path), .text(file.root), .integer(file.modified), .text(name),
        .text(SortKey.key(of: name)), .text(SearchText.beginning(of: name)),
        .integer(Int64(parsed.entries.count)), .integer(isList ? 1 : 0),
      ])
    let known = try database.number("SELECT id FROM playlists WHERE path = ?", [.text(file.path)])
    guard let id = known else { return }
    try database.run("DELETE FROM playlist_entries WHERE playlist = ?", [.integer(id)])
    try database.run("DELETE FROM playlists_search WHERE rowid = ?", [.integer(id)])
    if isList {
      try insert("playlists", id, name, database)
      for (place, entry) in parsed.entries.enumerated() {
        try database.run(
          "INSERT INTO playlist_entries VALUES(?, ?, ?, ?, ?, ?)",
          values(of: entry, playlist: id, place: place))
      }
    }
    try writeStations(parsed.isStations ? parsed.entries : [], of: id, list: name, database)
  }

  /// Forgets a playlist and its stations.
  static func remove(_ id: Int64, _ database: borrowing SQLiteConnection) throws(SQLiteError) {
    try writeStations([], of: id, list: "", database)
    try database.run("DELETE FROM playlists_search WHERE rowid = ?", [.integer(id)])
    try database.run("DELETE FROM playlists WHERE id = ?", [.integer(id)])
  }

  private static func insert(
    _ table: String, _ id: Int64, _ name: String, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try database.run(
      "INSERT INTO \(table)_search(rowid, role, name, others) VALUES(?, '', ?, '')",
      [.integer(id), .text(SearchText.indexed(name))])
  }

  private static func values(
    of entry: PlaylistEntry, playlist: Int64, place: Int
  ) -> [SQLiteValue] {
    var values: [SQLiteValue] = [.integer(playlist), .integer(Int64(place)), .text(entry.name)]
    switch entry.target {
    case .url(let url): values += [.text(url), .null, .null]
    case .file(let file):
      values += [
        .null, .bytes(Array(file.paths.joined(separator: "\0").utf8)),
        .text(file.tail.joined(separator: "/")),
      ]
    }
    return values
  }

  /// Stations keep their numbers as long as the file has their addresses.
  private static func writeStations(
    _ entries: [PlaylistEntry], of playlist: Int64, list: String,
    _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    var old: [String: Int64] = [:]
    try database.rows(
      "SELECT url, id FROM stations WHERE playlist = ?", [.integer(playlist)]
    ) { row in if let url = row.text(0) { old[url] = row.integer(1) } }
    var seen: Set<String> = []
    for entry in entries {
      guard case .url(let url) = entry.target, seen.insert(url).inserted else { continue }
      // A file with one address is a station that is called like the file.
      let name = entry.title.orNil ?? (entries.count == 1 ? list : url)
      try database.run(
        """
        INSERT INTO stations(playlist, url, name, name_key, beginning) VALUES(?, ?, ?, ?, ?)
          ON CONFLICT(playlist, url) DO UPDATE SET name = excluded.name,
            name_key = excluded.name_key, beginning = excluded.beginning
        """,
        [
          .integer(playlist), .text(url), .text(name), .text(SortKey.key(of: name)),
          .text(SearchText.beginning(of: name)),
        ])
      let known = try database.number(
        "SELECT id FROM stations WHERE playlist = ? AND url = ?", [.integer(playlist), .text(url)])
      guard let id = known else { continue }
      try database.run("DELETE FROM stations_search WHERE rowid = ?", [.integer(id)])
      try insert("stations", id, name, database)
      old[url] = nil
    }
    for id in old.values {
      try database.run("DELETE FROM stations_search WHERE rowid = ?", [.integer(id)])
      try database.run("DELETE FROM stations WHERE id = ?", [.integer(id)])
    }
  }
}
