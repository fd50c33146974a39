// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import SQLiteDatabase

// Pages go on after the last item's sort key and number ("keyset"): as fast at the end of a long list
// as at its start, and right when things are added or removed in between.

/// A list that is read page by page.
struct ListQuery: Sendable {
  /// What tells this list from others: a cursor of one is none of another.
  var list: String
  /// What an item is made of.
  var columns: String
  /// The tables.
  var from: String
  /// Which rows.
  var filter: String
  /// The values in `filter`.
  var values: [SQLiteValue] = []
  /// The column that the list is sorted by.
  var key: String
  /// The column that tells equal keys apart.
  var id: String
  /// The tables for counting, when fewer do.
  var countFrom: String?

  /// Reads a page.
  ///
  /// - Returns: Nil when the cursor is none of this list.
  func page<Item>(
    _ request: PageRequest, _ database: borrowing SQLiteConnection,
    item: (borrowing SQLiteRow) -> Item
  ) throws(SQLiteError) -> Page<Item>? {
    var place = "1"
    var placeValues: [SQLiteValue] = []
    if let text = request.cursor {
      guard let cursor = Cursor(text, list: list) else { return nil }
      place = "(\(key), \(id)) > (?, ?)"
      placeValues = [.text(cursor.key), .integer(cursor.id)]
    }
    let sql = """
      SELECT \(key), \(id), \(columns) FROM \(from) WHERE \(filter) AND \(place)
        ORDER BY \(key), \(id) LIMIT ?
      """
    var items: [Item] = []
    var last: (key: String, id: Int64)?
    var goesOn = false
    // One more than asked for tells whether there is another page.
    let limit = Int64(request.limit) + 1
    try database.rows(sql, values + placeValues + [.integer(limit)]) { row in
      guard items.count < request.limit else { return goesOn = true }
      items.append(item(row))
      last = (row.text(0) ?? "", row.integer(1) ?? 0)
    }
    let total = try database.number(
      "SELECT count(*) FROM \(countFrom ?? from) WHERE \(filter)", values)
    let next = goesOn ? last.map { Cursor(list: list, key: $0.key, id: $0.id).text } : nil
    return Page(items: items, nextCursor: next, total: Int(total ?? 0))
  }

  /// How many columns come before the item's own.
  static let before: Int32 = 2
}

extension PageRequest {
  /// A page of what is in memory already.
  ///
  /// - Returns: The places, and the next cursor; nil when the cursor is none of the list.
  func slice(of count: Int, list: String) -> (range: Range<Int>, next: String?)? {
    var start = 0
    if let cursor {
      guard let place = Cursor(cursor, list: list)?.id, place >= 0 else { return nil }
      start = min(Int(clamping: place), count)
    }
    let end = min(count, start + limit)
    let next = end < count ? Cursor(list: list, key: "", id: Int64(end)).text : nil
    return (start..<end, next)
  }
}
