// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// `PRAGMA user_version` counts the migrations that a file has been through. A file with more of them
// than we know is refused; one with fewer is copied beside itself before it is changed.

/// The shape of the database, and how old ones are brought to it.
enum Schema {
  /// Marks the file as ours: "TUTT".
  static let applicationID: Int64 = 0x5455_5454

  /// Each brings the file from the version of its index to the next.
  static let migrations = [
    """
    CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
    CREATE TABLE queue(
      place INTEGER PRIMARY KEY, item INTEGER NOT NULL UNIQUE,
      kind TEXT NOT NULL, location TEXT NOT NULL, label TEXT NOT NULL);
    CREATE TABLE queue_state(
      one INTEGER PRIMARY KEY CHECK (one = 1), current INTEGER, revision INTEGER NOT NULL,
      repeat_mode TEXT NOT NULL, next_item INTEGER NOT NULL);
    CREATE TABLE playback(
      one INTEGER PRIMARY KEY CHECK (one = 1), state TEXT NOT NULL, paused_at INTEGER NOT NULL,
      clock_id INTEGER NOT NULL, playout_delay_ns INTEGER NOT NULL);
    CREATE TABLE runs(
      place INTEGER PRIMARY KEY, item INTEGER NOT NULL, media_frame INTEGER NOT NULL,
      source_frame INTEGER NOT NULL);
    CREATE TABLE generation(
      one INTEGER PRIMARY KEY CHECK (one = 1), session INTEGER NOT NULL,
      first_unused INTEGER NOT NULL);
    CREATE TABLE alive(one INTEGER PRIMARY KEY CHECK (one = 1), media_ns INTEGER NOT NULL);
    CREATE TABLE rooms(
      place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, address TEXT,
      volume INTEGER, muted INTEGER NOT NULL, volume_serial INTEGER NOT NULL);
    CREATE TABLE clock(
      one INTEGER PRIMARY KEY CHECK (one = 1), boot_id TEXT NOT NULL, constant INTEGER NOT NULL,
      clock_id INTEGER NOT NULL, suspended_ns INTEGER NOT NULL);
    """
  ]

  /// Brings a database up to date.
  ///
  /// - Returns: Where the copy of the old one is, when it had to be changed.
  static func prepare(
    _ database: borrowing Connection, path: String, migrations: [String]
  ) throws(StateStoreError) -> String? {
    let application = try database.number("PRAGMA application_id") ?? 0
    let found = Int(try database.number("PRAGMA user_version") ?? 0)
    let isFresh = try database.number("SELECT count(*) FROM sqlite_master") == 0
    guard application == applicationID || isFresh else { throw .foreignDatabase(path: path) }
    guard found <= migrations.count else {
      throw .newerSchema(path: path, found: found, supported: migrations.count)
    }
    // Readers never wait for the writer.
    _ = try database.number("PRAGMA journal_mode = WAL") as Int64?
    // In WAL mode NORMAL survives the death of the process at any moment; after a power cut the file
    // is whole, and what was written since the last checkpoint (seconds) may be missing.
    try database.run("PRAGMA synchronous = NORMAL")
    guard found < migrations.count else { return nil }
    let copy = isFresh ? nil : "\(path).schema-\(found)"
    if let copy { try keepCopy(of: database, at: copy) }
    try database.transaction { database throws(StateStoreError) in
      for migration in migrations[found...] { try database.run(migration) }
      try database.run("PRAGMA user_version = \(migrations.count)")
      try database.run("PRAGMA application_id = \(applicationID)")
    }
    return copy
  }

  private static func keepCopy(
    of database: borrowing Connection, at copy: String
  ) throws(StateStoreError) {
    removeFile(copy)
    try database.run("VACUUM INTO ?", [.text(copy)])
  }
}
