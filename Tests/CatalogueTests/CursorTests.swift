// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import Catalogue

@Suite struct CursorTests {
  @Test(arguments: ["", "a", "ab", "abc", "jóga", String(repeating: "x", count: 4_000)])
  func `a cursor comes back as it was`(key: String) {
    for id in [0, 1, -1, Int64.max, .min] {
      let cursor = Cursor(list: "songs", section: 2, key: key, id: id)
      #expect(Cursor(cursor.text, list: "songs") == cursor)
      #expect(!cursor.text.contains { "+/=&?#%".contains($0) })
    }
  }

  @Test func `a cursor of another list is refused`() {
    let cursor = Cursor(list: "songs", key: "k", id: 1)
    #expect(Cursor(cursor.text, list: "albums") == nil)
  }

  @Test func `words that are no cursors are refused`() {
    for text in ["", "A", "AAAA", "!!!", "ä", String(repeating: "A", count: 100_000)] {
      #expect(Cursor(text, list: "songs") == nil)
    }
    let good = Cursor(list: "songs", key: "k", id: 1).text
    for length in 0..<good.utf8.count - 1 {
      // A shorter word may be a cursor with a shorter key, but never traps.
      _ = Cursor(String(good.prefix(length)), list: "songs")
    }
  }

  @Test func `bytes of every length come back`() {
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
      #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }
  }
}
