// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase

extension MusicLibrary {
  /// Songs in the order of their titles; those of an album or a playlist in its own.
  ///
  /// - Parameters:
  ///   - selection: Which songs.
  ///   - page: Which part.
  /// - Returns: The songs; also those that cannot be reached just now.
  /// - Throws: `LibraryError`; `unknown` for an album, artist … that is not there.
  public func songs(
    _ selection: Selection = .all, _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<Song> {
    try check(selection)
    switch selection {
    case .album(let id): return try albumSongs(id, page)
    case .playlist(let id): return try playlistSongs(id, page)
    case .song(let id): return Page(items: try songs(ids: [id]), total: 1)
    default: break
    }
    let query = SongQueries.list(selection)
    return try found { database throws(SQLiteError) in
      try query.page(page, database) { SongReader.song($0, from: ListQuery.before) }
    }
  }

  private func albumSongs(_ id: Int64, _ request: PageRequest) throws(LibraryError) -> Page<Song> {
    try found { database throws(SQLiteError) in
      let songs = try SongReader.songs(of: id, database)
      guard let (range, next) = request.slice(of: songs.count, list: "album \(id)") else {
        return nil
      }
      return Page(items: Array(songs[range]), nextCursor: next, total: songs.count)
    }
  }

  private func playlistSongs(
    _ id: Int64, _ request: PageRequest
  ) throws(LibraryError) -> Page<Song> {
    let items = try playlistItems(id, request)
    return Page(
      items: items.items.compactMap(\.song), nextCursor: items.nextCursor, total: items.total)
  }

  /// One song with all that is known of it.
  ///
  /// - Parameter id: The song.
  /// - Returns: The song; nil when there is no such one.
  /// - Throws: `LibraryError`.
  public func song(_ id: Int64) throws(LibraryError) -> SongDetails? {
    try read { database throws(SQLiteError) in try SongQueries.details(id, database) }
  }

  /// Songs by their numbers, in the order asked for; unknown ones are left out.
  ///
  /// - Parameter ids: The songs.
  /// - Returns: The songs.
  /// - Throws: `LibraryError`.
  public func songs(ids: [Int64]) throws(LibraryError) -> [Song] {
    try read { database throws(SQLiteError) in try SongQueries.songs(ids, database) }
  }

  /// Gives stars to a song, or takes them away.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - stars: 1 to 5; nil for none.
  /// - Throws: `LibraryError`; `unknown` when there is no such song.
  public func setRating(song: Int64, stars: Int?) throws(LibraryError) {
    if let stars, !(1...5).contains(stars) { throw .badRating(stars) }
    try remember(song, "rating", .optional(stars))
    try write { database throws(SQLiteError) in try bumpRevision(database) }
  }

  /// Remembers where listening to a song stopped. Does not count as a change of the library.
  ///
  /// - Parameters:
  ///   - song: The song.
  ///   - milliseconds: The place; nil for the start.
  /// - Throws: `LibraryError`; `unknown` when there is no such song.
  public func setPosition(song: Int64, milliseconds: Int?) throws(LibraryError) {
    try remember(song, "position_ms", .optional(milliseconds.map { max(0, $0) }))
  }

  private func remember(
    _ song: Int64, _ column: String, _ value: SQLiteValue
  ) throws(LibraryError) {
    let found = try read { database throws(SQLiteError) in
      try database.number("SELECT fingerprint FROM songs WHERE id = ?", [.integer(song)])
    }
    guard let fingerprint = found else { throw .unknown(kind: "song", id: song) }
    try write { database throws(SQLiteError) in
      try database.run(
        """
        INSERT INTO memories(fingerprint, \(column)) VALUES(?1, ?2)
          ON CONFLICT DO UPDATE SET \(column) = ?2
        """, [.integer(fingerprint), value])
      try database.run(
        """
        DELETE FROM memories WHERE fingerprint = ? AND rating IS NULL AND position_ms IS NULL
        """, [.integer(fingerprint)])
    }
  }

  /// Reads a page; nil means that the cursor is another list's.
  func found<Item: Sendable>(
    _ body: @Sendable (borrowing SQLiteConnection) throws(SQLiteError) -> Page<Item>?
  ) throws(LibraryError) -> Page<Item> {
    guard let page = try read(body) else { throw .badCursor }
    return page
  }

  /// Makes sure that what is selected is there.
  func check(_ selection: Selection) throws(LibraryError) {
    let (kind, table, id): (String, String, Int64)
    switch selection {
    case .all, .year: return
    case .song(let song): (kind, table, id) = ("song", "songs", song)
    case .album(let album): (kind, table, id) = ("album", "albums", album)
    case .artist(let heading): (kind, table, id) = ("artist", "headings", heading)
    case .composer(let heading): (kind, table, id) = ("composer", "headings", heading)
    case .genre(let heading): (kind, table, id) = ("genre", "headings", heading)
    case .playlist(let playlist): (kind, table, id) = ("playlist", "playlists", playlist)
    }
    let known = try read { database throws(SQLiteError) in
      try database.number("SELECT 1 FROM \(table) WHERE id = ?", [.integer(id)])
    }
    guard known != nil else { throw .unknown(kind: kind, id: id) }
  }
}
