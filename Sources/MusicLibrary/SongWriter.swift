// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// Writes songs and keeps what is counted from them right, within one transaction.
///
/// Albums and headings that were touched are brought up to date once, by `finish`.
struct SongWriter {
  private var touchedAlbums: Set<Int64> = []
  private var touchedHeadings: Set<Int64> = []
  private var headings: [HeadingKey: Int64] = [:]
  private var albums: [String: Int64] = [:]

  private struct HeadingKey: Hashable {
    var role: HeadingRole
    var folded: String
  }

  /// Takes a song out of lists, counts and search; its row stays until it is written or deleted.
  ///
  /// - Returns: Its fingerprint; nil when there was no such song.
  mutating func detach(
    _ id: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    var fingerprint: Int64?
    var album: Int64 = 0
    try database.rows("SELECT fingerprint, album FROM songs WHERE id = ?", [.integer(id)]) { row in
      fingerprint = row.integer(0)
      album = row.integer(1) ?? 0
    }
    guard fingerprint != nil else { return nil }
    if album != 0 { touchedAlbums.insert(album) }
    var credited: [Int64] = []
    try database.rows("SELECT heading FROM credits WHERE song = ?", [.integer(id)]) { row in
      if let heading = row.integer(0) { credited.append(heading) }
    }
    for heading in credited {
      touchedHeadings.insert(heading)
      try database.run(
        "UPDATE heading_albums SET songs = songs - 1 WHERE heading = ? AND album = ?",
        [.integer(heading), .integer(album)])
    }
    if !credited.isEmpty {
      try database.run("DELETE FROM credits WHERE song = ?", [.integer(id)])
    }
    try database.run("DELETE FROM songs_search WHERE rowid = ?", [.integer(id)])
    return fingerprint
  }

  /// Writes a song anew, or for the first time.
  mutating func write(
    _ id: Int64, _ file: ReadFile, before: Int64?, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let row = SongRow(file)
    let fingerprint = Int64(bitPattern: row.fingerprint)
    if let before, before != fingerprint {
      try database.run(
        """
        INSERT OR IGNORE INTO memories
          SELECT ?, rating, position_ms FROM memories WHERE fingerprint = ?
        """, [.integer(fingerprint), .integer(before)])
    }
    let album = try album(of: row, file, database)
    if let album { touchedAlbums.insert(album) }
    try database.run(SongRow.insert, row.values(id: id, album: album))
    try database.run(SongRow.insertDetails, row.details(id: id, file))
    try database.run("DELETE FROM chapters WHERE song = ?", [.integer(id)])
    for (place, chapter) in file.tags.chapters.enumerated() {
      try database.run(
        "INSERT INTO chapters VALUES(?, ?, ?, ?)",
        [
          .integer(id), .integer(Int64(place)), .integer(Int64(chapter.startMilliseconds)),
          .text(chapter.title),
        ])
    }
    try database.run(
      "INSERT INTO songs_search(rowid, role, name, others) VALUES(?, ?, ?, ?)",
      [.integer(id), .text(row.kind.word), .text(row.searchName), .text(row.searchOthers)])
    try credit(id, row, album: album ?? 0, file.tags, database)
  }

  // MARK: - Albums

  private mutating func album(
    of row: SongRow, _ file: ReadFile, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    guard
      let identity = AlbumIdentity(
        file.tags, kind: row.kind, title: row.title, path: file.path)
    else { return nil }
    if let known = albums[identity.key] { return known }
    var id = try database.number("SELECT id FROM albums WHERE identity = ?", [.text(identity.key)])
    if id == nil {
      try database.run(
        """
        INSERT INTO albums(identity, kind, title, title_key, beginning, artist_key, songs,
          duration_ms, available) VALUES(?, ?, ?, '', '', '', 0, 0, 1)
        """,
        [.text(identity.key), .integer(Int64(row.kind.rawValue)), .text(identity.title)])
      id = database.lastInsertedRow
    }
    albums[identity.key] = id
    return id
  }

  // MARK: - Artists, composers, genres

  private mutating func credit(
    _ song: Int64, _ row: SongRow, album: Int64, _ tags: TrackTags,
    _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    // Books and podcasts are lists of their own; their readers are no artists of songs.
    guard row.kind == .song else { return }
    // A sort name is one text for all: with several names it cannot be told whose it is.
    var sorts: [String: String] = [:]
    if tags.albumArtists.count == 1 { sorts[tags.albumArtists[0]] = tags.albumArtistSort }
    if tags.artists.count == 1, !tags.artistSort.isEmpty {
      sorts[tags.artists[0]] = tags.artistSort
    }
    let composerSorts = tags.composers.count == 1 ? [tags.composers[0]: tags.composerSort] : [:]
    let lists: [(HeadingRole, [String], [String: String])] = [
      (.artist, tags.artists + tags.albumArtists, sorts),
      (.composer, tags.composers, composerSorts), (.genre, tags.genres, [:]),
    ]
    var credited: Set<Int64> = []
    for (role, names, sorts) in lists {
      for name in names {
        guard let heading = try heading(role, name, sortName: sorts[name] ?? "", database),
          credited.insert(heading).inserted
        else { continue }
        try database.run(
          "INSERT INTO credits VALUES(?, ?, ?)",
          [.integer(heading), .text(row.titleKey), .integer(song)])
        try database.run(
          """
          INSERT INTO heading_albums VALUES(?, ?, 1)
            ON CONFLICT DO UPDATE SET songs = songs + 1
          """, [.integer(heading), .integer(album)])
      }
    }
  }

  private mutating func heading(
    _ role: HeadingRole, _ name: String, sortName: String, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    let folded = TextFolding.fold(name)
    guard !folded.isEmpty else { return nil }
    let key = HeadingKey(role: role, folded: folded)
    if let known = headings[key] {
      if !sortName.isEmpty { try sort(known, as: sortName, database) }
      return known
    }
    var id = try database.number(
      "SELECT id FROM headings WHERE role = ? AND folded = ?",
      [.integer(role.rawValue), .text(folded)])
    if let id {
      if !sortName.isEmpty { try sort(id, as: sortName, database) }
    } else {
      id = try add(key, name, sortName: sortName, database)
    }
    headings[key] = id
    return id
  }

  private func add(
    _ key: HeadingKey, _ name: String, sortName: String, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64 {
    try database.run(
      "INSERT INTO headings(role, folded, name, name_key, beginning) VALUES(?, ?, ?, ?, ?)",
      [
        .integer(key.role.rawValue), .text(key.folded), .text(name),
        .text(SortKey.key(of: name, sortName: sortName)), .text(SearchText.beginning(of: name)),
      ])
    let id = database.lastInsertedRow
    try database.run(
      "INSERT INTO headings_search(rowid, role, name, others) VALUES(?, ?, ?, '')",
      [.integer(id), .text(key.role.word), .text(SearchText.indexed(name))])
    return id
  }

  /// Some files of an artist have a sort name and some do not: one is enough.
  private func sort(
    _ heading: Int64, as sortName: String, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try database.run(
      "UPDATE headings SET name_key = ?1 WHERE id = ?2 AND name_key <> ?1",
      [.text(SortKey.key(of: sortName)), .integer(heading)])
  }

  // MARK: - The end

  /// Notes that something of an album has changed that its page shows.
  mutating func touch(album: Int64?) {
    if let album { touchedAlbums.insert(album) }
  }

  /// Brings albums up to date, and removes those and headings that nothing is left of.
  mutating func finish(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
    for heading in touchedHeadings {
      try database.run(
        "DELETE FROM heading_albums WHERE heading = ? AND songs <= 0", [.integer(heading)])
      let left = try database.number(
        "SELECT 1 FROM heading_albums WHERE heading = ? LIMIT 1", [.integer(heading)])
      guard left == nil else { continue }
      try database.run("DELETE FROM headings WHERE id = ?", [.integer(heading)])
      try database.run("DELETE FROM headings_search WHERE rowid = ?", [.integer(heading)])
    }
    for album in touchedAlbums { try AlbumSummary.update(album, database) }
    self = SongWriter()
  }
}
