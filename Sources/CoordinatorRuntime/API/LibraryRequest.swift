// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import HTTPService
internal import MusicLibrary

/// What the query of a request about the library asks for.
struct LibraryRequest {
  var page: PageRequest
  var selection: Selection
  var kinds: Set<SearchKind>
  var text: String

  init(_ request: HTTPRequest) throws(ProblemDocument) {
    var limit = PageRequest.usualLimit
    if let word = request.query["limit"] {
      guard let number = Int(word), (1...PageRequest.largestLimit).contains(number) else {
        throw .badRequest("`limit` is 1 to \(PageRequest.largestLimit), not \(word)")
      }
      limit = number
    }
    page = PageRequest(cursor: request.query["cursor"], limit: limit)
    selection = try Self.selection(request.query)
    kinds = try Self.kinds(request.query["kinds"])
    text = request.query["q"] ?? ""
  }

  private static let selections: [(name: String, make: @Sendable (Int64) -> Selection)] = [
    ("artist", Selection.artist), ("album", Selection.album), ("composer", Selection.composer),
    ("genre", Selection.genre), ("playlist", Selection.playlist),
    ("year", { .year(Int($0)) }),
  ]

  private static func selection(_ query: [String: String]) throws(ProblemDocument) -> Selection {
    let given = selections.filter { query[$0.name] != nil }
    guard let one = given.first, let word = query[one.name] else { return .all }
    guard given.count == 1 else {
      let names = given.map(\.name).joined(separator: " and ")
      throw ProblemDocument(
        status: 422, kind: "one-at-a-time", title: "These do not go together",
        detail: "\(names) at once: choose one")
    }
    guard let number = Int64(word) else {
      throw .badRequest("`\(one.name)` is a number, not \(word)")
    }
    return one.make(number)
  }

  private static func kinds(_ words: String?) throws(ProblemDocument) -> Set<SearchKind> {
    guard let words else { return Set(SearchKind.allCases) }
    var kinds: Set<SearchKind> = []
    for word in words.split(separator: ",") {
      guard let kind = SearchKind(rawValue: String(word)) else {
        let known = SearchKind.allCases.map(\.rawValue).joined(separator: ", ")
        throw .badRequest("`kinds` are of \(known), not \(word)")
      }
      kinds.insert(kind)
    }
    guard !kinds.isEmpty else { throw .badRequest("`kinds` names nothing to search for") }
    return kinds
  }
}

extension ProblemDocument {
  /// The library did not do something.
  init(_ error: LibraryError) {
    switch error {
    case .unknown(let kind, _):
      self.init(
        status: 404, kind: "unknown-\(kind)", title: "There is no such \(kind)", detail: "\(error)")
    case .badCursor:
      self.init(
        status: 409, kind: "bad-cursor", title: "The cursor is of another list", detail: "\(error)")
    case .badRating:
      self.init(
        status: 422, kind: "bad-rating", title: "That is no rating", detail: "\(error)")
    case .database:
      self.init(
        status: 500, kind: "library", title: "The library cannot be read", detail: "\(error)")
    }
  }
}

extension HTTPResponse {
  /// How long a picture may be shown without asking again, in seconds: an hour.
  private static let pictureAge = 3_600

  /// A part of a list.
  static func page<Item, Document: Codable & Sendable & Hashable>(
    _ page: Page<Item>, _ document: (Item) -> Document
  ) throws(ProblemDocument) -> HTTPResponse {
    try .document(
      PageDocument(
        items: page.items.map(document), nextCursor: page.nextCursor, total: page.total))
  }

  /// A picture, which may be kept.
  static func picture(_ bytes: [UInt8], mediaType: String, tag: String) -> HTTPResponse {
    HTTPResponse(
      status: 200, headers: [Header("Content-Type", mediaType)] + pictureHeaders(tag),
      body: .bytes(bytes))
  }

  /// What stands for a picture that is not there.
  static func defaultPicture(_ request: HTTPRequest) -> HTTPResponse {
    notModified(DefaultPicture.tag, request)
      ?? picture(
        Array(DefaultPicture.svg.utf8), mediaType: "image/svg+xml", tag: DefaultPicture.tag)
  }

  /// 304 when the client has this very picture already (RFC 9110 section 13.1.2).
  static func notModified(_ tag: String, _ request: HTTPRequest) -> HTTPResponse? {
    guard let known = request.headers["if-none-match"] else { return nil }
    let tags = known.split(separator: ",").map { word in
      let word = word.drop { $0 == " " }
      return String(word.hasPrefix("W/") ? word.dropFirst(2) : word)
    }
    guard tags.contains("\"\(tag)\"") || tags.contains("*") else { return nil }
    return HTTPResponse(status: 304, headers: pictureHeaders(tag))
  }

  private static func pictureHeaders(_ tag: String) -> [Header] {
    [Header("ETag", "\"\(tag)\""), Header("Cache-Control", "private, max-age=\(pictureAge)")]
  }
}
