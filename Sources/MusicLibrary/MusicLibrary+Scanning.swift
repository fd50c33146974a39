// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase
internal import Synchronization

extension MusicLibrary {
  /// Hands over every file known in a music folder, in no order.
  ///
  /// Reads on a connection of its own: however many there are, nobody waits.
  ///
  /// - Parameters:
  ///   - root: The music folder.
  ///   - body: Takes a file.
  /// - Throws: `LibraryError`.
  public func knownFiles(
    root: String, _ body: (KnownFile) -> Void
  ) throws(LibraryError) {
    try readApart { database throws(SQLiteError) in
      try database.rows(
        """
        SELECT id, path, size, modified, device, inode, failure, available FROM files
          WHERE root = ?
        """, [.text(root)]
      ) { row in
        body(
          KnownFile(
            id: row.integer(0) ?? 0, path: row.text(1) ?? "",
            stamp: FileStamp(
              size: row.integer(2) ?? 0, modified: row.integer(3) ?? 0,
              device: row.bits(4) ?? 0, inode: row.bits(5) ?? 0),
            failure: row.text(6), isAvailable: row.integer(7) == 1))
      }
    }
  }

  /// The playlists known in a music folder.
  ///
  /// - Parameter root: The music folder.
  /// - Returns: The playlists, in no order; also files of radio stations.
  /// - Throws: `LibraryError`.
  public func knownPlaylists(root: String) throws(LibraryError) -> [KnownPlaylist] {
    try read { database throws(SQLiteError) in
      var known: [KnownPlaylist] = []
      try database.rows(
        "SELECT id, path, modified FROM playlists WHERE root = ?", [.text(root)]
      ) { row in
        known.append(
          KnownPlaylist(
            id: row.integer(0) ?? 0, path: row.text(1) ?? "", modified: row.integer(2) ?? 0))
      }
      return known
    }
  }

  /// The music folders that files are known in; some may not be asked for any more.
  ///
  /// - Returns: The folders, in no order.
  /// - Throws: `LibraryError`.
  public func knownRoots() throws(LibraryError) -> [String] {
    try read { database throws(SQLiteError) in
      var roots: [String] = []
      try database.rows("SELECT root FROM files UNION SELECT root FROM playlists") { row in
        if let root = row.text(0) { roots.append(root) }
      }
      return roots
    }
  }

  /// Takes over what a scan has learned, in one transaction: all of it or nothing.
  ///
  /// - Parameter batch: What was learned. A thousand files or so make a good batch.
  /// - Throws: `LibraryError`; nothing has changed then.
  public func apply(_ batch: ScanBatch) throws(LibraryError) {
    guard !batch.isEmpty else { return }
    try write { database throws(SQLiteError) in
      var writer = BatchWriter()
      try writer.apply(batch, database)
      try bumpRevision(database)
    }
  }

  /// Every file that cannot be played, with its reason, by path.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The files.
  /// - Throws: `LibraryError`.
  public func failedFiles(
    _ page: PageRequest = PageRequest()
  ) throws(LibraryError) -> Page<FailedFile> {
    let query = ListQuery(
      list: "failed", columns: "f.path, f.root, f.size, f.modified, f.device, f.inode, f.failure",
      from: "files f", filter: "f.failure IS NOT NULL", key: "f.path", id: "f.id")
    return try found { database throws(SQLiteError) in
      try query.page(page, database) { row in
        let first = ListQuery.before
        return FailedFile(
          path: row.text(first) ?? "", root: row.text(first + 1) ?? "",
          stamp: FileStamp(
            size: row.integer(first + 2) ?? 0, modified: row.integer(first + 3) ?? 0,
            device: row.bits(first + 4) ?? 0, inode: row.bits(first + 5) ?? 0),
          reason: row.text(first + 6) ?? "")
      }
    }
  }

  func bumpRevision(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
    try database.run("UPDATE library SET revision = revision + 1")
    let revision = try database.number("SELECT revision FROM library") ?? 0
    latestRevision.store(UInt64(bitPattern: revision), ordering: .relaxed)
  }
}
