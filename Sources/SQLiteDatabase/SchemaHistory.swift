// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// `PRAGMA user_version` counts the migrations that a file has been through. A file with more of them
// than we know is refused; one with fewer is copied beside itself before it is changed.

/// The shape of a database, and how old files are brought to it.
public struct SchemaHistory: Sendable {
  /// Marks the file as ours (`PRAGMA application_id`).
  public var applicationID: Int64
  /// Each brings the file from the version of its index to the next.
  public var migrations: [String]

  /// A history.
  ///
  /// - Parameters:
  ///   - applicationID: Marks the file as ours.
  ///   - migrations: Each brings the file from the version of its index to the next.
  public init(applicationID: Int64, migrations: [String]) {
    self.applicationID = applicationID
    self.migrations = migrations
  }

  /// Brings a database up to date and into WAL mode.
  ///
  /// - Parameters:
  ///   - database: The open file.
  ///   - path: Where it is.
  /// - Returns: Where the copy of the old one is, when it had to be changed.
  /// - Throws: `SQLiteError`; `newerSchema` and `foreignDatabase` leave the file as it is.
  public func prepare(
    _ database: borrowing SQLiteConnection, path: String
  ) throws(SQLiteError) -> String? {
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
    try database.transaction { database throws(SQLiteError) in
      for migration in migrations[found...] { try database.run(migration) }
      try database.run("PRAGMA user_version = \(migrations.count)")
      try database.run("PRAGMA application_id = \(applicationID)")
    }
    return copy
  }

  private func keepCopy(
    of database: borrowing SQLiteConnection, at copy: String
  ) throws(SQLiteError) {
    removeFile(copy)
    try database.run("VACUUM INTO ?", [.text(copy)])
  }
}
