// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import HTTPClient

/// The library's lists and pages.
extension HouseConnection {
  /// Items per request: the most there are.
  private static let pageLimit = 1_000

  /// One document of the library.
  func library<Document: Decodable>(
    _ type: Document.Type, _ route: LibraryRoute, _ query: [(String, String)] = []
  ) throws(ClientFailure) -> Document {
    let words = query.map { $0.0 + "=" + QueryText.encode($0.1) }.joined(separator: "&")
    let path = APIRoute.library(route).path + (words.isEmpty ? "" : "?" + words)
    return try document(
      type, try answer { () throws(HTTPClientError) in try client.get(path) })
  }

  /// A whole list, page by page.
  func wholeList<Item>(
    of type: Item.Type, _ route: LibraryRoute, _ query: [(String, String)] = []
  ) throws(ClientFailure) -> PageDocument<Item> {
    var all = PageDocument<Item>(items: [], total: 0)
    repeat {
      var fields = query + [("limit", "\(Self.pageLimit)")]
      if let cursor = all.nextCursor { fields.append(("cursor", cursor)) }
      let page = try library(PageDocument<Item>.self, route, fields)
      all.items += page.items
      (all.nextCursor, all.total) = (page.nextCursor, page.total)
    } while all.nextCursor != nil
    return all
  }

  /// Gives stars to a song, or takes them away.
  func rate(_ song: Int64, _ stars: Int?) throws(ClientFailure) {
    let json: [UInt8]
    do { json = try JSONDocument.encode(RatingDocument(rating: stars)) } catch {
      throw .failed("\(error)")
    }
    let path = APIRoute.library(.rating(id: "\(song)")).path
    let answer = try answer { () throws(HTTPClientError) in try client.put(path, json: json) }
    // 204 has no document; anything else is a problem, or not ours.
    guard !answer.isSuccess else { return }
    _ = try document(RatingDocument.self, answer)
  }
}
