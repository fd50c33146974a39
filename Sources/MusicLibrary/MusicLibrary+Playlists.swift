// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase

extension MusicLibrary {
  /// Playlists by name.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The playlists; files that name only radio stations are not among them.
  /// - Throws: `LibraryError`.
  public func playlists(
    _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<Playlist> {
    let query = ListQuery(
      list: "playlists", columns: PlaylistQueries.columns, from: "playlists p",
      filter: "p.is_list = 1", key: "p.name_key", id: "p.id")
    return try found { database throws(SQLiteError) in
      try query.page(page, database) { PlaylistQueries.playlist($0, from: ListQuery.before) }
    }
  }

  /// A playlist.
  ///
  /// - Parameter id: Its number.
  /// - Returns: Nil when there is no such one.
  /// - Throws: `LibraryError`.
  public func playlist(_ id: Int64) throws(LibraryError) -> Playlist? {
    try read { database throws(SQLiteError) in
      try PlaylistQueries.playlists([id], database).first
    }
  }

  /// What a playlist has, in its order; lists within it in their place.
  ///
  /// - Parameters:
  ///   - id: The playlist.
  ///   - page: Which part.
  /// - Returns: The entries, also those that name nothing the library has.
  /// - Throws: `LibraryError`; `unknown` when there is no such playlist.
  public func playlistItems(
    _ id: Int64, _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<PlaylistItem> {
    try check(.playlist(id))
    return try found { database throws(SQLiteError) in
      let entries = try PlaylistReader.entries(of: id, database)
      guard let (range, next) = page.slice(of: entries.count, list: "playlist \(id)") else {
        return nil
      }
      var items: [PlaylistItem] = []
      for entry in entries[range] {
        let found = try entry.url == nil ? PlaylistReader.song(entry, database) : nil
        let songs = try SongQueries.songs(found.map { [$0] } ?? [], database)
        items.append(PlaylistItem(song: songs.first, url: entry.url, title: entry.name))
      }
      return Page(items: items, nextCursor: next, total: entries.count)
    }
  }

  /// Radio stations by name.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The stations that the playlists' files name.
  /// - Throws: `LibraryError`.
  public func stations(_ page: PageRequest = PageRequest()) throws(LibraryError) -> Page<Station> {
    let query = ListQuery(
      list: "stations", columns: PlaylistQueries.stationColumns, from: "stations t", filter: "1",
      key: "t.name_key", id: "t.id")
    return try found { database throws(SQLiteError) in
      try query.page(page, database) { PlaylistQueries.station($0, from: ListQuery.before) }
    }
  }

  /// A radio station.
  ///
  /// - Parameter id: Its number.
  /// - Returns: Nil when there is no such one.
  /// - Throws: `LibraryError`.
  public func station(_ id: Int64) throws(LibraryError) -> Station? {
    try read { database throws(SQLiteError) in
      try PlaylistQueries.stations([id], database).first
    }
  }
}

/// Lists of playlists and stations.
enum PlaylistQueries {
  static let columns = "p.id, p.name, p.path, p.entries"
  static let stationColumns = "t.id, t.name, t.url"

  static func playlist(_ row: borrowing SQLiteRow, from column: Int32 = 0) -> Playlist {
    Playlist(
      id: row.integer(column) ?? 0, name: row.text(column + 1) ?? "",
      path: row.text(column + 2) ?? "", entryCount: Int(row.integer(column + 3) ?? 0))
  }

  static func station(_ row: borrowing SQLiteRow, from column: Int32 = 0) -> Station {
    Station(
      id: row.integer(column) ?? 0, name: row.text(column + 1) ?? "",
      url: row.text(column + 2) ?? "")
  }

  static func playlists(
    _ ids: [Int64], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Playlist] {
    var playlists: [Playlist] = []
    for id in ids {
      try database.rows("SELECT \(columns) FROM playlists p WHERE p.id = ?", [.integer(id)]) {
        row in
        playlists.append(playlist(row))
      }
    }
    return playlists
  }

  static func stations(
    _ ids: [Int64], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Station] {
    var stations: [Station] = []
    for id in ids {
      try database.rows(
        "SELECT \(stationColumns) FROM stations t WHERE t.id = ?", [.integer(id)]
      ) { row in stations.append(station(row)) }
    }
    return stations
  }
}
