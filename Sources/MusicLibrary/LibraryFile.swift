// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase

/// How the library's file is opened, and what is saved of a damaged one.
enum LibraryFile {
  struct Opened {
    var notices: [String] = []
    var revision: UInt64 = 0
  }

  /// Makes the file fit for use.
  static func open(_ path: String, history: SchemaHistory) throws(SQLiteError) -> Opened {
    do throws(SQLiteError) {
      return try prepared(path, history: history)
    } catch {
      guard error.isDamage else { throw error }
      let aside = path + ".damaged"
      moveDatabase(path, to: aside)
      var opened = try prepared(path, history: history)
      let saved = (try? rescue(from: aside, to: path)) ?? 0
      opened.notices.append(
        "\(path) was damaged: it is kept as \(aside), and a new one is begun; "
          + "the next scan fills it; \(saved) ratings and places could be saved")
      return opened
    }
  }

  /// A connection of the usual kind.
  static func connection(_ path: String) throws(SQLiteError) -> sending SQLiteConnection {
    let connection = try SQLiteConnection(path: path)
    try connection.run("PRAGMA synchronous = NORMAL")
    try connection.run("PRAGMA foreign_keys = ON")
    return connection
  }

  private static func prepared(
    _ path: String, history: SchemaHistory
  ) throws(SQLiteError) -> Opened {
    let connection = try SQLiteConnection(path: path)
    var opened = Opened()
    if let copy = try history.prepare(connection, path: path) {
      opened.notices.append(
        "the library was brought up to date; the old one is kept as \(copy)")
    }
    opened.revision = UInt64(
      bitPattern: try connection.number("SELECT revision FROM library") ?? 0)
    return opened
  }

  /// Copies ratings and places, row by row, until the damage is met; returns how many.
  private static func rescue(from damaged: String, to path: String) throws(SQLiteError) -> Int {
    let old = try SQLiteConnection(path: damaged)
    let new = try SQLiteConnection(path: path)
    var rows: [[SQLiteValue]] = []
    try? old.rows("SELECT fingerprint, rating, position_ms FROM memories") { row in
      guard let fingerprint = row.integer(0) else { return }
      rows.append([.integer(fingerprint), .optional(row.integer(1)), .optional(row.integer(2))])
    }
    try new.transaction { database throws(SQLiteError) in
      try database.run("INSERT OR IGNORE INTO memories VALUES(?, ?, ?)", each: rows)
    }
    return rows.count
  }
}
