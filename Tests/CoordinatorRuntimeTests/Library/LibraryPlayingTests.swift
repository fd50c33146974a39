// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import ControlAPI
import DecoderProtocol
import Foundation
import House
import MusicLibrary
import Testing

@testable import CoordinatorRuntime

/// What a tap on something of the library brings into the queue.
@Suite struct LibraryPlayingTests {
  /// A house with two albums of three songs, a book, and a list.
  private func house() async throws -> TestHouse {
    let house = try await TestHouse()
    let root = house.music.path
    var batch = ScanBatch()
    for (number, name) in ["one", "two", "three"].enumerated() {
      for album in ["Blue", "Blue Hour"] {
        var tags = TrackTags()
        tags.title = "\(name) of \(album)"
        tags.artists = ["Mara"]
        tags.albumArtists = ["Mara"]
        tags.album = album
        tags.trackNumber = number + 1
        tags.durationMilliseconds = 61_000
        batch.read.append(file("\(album)/\(name).mp3", tags, root))
      }
      var tags = TrackTags()
      tags.title = "part \(number + 1)"
      tags.album = "The Book"
      tags.trackNumber = number + 1
      tags.kind = .audiobook
      batch.read.append(file("book/\(number).m4b", tags, root))
    }
    batch.playlists = [
      PlaylistFile(
        path: root + "/mine.m3u", root: root, modified: 1,
        bytes: Array("Blue/two.mp3\nBlue/one.mp3\n".utf8)),
      PlaylistFile(
        path: root + "/radio.pls", root: root, modified: 1,
        bytes: Array("[playlist]\nFile1=http://radio.example/a\nTitle1=Radio A\n".utf8)),
    ]
    try house.parts.collection.library.apply(batch)
    return house
  }

  private func file(_ name: String, _ tags: TrackTags, _ root: String) -> ReadFile {
    let stamp = FileStamp(size: 1, modified: 2, device: 3, inode: UInt64(name.utf8.count))
    return ReadFile(path: "\(root)/\(name)", root: root, stamp: stamp, tags: tags)
  }

  private func titles(_ house: TestHouse) async -> (all: [String], current: String?) {
    let group = await house.coordinator.groupDocument()
    return (
      group.queue.items.map(\.title),
      group.queue.items.first { $0.id == group.queue.currentItemID }?.title
    )
  }

  private func song(_ title: String, _ house: TestHouse) throws -> Song {
    try #require(
      try house.parts.collection.library.search(title, kinds: [.songs]).songs.items.first)
  }

  @Test func `a song of all songs makes the queue all songs, starting there`() async throws {
    let house = try await house()
    let id = try song("three of Blue", house).id
    let answer = await house.command(
      #"{"command":"play","items":[{"songs":true,"startAt":\#(id)}]}"#)
    #expect(answer.status == 200)
    let (all, current) = await titles(house)
    #expect(all == all.sorted() && all.count == 6)
    #expect(current == "three of Blue")
  }

  @Test func `a track of an album makes the queue the album, starting there`() async throws {
    let house = try await house()
    let two = try song("two of Blue", house)
    let album = try #require(two.albumID)
    _ = await house.command(
      #"{"command":"play","items":[{"album":\#(album),"startAt":\#(two.id)}]}"#)
    let (all, current) = await titles(house)
    #expect(all == ["one of Blue", "two of Blue", "three of Blue"])
    #expect(current == "two of Blue")
    // Shown before anything is decoded.
    let item = await house.coordinator.groupDocument().queue.items[0]
    #expect(item.artist == "Mara" && item.album == "Blue" && item.durationSeconds == 61)
  }

  @Test(arguments: [
    ("album", "blue hour", 3), ("album", "BLUE", 3), ("artist", "mara", 6), ("song", "two hour", 1),
    ("playlist", "mine", 2), ("album", "book", 3), ("station", "radio a", 1),
  ]) func `names find what is meant`(kind: String, name: String, count: Int) async throws {
    let house = try await house()
    let answer = await house.command(#"{"command":"play","items":[{"\#(kind)":"\#(name)"}]}"#)
    #expect(answer.status == 200, "\(answer.text)")
    #expect(await titles(house).all.count == count)
  }

  @Test func `a name that fits several lists them`() async throws {
    let house = try await house()
    let answer = await house.command(#"{"command":"play","items":[{"song":"two"}]}"#)
    #expect(answer.status == 422)
    #expect(answer.text.contains("song:two may be several"))
    #expect(answer.text.contains("two of Blue Hour (Mara, Blue Hour)"))
    let none = await house.command(#"{"command":"play","items":[{"album":"Purple"}]}"#)
    #expect(none.text.contains("the library has no such album"))
    let gone = await house.command(#"{"command":"play","items":[{"album":4711}]}"#)
    #expect(gone.status == 422)
  }

  @Test func `a book goes on where listening stopped`() async throws {
    let house = try await house()
    let part = try song("part 2", house)
    try house.parts.collection.library.setPosition(song: part.id, milliseconds: 12_500)
    _ = await house.command(#"{"command":"play","items":[{"album":"the book"}]}"#)
    #expect(await titles(house).current == "part 2")
    guard
      case .play(let track)? = house.player.calls.last(where: {
        if case .play = $0 { true } else { false }
      })
    else { return #expect(Bool(false), "nothing plays") }
    #expect(track.startFrame == 600_000)
  }
}
