// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import SQLiteDatabase

// The order matters: paths are unique, and one batch may tell that a file is gone and another took
// its name, or that two files have changed places. So first what is gone goes, then all that moved
// leave their old names, then they take their new ones, and only then new files come.

/// Takes over what a scan has learned, within one transaction.
struct BatchWriter {
  private var songs = SongWriter()

  mutating func apply(
    _ batch: ScanBatch, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    for id in batch.gone { try remove(id, database) }
    try move(batch.moved, database)
    for file in batch.read { try read(file, database) }
    for file in batch.failed { try fail(file, database) }
    for id in batch.missing { try setAvailable(id, false, database) }
    for id in batch.gonePlaylists { try PlaylistStore.remove(id, database) }
    for file in batch.playlists { try PlaylistStore.write(file, database) }
    try songs.finish(database)
  }

  private mutating func remove(
    _ id: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    _ = try songs.detach(id, database)
    // The song and its details go with the file.
    try database.run("DELETE FROM files WHERE id = ?", [.integer(id)])
  }

  private mutating func read(
    _ file: ReadFile, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let known = try database.number("SELECT id FROM files WHERE path = ?", [.text(file.path)])
    let before = if let known { try songs.detach(known, database) } else { Int64?.none }
    let id = try place(known, file.path, file.root, file.stamp, failure: nil, database)
    try songs.write(id, file, before: before, database)
  }

  private mutating func fail(
    _ file: FailedFile, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    let known = try database.number("SELECT id FROM files WHERE path = ?", [.text(file.path)])
    if let known {
      _ = try songs.detach(known, database)
      try database.run("DELETE FROM songs WHERE id = ?", [.integer(known)])
    }
    _ = try place(known, file.path, file.root, file.stamp, failure: file.reason, database)
  }

  private mutating func move(
    _ files: [MovedFile], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    for file in files {
      // No path is relative, so no other file has this one.
      try database.run(
        "UPDATE files SET path = 'moving/' || id WHERE id = ?", [.integer(file.id)])
    }
    for file in files {
      let stored = try SongReader.storedFile(file.id, database)
      if let other = try database.number(
        "SELECT id FROM files WHERE path = ?", [.text(file.path)])
      {
        try remove(other, database)
      }
      let before = try songs.detach(file.id, database)
      guard
        try database.number("SELECT id FROM files WHERE id = ?", [.integer(file.id)]) != nil
      else { continue }
      try database.run(
        """
        UPDATE files SET path = ?, root = ?, name = ?, size = ?, modified = ?, device = ?,
          inode = ?, available = 1 WHERE id = ?
        """,
        [
          .text(file.path), .text(file.root), .text(Self.name(file.path)),
          .integer(file.stamp.size), .integer(file.stamp.modified), .bits(file.stamp.device),
          .bits(file.stamp.inode), .integer(file.id),
        ])
      guard var song = stored else { continue }
      // The picture of the folder has moved with it, or the next reading finds another.
      song.folderArtwork = song.folderArtwork.map {
        FilePath.folder(of: file.path) + "/" + FilePath.name(of: $0)
      }
      (song.path, song.root, song.stamp) = (file.path, file.root, file.stamp)
      try songs.write(file.id, song, before: before, database)
    }
  }

  private mutating func setAvailable(
    _ id: Int64, _ isAvailable: Bool, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try database.run(
      "UPDATE files SET available = ? WHERE id = ?",
      [.integer(isAvailable ? 1 : 0), .integer(id)])
    songs.touch(album: try database.number("SELECT album FROM songs WHERE id = ?", [.integer(id)]))
  }

  /// Writes a file's row; returns its number.
  private func place(
    _ known: Int64?, _ path: String, _ root: String, _ stamp: FileStamp, failure: String?,
    _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64 {
    let values: [SQLiteValue] = [
      .text(root), .integer(stamp.size), .integer(stamp.modified), .bits(stamp.device),
      .bits(stamp.inode), .optional(failure),
    ]
    if let known {
      try database.run(
        """
        UPDATE files SET root = ?, size = ?, modified = ?, device = ?, inode = ?, failure = ?,
          available = 1 WHERE id = ?
        """, values + [.integer(known)])
      return known
    }
    try database.run(
      """
      INSERT INTO files(root, size, modified, device, inode, failure, available, path, name)
        VALUES(?, ?, ?, ?, ?, ?, 1, ?, ?)
      """, values + [.text(path), .text(Self.name(path))])
    return database.lastInsertedRow
  }

  /// How entries of playlists from other machines find a file.
  private static func name(_ path: String) -> String { TextFolding.fold(FilePath.name(of: path)) }
}
