// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
public import DecoderProtocol
internal import SQLiteDatabase

extension MusicLibrary {
  /// Albums in the order of their titles.
  ///
  /// - Parameters:
  ///   - selection: Of whom, or of what: `all`, an artist, a composer, a genre or a year.
  ///   - kind: Albums of songs, books or podcasts; only `all` has others than songs.
  ///   - page: Which part.
  /// - Returns: The albums.
  /// - Throws: `LibraryError`.
  public func albums(
    _ selection: Selection = .all, kind: TrackTags.Kind = .song,
    _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<Album> {
    try check(selection)
    let query = AlbumQueries.list(selection, kind: kind)
    return try found { database throws(SQLiteError) in
      try query.page(page, database) { AlbumQueries.album($0, from: ListQuery.before) }
    }
  }

  /// Books, by title.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The books, each an album of its files.
  /// - Throws: `LibraryError`.
  public func audiobooks(_ page: PageRequest = PageRequest()) throws(LibraryError) -> Page<Album> {
    try albums(kind: .audiobook, page)
  }

  /// Podcasts, by title.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The podcasts, each an album of its episodes.
  /// - Throws: `LibraryError`.
  public func podcasts(_ page: PageRequest = PageRequest()) throws(LibraryError) -> Page<Album> {
    try albums(kind: .podcast, page)
  }

  /// An album's page.
  ///
  /// - Parameter id: The album.
  /// - Returns: The page; nil when there is no such album.
  /// - Throws: `LibraryError`.
  public func album(_ id: Int64) throws(LibraryError) -> AlbumPage? {
    try read { database throws(SQLiteError) in
      guard let album = try AlbumQueries.albums([id], database).first else { return nil }
      return AlbumPage(album, songs: try SongReader.songs(of: id, database))
    }
  }

  /// Artists of songs, and those that albums are filed under, by name.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The artists.
  /// - Throws: `LibraryError`.
  public func artists(_ page: PageRequest = PageRequest()) throws(LibraryError) -> Page<Heading> {
    try headings(.artist, page)
  }

  /// Composers by name.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The composers.
  /// - Throws: `LibraryError`.
  public func composers(
    _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<Heading> {
    try headings(.composer, page)
  }

  /// Genres by name.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The genres.
  /// - Throws: `LibraryError`.
  public func genres(_ page: PageRequest = PageRequest()) throws(LibraryError) -> Page<Heading> {
    try headings(.genre, page)
  }

  private func headings(
    _ role: HeadingRole, _ page: PageRequest
  ) throws(LibraryError) -> Page<Heading> {
    let query = ListQuery(
      list: "headings \(role)", columns: HeadingQueries.columns, from: "headings h",
      filter: "h.role = ?", values: [.integer(role.rawValue)], key: "h.name_key", id: "h.id")
    return try found { database throws(SQLiteError) in
      try query.page(page, database) { HeadingQueries.heading($0, from: ListQuery.before) }
    }
  }

  /// An artist, composer or genre.
  ///
  /// - Parameter id: Its number.
  /// - Returns: Nil when there is no such one.
  /// - Throws: `LibraryError`.
  public func heading(_ id: Int64) throws(LibraryError) -> Heading? {
    try read { database throws(SQLiteError) in try HeadingQueries.headings([id], database).first }
  }

  /// Years, the latest first.
  ///
  /// - Returns: All of them.
  /// - Throws: `LibraryError`.
  public func years() throws(LibraryError) -> [Year] {
    try read { database throws(SQLiteError) in
      var albums: [Int64: Int] = [:]
      try database.rows(
        "SELECT year, count(*) FROM albums WHERE kind = 0 AND year IS NOT NULL GROUP BY year"
      ) { row in albums[row.integer(0) ?? 0] = Int(row.integer(1) ?? 0) }
      var years: [Year] = []
      try database.rows(
        """
        SELECT year, count(*) FROM songs WHERE kind = 0 AND year IS NOT NULL
          GROUP BY year ORDER BY year DESC
        """
      ) { row in
        let year = row.integer(0) ?? 0
        years.append(
          Year(
            year: Int(year), albumCount: albums[year] ?? 0, songCount: Int(row.integer(1) ?? 0)))
      }
      return years
    }
  }

  /// How much there is.
  ///
  /// - Returns: The counts.
  /// - Throws: `LibraryError`.
  public func counts() throws(LibraryError) -> LibraryCounts {
    try read { database throws(SQLiteError) in try CountQueries.counts(database) }
  }

  /// The letters under which a list's items stand.
  ///
  /// - Parameter list: The list.
  /// - Returns: The letters in order, with where they begin.
  /// - Throws: `LibraryError`.
  public func letters(of list: LetteredList) throws(LibraryError) -> [IndexLetter] {
    try read { database throws(SQLiteError) in try CountQueries.letters(of: list, database) }
  }
}
