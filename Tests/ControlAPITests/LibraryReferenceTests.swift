// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@Suite struct LibraryReferenceTests {
  private func reference(_ json: String) throws -> MediaReference {
    try JSONDocument.decode(MediaReference.self, from: Array(json.utf8))
  }

  @Test(arguments: [
    (#"{"album":12,"startAt":345}"#, LibraryReference(.album, .id(12), startAt: 345)),
    (#"{"artist":"Bach"}"#, LibraryReference(.artist, .name("Bach"))),
    (#"{"songs":true,"startAt":7}"#, LibraryReference(.songs, startAt: 7)),
    (#"{"year":1959}"#, LibraryReference(.year, .id(1_959))),
  ]) func `references have one form in JSON`(json: String, reference: LibraryReference) throws {
    #expect(try self.reference(json) == .library(reference))
    #expect(try JSONDocument.encode(MediaReference.library(reference)) == Array(json.utf8))
  }

  @Test(arguments: [
    "{}", #"{"startAt":1}"#, #"{"album":1,"song":2}"#, #"{"songs":false}"#, #"{"album":[]}"#,
    #"{"album":1,"path":"/x"}"#, #"{"path":1}"#,
  ]) func `half a reference and two of them are refused`(json: String) {
    #expect(throws: DocumentError.self) { try reference(json) }
  }

  @Test func `files and addresses are what they were`() throws {
    for item in [MediaReference.path("/x"), .url("http://x"), .upload("u"), .input("line")] {
      let bytes = try JSONDocument.encode(item)
      #expect(try JSONDocument.decode(MediaReference.self, from: bytes) == item)
    }
  }
}
