// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Testing

@testable import MusicLibrary

@Suite struct LibraryFileTests {
  @Test func `a new library is empty`() throws {
    let scratch = try ScratchDirectory()
    let library = try MusicLibrary(path: scratch.file("library.sqlite"))
    #expect(library.revision == 0)
    #expect(library.notices.isEmpty)
    #expect(try library.songs().items.isEmpty)
  }
}
