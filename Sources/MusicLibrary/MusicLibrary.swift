// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import SQLiteDatabase
internal import Synchronization

// One SQLite file in WAL mode with two connections: the scan writes on one while people read on the
// other, and neither waits for the other. What the file holds can be found again by a scan, but for
// ratings and places, which therefore outlive everything else (docs/library.md).

/// The coordinator's collection: what there is, in which order, and where.
///
/// Safe to use from any thread. Every call blocks on the disk, so none belongs on the coordinator's
/// loop.
public final class MusicLibrary: Sendable {
  /// What happened to the file when it was opened and somebody should know, in words.
  public let notices: [String]

  /// Grows with every change of what the library holds; survives a restart.
  public var revision: UInt64 { latestRevision.load(ordering: .relaxed) }

  let path: String
  let writer: Mutex<SQLiteConnection>
  let reader: Mutex<SQLiteConnection>
  let latestRevision: Atomic<UInt64>

  /// Opens the file, makes it, or brings an older one up to date.
  ///
  /// A damaged file is put aside and a new one begun; `notices` says so. What can still be read of
  /// ratings and places goes over into the new one.
  ///
  /// - Parameter path: Where the file is or shall be; its directory exists.
  /// - Throws: `LibraryError`; a file of a newer Tutti is refused and left as it is.
  public convenience init(path: String) throws(LibraryError) {
    try self.init(path: path, history: LibrarySchema.history)
  }

  init(path: String, history: SchemaHistory) throws(LibraryError) {
    self.path = path
    do throws(SQLiteError) {
      let opened = try LibraryFile.open(path, history: history)
      notices = opened.notices
      latestRevision = Atomic(opened.revision)
      writer = Mutex(try LibraryFile.connection(path))
      reader = Mutex(try LibraryFile.connection(path))
    } catch {
      throw .database(error)
    }
  }

  /// Reads on the connection for readers.
  func read<Result: Sendable>(
    _ body: @Sendable (borrowing SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(LibraryError) -> Result {
    do throws(SQLiteError) {
      return try reader.withLock { database throws(SQLiteError) in try body(database) }
    } catch {
      throw .database(error)
    }
  }

  /// Reads on a connection of its own what takes so long that others would wait.
  func readApart<Result: Sendable>(
    _ body: (borrowing SQLiteConnection) throws(SQLiteError) -> Result
  ) throws(LibraryError) -> Result {
    do throws(SQLiteError) {
      return try body(try SQLiteConnection(path: path))
    } catch {
      throw .database(error)
    }
  }

  /// Changes things in one transaction.
  func write(
    _ body: @Sendable (borrowing SQLiteConnection) throws(SQLiteError) -> Void
  ) throws(LibraryError) {
    do throws(SQLiteError) {
      try writer.withLock { database throws(SQLiteError) in try database.transaction(body) }
    } catch {
      throw .database(error)
    }
  }
}
