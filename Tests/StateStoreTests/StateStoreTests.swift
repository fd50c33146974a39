// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import SQLiteDatabase
import Testing

@testable import StateStore

func queue(of count: Int, current: UInt64? = 1) -> SavedQueue {
  var queue = SavedQueue()
  queue.items = (0..<count).map {
    SavedQueue.Item(
      id: UInt64($0 + 1), kind: "file", location: "/music/Café \($0).flac", label: "Café \($0)")
  }
  queue.current = current
  queue.revision = UInt64(count)
  queue.repeatMode = "all"
  queue.nextID = UInt64(count + 1)
  return queue
}

@Suite struct StateStoreTests {
  @Test func `a new store is empty`() throws {
    let scratch = try ScratchDirectory()
    let store = try StateStore(path: scratch.file("state.sqlite"))
    #expect(try store.load() == SavedHouse())
    #expect(try store.loadClock() == nil)
    #expect(try store.loadAlive() == nil)
    #expect(try store.loadGeneration() == nil)
    #expect(store.notices.isEmpty)
  }

  @Test func `what was saved is there after opening again`() throws {
    let scratch = try ScratchDirectory()
    var saved = SavedHouse()
    saved.queue = queue(of: 3, current: 2)
    saved.playback.state = "playing"
    saved.playback.pausedAt = 48_000
    saved.playback.runs = [
      SavedPlayback.Run(item: 2, mediaFrame: 191_520_000_000_000, sourceFrame: -312),
      SavedPlayback.Run(item: .max, mediaFrame: 191_520_000_960_000, sourceFrame: 0),
    ]
    saved.playback.clockID = .max
    saved.playback.playoutDelayNanoseconds = 6_000_000_000
    saved.rooms = [
      SavedRoom(
        id: "ab", name: "Küche", address: "10.0.0.1:7701", volume: 30, isMuted: true,
        volumeSerial: 7),
      SavedRoom(
        id: "cd", name: "Bath", address: nil, volume: nil, isMuted: false, volumeSerial: 0),
    ]
    let clock = SavedClock(bootID: "boot", constant: -5, clockID: 1 << 63, suspended: 9)
    try save(saved, clock: clock, in: StateStore(path: scratch.file("state.sqlite")))
    let store = try StateStore(path: scratch.file("state.sqlite"))
    #expect(try store.load() == saved)
    #expect(try store.loadClock() == clock)
    #expect(try store.loadAlive() == 17)
    #expect(try store.loadGeneration() == SavedGeneration(session: 0xFFFF, firstUnused: 32))
  }

  private func save(_ house: SavedHouse, clock: SavedClock, in store: StateStore) throws {
    try store.save(house.queue)
    try store.save(house.playback)
    for room in house.rooms { try store.save(room) }
    try store.save(clock)
    try store.save(SavedGeneration(session: 0xFFFF, firstUnused: 32))
    try store.saveAlive(atMediaNanoseconds: 17)
    try store.checkpoint()
  }

  @Test func `saving a room again replaces it in its place, and it can be forgotten`() throws {
    let scratch = try ScratchDirectory()
    let store = try StateStore(path: scratch.file("state.sqlite"))
    var kitchen = SavedRoom(
      id: "a", name: "Kitchen", address: nil, volume: 10, isMuted: false, volumeSerial: 1)
    let bath = SavedRoom(
      id: "b", name: "Bath", address: nil, volume: 20, isMuted: false, volumeSerial: 1)
    try store.save(kitchen)
    try store.save(bath)
    kitchen.volume = 40
    try store.save(kitchen)
    #expect(try store.load().rooms == [kitchen, bath])
    try store.forgetRoom("a")
    #expect(try store.load().rooms == [bath])
  }

  @Test func `edits anywhere in the queue leave exactly the new queue`() throws {
    let scratch = try ScratchDirectory()
    let store = try StateStore(path: scratch.file("state.sqlite"))
    var edited = queue(of: 6)
    try store.save(edited)
    edited.items.swapAt(1, 4)
    try store.save(edited)
    #expect(try store.load().queue == edited)
    edited.items.removeSubrange(0..<2)
    try store.save(edited)
    #expect(try StateStore(path: scratch.file("state.sqlite")).load().queue == edited)
    try store.save(SavedQueue())
    #expect(try store.load().queue == SavedQueue())
  }

  @Test func `a file of a newer schema is refused in words`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("state.sqlite")
    let newer = Schema.migrations + ["CREATE TABLE later(x)"]
    _ = try StateStore(path: path, migrations: newer)
    let refusal = SQLiteError.newerSchema(
      path: path, found: newer.count, supported: Schema.migrations.count)
    #expect(throws: refusal) { try StateStore(path: path) }
    #expect(refusal.description.contains("newer version of Tutti"))
  }

  @Test func `an older file is copied, then brought up to date`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("state.sqlite")
    try StateStore(path: path).save(queue(of: 2))
    let store = try StateStore(
      path: path, migrations: Schema.migrations + ["ALTER TABLE rooms ADD COLUMN colour TEXT"])
    #expect(try store.load().queue == queue(of: 2))
    #expect(store.notices.count == 1)
    let copy = try StateStore(path: path + ".schema-\(Schema.migrations.count)")
    #expect(try copy.load().queue == queue(of: 2))
  }

  @Test func `a migration that fails leaves the file as it was`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("state.sqlite")
    try StateStore(path: path).save(queue(of: 2))
    #expect(throws: SQLiteError.self) {
      try StateStore(path: path, migrations: Schema.migrations + ["DROP TABLE queue; NONSENSE"])
    }
    #expect(try StateStore(path: path).load().queue == queue(of: 2))
  }

  @Test func `a damaged file is put aside and said so`() throws {
    let scratch = try ScratchDirectory()
    try scratch.write(Data(repeating: 0x55, count: 8_192), to: "state.sqlite")
    let store = try StateStore(path: scratch.file("state.sqlite"))
    #expect(try store.load() == SavedHouse())
    #expect(store.notices.first?.contains("damaged") == true)
    #expect(scratch.has("state.sqlite.damaged"))
  }

  @Test func `a database of another program is left alone`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("state.sqlite")
    do {
      let database = try SQLiteConnection(path: path)
      try database.run("CREATE TABLE songs(x)")
    }
    #expect(throws: SQLiteError.foreignDatabase(path: path)) { try StateStore(path: path) }
  }

  @Test func `a directory that is not there is an error in words`() {
    let error = #expect(throws: SQLiteError.self) {
      try StateStore(path: "/nonexistent/state.sqlite")
    }
    #expect(error?.description.contains("opening /nonexistent/state.sqlite") == true)
  }
}
