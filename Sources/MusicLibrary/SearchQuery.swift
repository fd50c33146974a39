// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import SQLiteDatabase

// A search answers within milliseconds also for "a", which begins a word of nearly every song. So
// nothing here sorts or counts all matches: each part is read in an order that an index has.
//
//   part 0   the name begins with the text      index on `beginning`, by name
//   part 1   all words are in the name          FTS5, by number
//   part 2   all words are in name and others   FTS5, by number
//
// A page goes through the parts until it is full; its cursor says in which one it ended.

/// A text that is searched for.
struct SearchQuery: Sendable {
  /// What the name begins with, in part 0.
  let beginning: String
  private let words: [String]
  private let list: String

  /// Nil when there are no words.
  init?(_ text: String) {
    beginning = SearchText.beginning(of: text)
    words = Array(beginning.split(separator: " ").map(String.init).prefix(SearchText.mostWords))
    guard !words.isEmpty else { return nil }
    list = words.joined(separator: " ")
  }

  private struct Source {
    var table: String
    /// Which rows of the table, for part 0.
    var filter: String
    /// The word in `role`; nil when the table has only things of this kind.
    var role: String?
  }

  private static func source(_ kind: SearchKind) -> Source {
    switch kind {
    case .songs: Source(table: "songs", filter: "1")
    case .albums: Source(table: "albums", filter: "t.kind = 0", role: "k0")
    case .audiobooks: Source(table: "albums", filter: "t.kind = 1", role: "k1")
    case .podcasts: Source(table: "albums", filter: "t.kind = 2", role: "k2")
    case .artists: Source(table: "headings", filter: "t.role = 1", role: "r1")
    case .composers: Source(table: "headings", filter: "t.role = 2", role: "r2")
    case .genres: Source(table: "headings", filter: "t.role = 3", role: "r3")
    case .playlists: Source(table: "playlists", filter: "t.is_list = 1")
    case .stations: Source(table: "stations", filter: "1")
    }
  }

  /// The numbers of things that match; nil when the cursor is none of this search.
  func matches(
    of kind: SearchKind, _ request: PageRequest, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Page<Int64>? {
    let list = "search \(kind) \(list)"
    var start = Cursor(list: list, section: 0, key: "", id: .min)
    if let text = request.cursor {
      guard let cursor = Cursor(text, list: list), cursor.section < 3 else { return nil }
      start = cursor
    }
    let source = Self.source(kind)
    var found: [Cursor] = []
    for part in start.section..<3 {
      let missing = request.limit + 1 - found.count
      guard missing > 0 else { break }
      let after =
        part == start.section ? start : Cursor(list: list, section: part, key: "", id: .min)
      found += try self.part(part, after, source, limit: missing, list, database)
    }
    let items = found.prefix(request.limit)
    let next = found.count > items.count ? items.last?.text : nil
    return Page(
      items: items.map(\.id), nextCursor: next, total: try count(source, database))
  }

  private func part(
    _ part: UInt8, _ after: Cursor, _ source: Source, limit: Int, _ list: String,
    _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Cursor] {
    var found: [Cursor] = []
    let end = beginning + "\u{10FFFF}"
    if part == 0 {
      try database.rows(
        """
        SELECT t.id, t.beginning FROM \(source.table) t
          WHERE \(source.filter) AND t.beginning >= ? AND t.beginning < ?
            AND (t.beginning, t.id) > (?, ?) ORDER BY t.beginning, t.id LIMIT ?
        """,
        [
          .text(beginning), .text(end), .text(after.key), .integer(after.id),
          .integer(Int64(limit)),
        ]
      ) { row in
        found.append(
          Cursor(list: list, section: 0, key: row.text(1) ?? "", id: row.integer(0) ?? 0))
      }
      return found
    }
    let expression = part == 1 ? inName(source) : "(\(anywhere(source))) NOT \(inName(source))"
    try database.rows(
      """
      SELECT x.rowid FROM \(source.table)_search x JOIN \(source.table) t ON t.id = x.rowid
        WHERE \(source.table)_search MATCH ? AND x.rowid > ?
          AND NOT (t.beginning >= ? AND t.beginning < ?) ORDER BY x.rowid LIMIT ?
      """,
      [
        .text(expression), .integer(after.id), .text(beginning), .text(end),
        .integer(Int64(limit)),
      ]
    ) { row in
      found.append(Cursor(list: list, section: part, key: "", id: row.integer(0) ?? 0))
    }
    return found
  }

  private func count(
    _ source: Source, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int {
    let most = Int64(MusicLibrary.mostCounted)
    let count = try database.number(
      """
      SELECT count(*) FROM (SELECT 1 FROM \(source.table)_search
        WHERE \(source.table)_search MATCH ? LIMIT ?)
      """, [.text(anywhere(source)), .integer(most)])
    return Int(count ?? 0)
  }

  /// Words have no quotes in them: they are letters and digits.
  private var all: String { words.map { "\"\($0)\" *" }.joined(separator: " AND ") }

  private func inName(_ source: Source) -> String {
    let role = source.role.map { "role : \"\($0)\" AND " } ?? ""
    return "(\(role)name : (\(all)))"
  }

  private func anywhere(_ source: Source) -> String {
    let role = source.role.map { "role : \"\($0)\" AND " } ?? ""
    return "\(role){name others} : (\(all))"
  }
}
