// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase

/// What was found, by kind. The total of each part stops at ``MusicLibrary/mostCounted``.
public struct SearchResults: Sendable {
  /// Songs, and files of books and podcasts.
  public var songs = Page<Song>(items: [], total: 0)
  /// Albums of songs.
  public var albums = Page<Album>(items: [], total: 0)
  /// Artists.
  public var artists = Page<Heading>(items: [], total: 0)
  /// Composers.
  public var composers = Page<Heading>(items: [], total: 0)
  /// Genres.
  public var genres = Page<Heading>(items: [], total: 0)
  /// Books.
  public var audiobooks = Page<Album>(items: [], total: 0)
  /// Podcasts.
  public var podcasts = Page<Album>(items: [], total: 0)
  /// Playlists.
  public var playlists = Page<Playlist>(items: [], total: 0)
  /// Radio stations.
  public var stations = Page<Station>(items: [], total: 0)

  /// Nothing.
  public init() {}
}

/// What can be searched for.
public enum SearchKind: String, Sendable, CaseIterable {
  /// Each is a part of ``SearchResults``.
  case songs, albums, artists, composers, genres, audiobooks, podcasts, playlists, stations
}

extension MusicLibrary {
  /// Counting stops here: nobody reads further, and "a" is in everything.
  public static let mostCounted = 1_000

  /// Searches as one types: every word must begin a word of a thing's name, or of the names around
  /// it (a song's artist, album and composer). Case and accents do not matter.
  ///
  /// Things whose name begins with what was typed come first, by name; then those with all words in
  /// the name; then the others.
  ///
  /// - Parameters:
  ///   - text: What was typed; nothing is found for a text without words.
  ///   - kinds: What to search for.
  ///   - page: Which part of each; with a cursor only for the one kind it belongs to.
  /// - Returns: What was found.
  /// - Throws: `LibraryError`.
  public func search(
    _ text: String, kinds: Set<SearchKind> = Set(SearchKind.allCases),
    _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> SearchResults {
    // A search for nothing has no second page.
    let query = SearchQuery(text)
    if page.cursor != nil, query == nil || kinds.count != 1 { throw .badCursor }
    guard let query else { return SearchResults() }
    let results = try read { database throws(SQLiteError) -> SearchResults? in
      var results = SearchResults()
      for kind in SearchKind.allCases where kinds.contains(kind) {
        guard let found = try query.matches(of: kind, page, database) else { return nil }
        try results.fill(kind, found, database)
      }
      return results
    }
    guard let results else { throw .badCursor }
    return results
  }
}

extension SearchResults {
  fileprivate mutating func fill(
    _ kind: SearchKind, _ found: Page<Int64>, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    switch kind {
    case .songs: songs = found.with(try SongQueries.songs(found.items, database))
    case .albums: albums = found.with(try AlbumQueries.albums(found.items, database))
    case .audiobooks: audiobooks = found.with(try AlbumQueries.albums(found.items, database))
    case .podcasts: podcasts = found.with(try AlbumQueries.albums(found.items, database))
    case .artists: artists = found.with(try HeadingQueries.headings(found.items, database))
    case .composers: composers = found.with(try HeadingQueries.headings(found.items, database))
    case .genres: genres = found.with(try HeadingQueries.headings(found.items, database))
    case .playlists: playlists = found.with(try PlaylistQueries.playlists(found.items, database))
    case .stations: stations = found.with(try PlaylistQueries.stations(found.items, database))
    }
  }
}

extension Page {
  /// The same page of other things.
  fileprivate func with<Other>(_ items: [Other]) -> Page<Other> {
    Page<Other>(items: items, nextCursor: nextCursor, total: total)
  }
}
