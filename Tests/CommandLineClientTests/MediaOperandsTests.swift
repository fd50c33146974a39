// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import HTTPClient
import Testing

@testable import CommandLineClient

@Suite struct MediaOperandsTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "tutti-operands-\(UUID())").resolvingSymlinksInPath()

  private func make(_ names: [String]) throws {
    for name in names {
      let url = folder.appending(path: name)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("x".utf8).write(to: url)
    }
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }

  @Test func `a folder is music in order, hidden and other files left out`() throws {
    defer { remove() }
    try make(["b/2.mp3", "b/1.flac", "a.ogg", ".hidden.mp3", "cover.jpg", ".dir/x.mp3"])
    let media = MediaOperands([folder.path])
    let names = media.items.map { item -> String in
      if case .file(let path) = item { String(path.dropFirst(folder.path.count + 1)) } else { "?" }
    }
    #expect(names == ["a.ogg", "b/1.flac", "b/2.mp3"])
    #expect(media.refusals.isEmpty)
  }

  @Test func `a loop of links ends`() throws {
    defer { remove() }
    try make(["a/1.mp3"])
    try FileManager.default.createSymbolicLink(
      at: folder.appending(path: "a/loop"), withDestinationURL: folder)
    #expect(!MediaOperands([folder.path]).items.isEmpty)
  }

  @Test func `what is missing is named and the rest stays`() throws {
    defer { remove() }
    try make(["1.mp3"])
    let media = MediaOperands([folder.path + "/none.mp3", folder.path + "/1.mp3"])
    #expect(media.items.count == 1)
    #expect(media.refusals.count == 1)
    #expect(media.refusals[0].contains("none.mp3"))
  }

  @Test func `addresses go through and other schemes do not`() {
    let media = MediaOperands(["http://host/a.mp3", "HTTPS://host/b", "ftp://host/c.mp3"])
    #expect(media.items == [.url("http://host/a.mp3"), .url("HTTPS://host/b")])
    #expect(media.refusals.count == 1)
  }

  @Test(arguments: [
    ("album:Kind of Blue", LibraryReference(.album, .name("Kind of Blue"))),
    ("song:id:12", LibraryReference(.song, .id(12))), ("songs:", LibraryReference(.songs)),
    ("year:1959", LibraryReference(.year, .name("1959"))),
    ("station:id:x", LibraryReference(.station, .name("id:x"))),
  ]) func `music of the library is named by kind and name`(
    word: String, reference: LibraryReference
  ) {
    #expect(MediaOperands([word]).items == [.library(reference)])
  }

  @Test(arguments: ["album:", "songs:all", "albums:x"]) func `half a name of the library is a file`(
    word: String
  ) {
    #expect(MediaOperands([word]).items.isEmpty)
  }

  @Test func `a device is no music`() {
    #expect(MediaOperands(["/dev/null"]).refusals.first?.contains("/dev/null") == true)
  }

  @Test func `a folder without music says so`() throws {
    defer { remove() }
    try make(["readme.txt"])
    #expect(MediaOperands([folder.path]).refusals.first?.contains("no music") == true)
  }
}
