// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import SQLiteDatabase
internal import Synchronization

// One small SQLite file. Every save is a transaction of its own: whatever kills the program, the next
// one finds the last save that returned, whole.
//
// Saves do not wait for the disk (see `Schema`); `checkpoint` does, on a connection of its own, so
// that a slow memory card never holds up a button.

/// What the coordinator remembers between its lives.
///
/// Safe to use from any thread; one call at a time gets in.
public final class StateStore: Sendable {
  /// What happened to the file when it was opened and somebody should know, in words.
  public let notices: [String]

  let path: String
  let state: Mutex<Open>
  let checkpoints = Mutex(())

  struct Open: ~Copyable {
    let database: SQLiteConnection
    let copyOfOldSchema: String?
  }

  /// Opens the file, makes it, or brings an older one up to date.
  ///
  /// A file that is damaged beyond reading is put aside and a new one begun, because a house without
  /// music is worse than a queue forgotten; `notices` says so.
  ///
  /// - Parameter path: Where the file is or shall be; its directory exists.
  /// - Throws: `SQLiteError`.
  public convenience init(path: String) throws(SQLiteError) {
    try self.init(path: path, migrations: Schema.migrations)
  }

  init(path: String, migrations: [String]) throws(SQLiteError) {
    self.path = path
    var notices: [String] = []
    state = Mutex(try Self.open(path, migrations: migrations, notices: &notices))
    self.notices = notices
  }

  private static func open(
    _ path: String, migrations: [String], notices: inout [String]
  ) throws(SQLiteError) -> sending Open {
    do throws(SQLiteError) {
      let open = try Open.at(path, migrations: migrations)
      if let copy = open.copyOfOldSchema {
        notices = ["the state was brought up to date; the old one is kept as \(copy)"]
      }
      return open
    } catch {
      guard error.isDamage else { throw error }
      let aside = path + ".damaged"
      moveDatabase(path, to: aside)
      notices = ["\(path) was damaged: it is kept as \(aside), and a new one is begun"]
      return try Open.at(path, migrations: migrations)
    }
  }
}

extension StateStore.Open {
  fileprivate static func at(
    _ path: String, migrations: [String]
  ) throws(SQLiteError) -> sending Self {
    let connection = try SQLiteConnection(path: path)
    let copy = try SchemaHistory(
      applicationID: Schema.applicationID, migrations: migrations
    ).prepare(connection, path: path)
    return Self(database: connection, copyOfOldSchema: copy)
  }
}
