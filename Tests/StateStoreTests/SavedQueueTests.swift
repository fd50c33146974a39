// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import SQLiteDatabase
import Testing

@testable import StateStore

@Suite struct SavedQueueTests {
  @Test func `a queue with every field comes back as it was`() throws {
    let scratch = try ScratchDirectory()
    var saved = queue(of: 3)
    saved.items[1].title = "Title"
    saved.items[1].artist = "Artist"
    saved.items[1].album = "Album"
    saved.items[1].durationMilliseconds = 187_500
    saved.items.swapAt(0, 2)
    saved.naturalOrder = [1, 2, 3]
    saved.history = [3, 1, 3]
    try StateStore(path: scratch.file("state.sqlite")).save(saved)
    let store = try StateStore(path: scratch.file("state.sqlite"))
    #expect(try store.load().queue == saved)
    saved.naturalOrder = nil
    try store.save(saved)
    #expect(try store.load().queue == saved)
  }

  @Test func `an edit writes what it changes, whatever the length of the queue`() throws {
    let scratch = try ScratchDirectory()
    let store = try StateStore(path: scratch.file("state.sqlite"))
    var expected = queue(of: 20_000)
    try store.save(expected)
    try store.checkpoint()
    let size = { try scratch.read("state.sqlite-wal").count }
    let before = try size()

    // In the middle: one goes, one comes, one moves to the front.
    var edit = SavedQueueEdit(current: 1, revision: 7, repeatMode: "all", nextID: 20_002)
    edit.removed = [9_000]
    let new = SavedQueue.Item(id: 20_001, kind: "url", location: "http://h/a", label: "a")
    edit.added = [new]
    expected.items.removeAll { $0.id == 9_000 }
    expected.items.insert(new, at: 500)
    expected.items.insert(expected.items.remove(at: 15_000), at: 0)
    edit.orders[.play] = expected.items.map(\.id)
    (expected.revision, expected.nextID) = (7, 20_002)
    try store.save(edit)
    #expect(try store.load().queue == expected)
    // Some pages of 4 KiB, where the whole queue has hundreds.
    let written = try size() - before
    #expect(written < 100_000, "\(written) octets")
  }

  @Test func `a file of the first version is copied, and its queue read`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("state.sqlite")
    _ = try StateStore(path: path, migrations: Array(Schema.migrations.prefix(1)))
    do {
      let database = try SQLiteConnection(path: path)
      try database.run(
        """
        INSERT INTO queue VALUES(0, 9, 'file', '/m/nine.flac', 'nine'), (1, 4, 'url', 'http://h', 'h'),
          (2, 12, 'upload', 'u', 'twelve');
        INSERT INTO queue_state VALUES(1, 4, 33, 'one', 13);
        """)
    }
    let store = try StateStore(path: path)
    #expect(store.notices.count == 1)
    let queue = try store.load().queue
    #expect(queue.items.map(\.id) == [9, 4, 12])
    #expect(queue.items[2].kind == "upload" && queue.items[0].location == "/m/nine.flac")
    #expect(queue.current == 4 && queue.revision == 33 && queue.nextID == 13)
    #expect(queue.naturalOrder == nil)
    #expect(scratch.has("state.sqlite.schema-1"))
  }

  @Test func `an empty file of the first version is an empty queue`() throws {
    let scratch = try ScratchDirectory()
    let path = scratch.file("state.sqlite")
    _ = try StateStore(path: path, migrations: Array(Schema.migrations.prefix(1)))
    #expect(try StateStore(path: path).load() == SavedHouse())
  }
}

@Suite struct OrderTextTests {
  @Test(
    arguments: [
      ([], ""), ([7], "7"), ([1, 2, 3, 9, 4, 5], "1-3 9 4-5"), ([3, 2, 1], "3 2 1"),
      ([.max - 1, .max, 0], "18446744073709551614-18446744073709551615 0"),
    ] as [([UInt64], String)])
  func `an order has its text`(ids: [UInt64], text: String) {
    #expect(OrderText.encode(ids) == text)
    #expect(OrderText.decode(text, limit: 100) == ids)
  }

  @Test(arguments: ["x", "1-", "-1", "5-2", "1-999999999999", "--", "1 - 2", "\u{0}", "９"])
  func `what is no order is left out, and never more than there can be`(text: String) {
    #expect(OrderText.decode(text, limit: 100).count <= 2)
  }

  @Test func `random orders survive`() {
    for length in 0..<200 {
      let ids = (0..<length).map { _ in UInt64.random(in: 0...300) }
      #expect(OrderText.decode(OrderText.encode(ids), limit: 1_000) == ids)
    }
  }
}
