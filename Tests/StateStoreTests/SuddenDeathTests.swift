// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import StateStore
import Testing

// kill -9 leaves in the files exactly what had been written until then, and in WAL mode writing means
// appending to the log. So a store with its log cut off at any length is a store killed at that
// moment, and every length can be tried.

@Suite struct SuddenDeathTests {
  @Test func `killed at any byte of a save, the store holds the save before or after it`() throws {
    let scratch = try ScratchDirectory()
    let store = try StateStore(path: scratch.file("state.sqlite"))
    let saves = (1...12).map { queue(of: $0, current: UInt64($0)) }
    for save in saves { try store.save(save) }
    let database = try scratch.read("state.sqlite")
    let log = try scratch.read("state.sqlite-wal")
    #expect(try store.load().queue == saves.last)

    // A stride that is coprime to the page size visits headers, pages and checksums alike.
    var reached = 0
    for length in stride(from: 0, through: log.count, by: 769) {
      try scratch.write(database, to: "killed.sqlite")
      try scratch.write(log.prefix(length), to: "killed.sqlite-wal")
      let survivor = try StateStore(path: scratch.file("killed.sqlite")).load().queue
      let count = survivor.items.count
      #expect(survivor == (count == 0 ? SavedQueue() : saves[count - 1]))
      #expect(count >= reached)
      reached = count
    }
    #expect(reached >= saves.count - 1)
  }
}
