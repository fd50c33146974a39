// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// `library`: what the coordinator's collection holds.
struct LibraryCommand {
  let context: CommandRun

  /// The lists there are, for messages and completion.
  static let words = [
    "songs", "albums", "album", "artists", "composers", "genres", "years", "playlists", "playlist",
    "audiobooks", "podcasts", "stations", "search", "song", "rate", "scan", "failures",
  ]

  private var house: HouseConnection { context.house }
  private var rest: [String] { Array(context.operands.dropFirst()) }
  private var name: String { rest.joined(separator: " ") }

  /// Carries the command out.
  func run() throws(ClientFailure) {
    switch context.operands.first ?? "" {
    case "": try counts()
    case "songs": try songs()
    case "albums": try albums(.albums)
    case "audiobooks": try albums(.audiobooks)
    case "podcasts": try albums(.podcasts)
    case "album": try album()
    case "song": try song()
    case "artists": try headings(.artists, "ARTIST")
    case "composers": try headings(.composers, "COMPOSER")
    case "genres": try headings(.genres, "GENRE")
    case "years": try years()
    case "playlists": try playlists()
    case "playlist": try playlist()
    case "stations": try stations()
    case "search": try search()
    case "rate": try rate()
    case "scan": try ScanCommand(context: context).run()
    case "failures": try ScanCommand(context: context).failures()
    case let other:
      let known = Self.words.joined(separator: ", ")
      throw .usage("'library \(other)' is unknown; there are: \(known)")
    }
  }

  // MARK: - Lists

  private func counts() throws(ClientFailure) {
    let library = try house.library(LibraryDocument.self, .counts)
    if context.wantsJSON { return try context.printJSON(library) }
    context.printLines(LibraryText.counts(library))
  }

  private func songs() throws(ClientFailure) {
    let list = try house.wholeList(of: SongDocument.self, .songs, try filter())
    try show(list, empty: "There are no songs.") { text.songs($0) }
  }

  private func albums(_ route: LibraryRoute) throws(ClientFailure) {
    let list = try house.wholeList(
      of: AlbumDocument.self, route, route == .albums ? try filter() : [])
    try show(list, empty: "There are none.") { text.albums($0) }
  }

  private func headings(
    _ list: LibraryRoute.Headings, _ head: String
  ) throws(ClientFailure) {
    let page = try house.wholeList(of: HeadingDocument.self, .headings(list))
    try show(page, empty: "There are no \(list.rawValue).") { text.headings($0, head: head) }
  }

  private func years() throws(ClientFailure) {
    let list = try house.library(PageDocument<YearDocument>.self, .years)
    try show(list, empty: "No song has a year.") { text.years($0) }
  }

  private func playlists() throws(ClientFailure) {
    let list = try house.wholeList(of: LibraryPlaylistDocument.self, .playlists)
    try show(list, empty: "There are no playlists.") { text.playlists($0) }
  }

  private func stations() throws(ClientFailure) {
    let list = try house.wholeList(of: StationDocument.self, .stations)
    try show(list, empty: "There are no stations: put a .pls or .m3u file with addresses there.") {
      text.stations($0)
    }
  }

  private func show<Item>(
    _ page: PageDocument<Item>, empty: String, _ lines: ([Item]) -> [String]
  ) throws(ClientFailure) {
    if context.wantsJSON { return try context.printJSON(page) }
    context.printLines(page.items.isEmpty ? [empty] : lines(page.items))
  }

  // MARK: - Single things

  private func album() throws(ClientFailure) {
    let id = try LibraryName(house).album(try named("album"))
    let page = try house.library(AlbumPageDocument.self, .album(id: "\(id)"))
    if context.wantsJSON { return try context.printJSON(page) }
    context.printLines(text.album(page))
  }

  private func song() throws(ClientFailure) {
    let id = try LibraryName(house).song(try named("song"))
    let song = try house.library(SongDetailsDocument.self, .song(id: "\(id)"))
    if context.wantsJSON { return try context.printJSON(song) }
    context.printLines(text.song(song))
  }

  private func playlist() throws(ClientFailure) {
    let id = try LibraryName(house).playlist(try named("playlist"))
    let list = try house.wholeList(of: PlaylistEntryDocument.self, .playlist(id: "\(id)"))
    try show(list, empty: "The playlist is empty.") { text.entries($0) }
  }

  private func search() throws(ClientFailure) {
    let typed = try named("text")
    let limit = "\(LibraryText.searchLimit)"
    let found = try house.library(
      SearchDocument.self, .search, [("q", typed), ("limit", limit)])
    if context.wantsJSON { return try context.printJSON(found) }
    let lines = text.search(found)
    context.printLines(lines.isEmpty ? ["Nothing is found for '\(typed)'."] : lines)
  }

  private func rate() throws(ClientFailure) {
    guard let last = rest.last, rest.count > 1 else {
      throw .usage("library rate: name a song, then 1 to 5 stars, or none")
    }
    let stars = Int(last)
    guard last == "none" || stars.map({ (1...5).contains($0) }) == true else {
      throw .usage("'\(last)' is no rating; try 1 to 5, or none")
    }
    let id = try LibraryName(house).song(rest.dropLast().joined(separator: " "))
    try house.rate(id, stars)
  }

  // MARK: - Words

  private func named(_ what: String) throws(ClientFailure) -> String {
    guard !name.isEmpty else {
      throw .usage("library \(context.operands.first ?? ""): which \(what)?")
    }
    return name
  }

  /// `artist:NAME` and so on as a field of the query.
  private func filter() throws(ClientFailure) -> [(String, String)] {
    guard !rest.isEmpty else { return [] }
    let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
    let names = LibraryName(house)
    guard parts.count == 2 else {
      throw .usage("'\(name)' chooses nothing; try artist:NAME, composer:, genre:, album:, year:")
    }
    switch parts[0] {
    case "artist": return [("artist", "\(try names.heading(parts[1], .artists))")]
    case "composer": return [("composer", "\(try names.heading(parts[1], .composers))")]
    case "genre": return [("genre", "\(try names.heading(parts[1], .genres))")]
    case "album": return [("album", "\(try names.album(parts[1]))")]
    case "playlist": return [("playlist", "\(try names.playlist(parts[1]))")]
    case "year": return [("year", parts[1])]
    default:
      throw .usage("'\(parts[0])' is unknown; try artist, composer, genre, album, playlist, year")
    }
  }

  private var text: LibraryText {
    LibraryText(columns: context.terminal.columns, ink: context.terminal.ink)
  }
}
