// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
internal import SQLiteDatabase
internal import Synchronization

extension MusicLibrary {
  /// Hands over every file known in a music folder, in no order.
  ///
  /// - Parameters:
  ///   - root: The music folder.
  ///   - body: Takes a file; must not call the library.
  /// - Throws: `LibraryError`.
  public func knownFiles(
    root: String, _ body: (KnownFile) -> Void
  ) throws(LibraryError) {
  }

  /// The playlists known in a music folder.
  ///
  /// - Parameter root: The music folder.
  /// - Returns: The playlists, in no order.
  /// - Throws: `LibraryError`.
  public func knownPlaylists(root: String) throws(LibraryError) -> [KnownPlaylist] {
    []
  }

  /// The music folders that files are known in; some may not be asked for any more.
  ///
  /// - Returns: The folders, in no order.
  /// - Throws: `LibraryError`.
  public func knownRoots() throws(LibraryError) -> [String] {
    []
  }

  /// Takes over what a scan has learned, in one transaction: all of it or nothing.
  ///
  /// - Parameter batch: What was learned. A thousand files or so make a good batch.
  /// - Throws: `LibraryError`; nothing has changed then.
  public func apply(_ batch: ScanBatch) throws(LibraryError) {
    guard !batch.isEmpty else { return }
    try write { database throws(SQLiteError) in
      try bumpRevision(database)
    }
  }

  /// Every file that cannot be played, with its reason, by path.
  ///
  /// - Parameter page: Which part.
  /// - Returns: The files.
  /// - Throws: `LibraryError`.
  public func failedFiles(_ page: PageRequest) throws(LibraryError) -> Page<FailedFile> {
    Page(items: [], total: 0)
  }

  func bumpRevision(_ database: borrowing SQLiteConnection) throws(SQLiteError) {
    try database.run("UPDATE library SET revision = revision + 1")
    let revision = try database.number("SELECT revision FROM library") ?? 0
    latestRevision.store(UInt64(bitPattern: revision), ordering: .relaxed)
  }
}
