// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DaemonProcess
import FoundationEssentials
import Testing

@testable import CoordinatorRuntime
@testable import MusicLibrary

@Suite(.serialized) struct ArtworkStoreTests {
  private func source(_ path: String) -> ArtworkSource { ArtworkSource(path: path, stamp: [1]) }

  private func kept(_ tree: MusicTree) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: tree.path("kept"))
  }

  private func store(
    _ tree: MusicTree, _ program: DecoderProgram = DecoderProgram(), patience: CInt = 20_000
  ) throws -> ArtworkStore {
    try ArtworkStore(
      at: tree.path("kept"), program: program, log: .discarding, patience: patience)
  }

  @Test func `a picture is made small once, and kept`() async throws {
    let tree = try MusicTree()
    let made = tree.shell("ffmpeg -v error -f lavfi -i testsrc=size=600x300 -frames:v 1 cover.jpg")
    #expect(made == 0)
    let store = try store(tree)
    defer { store.stop() }
    let small = try #require(await store.picture(source(tree.path("cover.jpg")), .small))
    #expect(small.starts(with: [0xff, 0xd8]), "no JPEG")
    #expect(try kept(tree).count == 1)
    tree.shell("rm cover.jpg")
    #expect(await store.picture(source(tree.path("cover.jpg")), .small) == small)
  }

  @Test func `what is no picture, or kills the decoder, is not tried again`() async throws {
    let tree = try MusicTree()
    try tree.write("text.jpg")
    try tree.write("crash.jpg")
    let store = try store(tree, moodyDecoder())
    defer { store.stop() }
    for name in ["text.jpg", "crash.jpg"] {
      #expect(await store.picture(source(tree.path(name)), .large) == nil)
    }
    #expect(try kept(tree).count == 2)
  }

  @Test func `a disk that does not answer, or is away, may do so later`() async throws {
    let tree = try MusicTree()
    try tree.write("hang.jpg")
    let store = try store(tree, moodyDecoder(), patience: 200)
    defer { store.stop() }
    for name in ["hang.jpg", "absent.jpg"] {
      #expect(await store.picture(source(tree.path(name)), .small) == nil)
    }
    #expect(try kept(tree).isEmpty)
  }
}
