// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import HTTPService
internal import MusicLibrary

/// Answers requests about the library, on a thread of its own: neither the coordinator's loop nor the
/// tasks of other requests ever wait for the disk here.
struct LibraryAPI: Sendable {
  let library: MusicLibrary
  let pictures: ArtworkStore
  let thread: ChoreThread
  let events: EventHub

  /// Answers one request.
  func answer(_ route: LibraryRoute, _ request: HTTPRequest) async throws -> HTTPResponse {
    if case .artwork(let kind, let id) = route {
      return try await artwork(kind, id, request)
    }
    return try await reading { () throws(LibraryError) in try content(route, request) }
  }

  /// Does something on the library's thread.
  private func reading<Value: Sendable>(
    _ body: @escaping @Sendable () throws(LibraryError) -> Value
  ) async throws -> Value {
    let result: Result<Value, LibraryError> = await withCheckedContinuation { continuation in
      thread.run {
        continuation.resume(returning: Result { () throws(LibraryError) in try body() })
      }
    }
    return try result.mapError(ProblemDocument.init).get()
  }

  // MARK: - Lists and pages

  private func content(
    _ route: LibraryRoute, _ request: HTTPRequest
  ) throws(LibraryError) -> HTTPResponse {
    let query: LibraryRequest
    do throws(ProblemDocument) { query = try LibraryRequest(request) } catch {
      return .problem(error)
    }
    do throws(ProblemDocument) {
      switch route {
      case .counts: return try .document(counts())
      case .search, .letters: return try found(route, query)
      case .rating(let id): return try rate(id, request)
      case .song, .album, .heading: return try single(route)
      default: return try list(route, query)
      }
    } catch {
      return .problem(error)
    }
  }

  private func counts() throws(ProblemDocument) -> LibraryDocument {
    let counts = try asked { () throws(LibraryError) in try library.counts() }
    return LibraryDocument(counts, revision: library.revision)
  }

  private func list(
    _ route: LibraryRoute, _ query: LibraryRequest
  ) throws(ProblemDocument) -> HTTPResponse {
    let page = query.page
    switch route {
    case .songs:
      return try .page(
        try asked { () throws(LibraryError) in try library.songs(query.selection, page) },
        SongDocument.init)
    case .albums:
      return try .page(
        try asked { () throws(LibraryError) in try library.albums(query.selection, page) },
        AlbumDocument.init)
    case .audiobooks:
      return try .page(
        try asked { () throws(LibraryError) in try library.audiobooks(page) }, AlbumDocument.init)
    case .podcasts:
      return try .page(
        try asked { () throws(LibraryError) in try library.podcasts(page) }, AlbumDocument.init)
    case .headings(let list):
      return try .page(
        try asked { () throws(LibraryError) in
          switch list {
          case .artists: try library.artists(page)
          case .composers: try library.composers(page)
          case .genres: try library.genres(page)
          }
        }, HeadingDocument.init)
    case .years:
      let years = try asked { () throws(LibraryError) in try library.years() }
      return try .page(Page(items: years, total: years.count), YearDocument.init)
    case .playlists:
      return try .page(
        try asked { () throws(LibraryError) in try library.playlists(page) },
        LibraryPlaylistDocument.init)
    case .playlist(let id):
      return try .page(
        try asked { () throws(LibraryError) in
          try library.playlistItems(try number(id, "playlist"), page)
        }, PlaylistEntryDocument.init)
    case .stations:
      return try .page(
        try asked { () throws(LibraryError) in try library.stations(page) }, StationDocument.init)
    default: throw .badRequest("\(route.path) is no list")
    }
  }

  private func single(_ route: LibraryRoute) throws(ProblemDocument) -> HTTPResponse {
    switch route {
    case .song(let id):
      let song = try asked { () throws(LibraryError) in
        try present(try library.song(try number(id, "song")), id, "song")
      }
      return try .document(SongDetailsDocument(song))
    case .album(let id):
      let page = try asked { () throws(LibraryError) in
        try present(try library.album(try number(id, "album")), id, "album")
      }
      return try .document(AlbumPageDocument(page))
    case .heading(let list, let id):
      let kind = String(list.rawValue.dropLast())
      let heading = try asked { () throws(LibraryError) in
        try present(try library.heading(try number(id, kind)), id, kind)
      }
      return try .document(HeadingDocument(heading))
    default: throw .badRequest("\(route.path) is no page")
    }
  }

  private func found(
    _ route: LibraryRoute, _ query: LibraryRequest
  ) throws(ProblemDocument) -> HTTPResponse {
    if case .letters(let word) = route {
      guard let list = LetteredList(rawValue: word) else {
        let known = LetteredList.allCases.map(\.rawValue).joined(separator: ", ")
        throw .badRequest("there are letters for \(known), not for \(word)")
      }
      let letters = try asked { () throws(LibraryError) in try library.letters(of: list) }
      return try .document(LettersDocument(letters))
    }
    let results = try asked { () throws(LibraryError) in
      try library.search(query.text, kinds: query.kinds, query.page)
    }
    return try .document(SearchDocument(results, kinds: query.kinds))
  }

  private func rate(_ id: String, _ request: HTTPRequest) throws(ProblemDocument) -> HTTPResponse {
    guard case .bytes(let bytes) = request.body else {
      throw .badRequest(#"a rating is needed, as JSON: {"rating": 4}"#)
    }
    let rating: Int?
    do throws(DocumentError) {
      rating = try JSONDocument.decode(RatingDocument.self, from: bytes).rating
    } catch {
      throw .badRequest("the rating \(error)")
    }
    try asked { () throws(LibraryError) in
      try library.setRating(song: try number(id, "song"), stars: rating)
    }
    tellChange()
    return HTTPResponse(status: 204)
  }

  /// Lists that show the stars are to be asked for anew.
  private func tellChange() {
    let event = EventDocument.library(revision: library.revision)
    guard let data = try? event.data() else { return }
    events.publish(name: event.name, data: data)
  }

  private func number(_ id: String, _ kind: String) throws(LibraryError) -> Int64 {
    guard let number = Int64(id) else { throw .unknown(kind: kind, id: -1) }
    return number
  }

  private func present<Thing>(
    _ thing: Thing?, _ id: String, _ kind: String
  ) throws(LibraryError) -> Thing {
    guard let thing else { throw .unknown(kind: kind, id: Int64(id) ?? -1) }
    return thing
  }

  private func asked<Result>(
    _ body: () throws(LibraryError) -> Result
  ) throws(ProblemDocument) -> Result {
    do throws(LibraryError) { return try body() } catch { throw ProblemDocument(error) }
  }

  // MARK: - Pictures

  private func artwork(
    _ kind: LibraryRoute.Pictured, _ id: String, _ request: HTTPRequest
  ) async throws -> HTTPResponse {
    let word = request.query["size"] ?? ArtworkStore.Size.small.rawValue
    guard let size = ArtworkStore.Size(rawValue: word) else {
      throw ProblemDocument.badRequest("the size is small or large, not \(word)")
    }
    let source = try await reading { () throws(LibraryError) -> ArtworkSource? in
      try pictureSource(kind, try number(id, String(kind.rawValue.dropLast())))
    }
    guard let source else { return .defaultPicture(request) }
    let tag = ArtworkStore.tag(source, size)
    if let known = HTTPResponse.notModified(tag, request) { return known }
    guard let picture = await pictures.picture(source, size) else {
      return .defaultPicture(request)
    }
    return .picture(picture, mediaType: "image/jpeg", tag: tag)
  }

  private func pictureSource(
    _ kind: LibraryRoute.Pictured, _ id: Int64
  ) throws(LibraryError) -> ArtworkSource? {
    switch kind {
    case .songs: return try library.artwork(of: .song(id))
    case .albums: return try library.artwork(of: .album(id))
    case .artists: return try library.artwork(of: .artist(id))
    case .playlists: return try library.artwork(of: .playlist(id))
    case .stations:
      guard try library.station(id) != nil else { throw .unknown(kind: "station", id: id) }
      return nil
    }
  }
}
