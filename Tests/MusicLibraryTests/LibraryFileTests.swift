// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Foundation
import SQLiteDatabase
import Testing

@testable import MusicLibrary

@Suite struct LibraryFileTests {
  @Test func `a new library is empty`() throws {
    let house = try Collection()
    #expect(house.library.revision == 0)
    #expect(house.library.notices.isEmpty)
    #expect(try house.library.songs().items.isEmpty)
    #expect(try house.library.counts() == LibraryCounts())
    #expect(try house.library.letters(of: .artists).isEmpty)
  }

  @Test func `a library of a newer version is refused in words and left as it is`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("library.sqlite")
    let newer = SchemaHistory(
      applicationID: LibrarySchema.applicationID,
      migrations: LibrarySchema.history.migrations + ["CREATE TABLE later(x)"])
    _ = try MusicLibrary(path: path, history: newer)
    let error = #expect(throws: LibraryError.self) { try MusicLibrary(path: path) }
    #expect(error?.description.contains("newer version of Tutti") == true)
    #expect(throws: Never.self) { try MusicLibrary(path: path, history: newer) }
  }

  @Test func `an older library is copied, then brought up to date`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A"))
    let path = house.scratch.file("library.sqlite")
    let newer = SchemaHistory(
      applicationID: LibrarySchema.applicationID,
      migrations: LibrarySchema.history.migrations + ["ALTER TABLE songs ADD COLUMN mood TEXT"])
    let library = try MusicLibrary(path: path, history: newer)
    #expect(library.notices.count == 1)
    #expect(try library.songs().total == 1)
    #expect(house.scratch.has("library.sqlite.schema-1"))
  }

  @Test func `another program's database is refused`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("library.sqlite")
    try SQLiteConnection(path: path).run("CREATE TABLE theirs(x)")
    #expect(throws: LibraryError.database(.foreignDatabase(path: path))) {
      try MusicLibrary(path: path)
    }
  }

  @Test func `a file of nonsense is put aside`() throws {
    let scratch = try ScratchDirectory()
    try scratch.write(Data(repeating: 0x55, count: 10_000), to: "library.sqlite")
    let library = try MusicLibrary(path: scratch.file("library.sqlite"))
    #expect(library.notices.count == 1)
    #expect(scratch.has("library.sqlite.damaged"))
    #expect(try library.songs().total == 0)
  }

  @Test func `ratings are saved out of a damaged library`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("library.sqlite")
    do {
      let library = try MusicLibrary(path: path)
      var batch = ScanBatch()
      batch.read = (0..<50).map { file("/m/\($0)", title: "T\($0)") }
      try library.apply(batch)
      for song in try library.songs().items { try library.setRating(song: song.id, stars: 2) }
    }
    // The table that is read first at each start is broken: its root page becomes nonsense.
    let page: Int64
    do {
      let database = try SQLiteConnection(path: path)
      page = try database.number("SELECT rootpage FROM sqlite_master WHERE name = 'library'") ?? 0
      try database.rows("PRAGMA wal_checkpoint(TRUNCATE)") { _ in }
    }
    var bytes = try scratch.read("library.sqlite")
    let start = Int(page - 1) * 4_096
    bytes.replaceSubrange(start..<start + 64, with: [UInt8](repeating: 0xFF, count: 64))
    try scratch.write(bytes, to: "library.sqlite")
    let library = try MusicLibrary(path: path)
    #expect(library.notices.first?.contains("50 ratings") == true)
    var batch = ScanBatch()
    batch.read = [file("/m/new place", title: "T7")]
    try library.apply(batch)
    #expect(try library.songs().items.first?.rating == 2)
  }

  @Test func `what was applied is there after opening again`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A", artists: ["X"], album: "L"))
    let again = try MusicLibrary(path: house.scratch.file("library.sqlite"))
    #expect(try again.songs().items == house.library.songs().items)
    #expect(try again.search("x").artists.total == 1)
  }
}
