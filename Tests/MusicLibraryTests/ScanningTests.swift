// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import MusicLibrary
import Testing

@Suite struct ScanBatchTests {
  @Test func `what is known of a folder is handed over`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A"))
    try house.change {
      $0.read = [ReadFile(path: "/n/1", root: "/n", stamp: look(at: "/n/1"), tags: TrackTags())]
      $0.failed = [
        FailedFile(path: "/m/2", root: "/m", stamp: look(at: "/m/2"), reason: "is no music")
      ]
    }
    var known: [KnownFile] = []
    try house.library.knownFiles(root: "/m") { known.append($0) }
    #expect(known.map(\.path) == ["/m/1", "/m/2"])
    #expect(known.map(\.stamp) == ["/m/1", "/m/2"].map { look(at: $0) })
    #expect(known.map(\.failure) == [nil, "is no music"])
    #expect(try house.library.knownRoots().sorted() == ["/m", "/n"])
  }

  @Test func `a change is a revision, and nothing is none`() throws {
    let house = try Collection()
    try house.change { _ in }
    #expect(house.library.revision == 0)
    try house.add(file("/m/1"))
    #expect(house.library.revision == 1)
    let again = try MusicLibrary(path: house.scratch.file("library.sqlite"))
    #expect(again.revision == 1)
  }

  @Test func `names that are no text survive`() throws {
    let house = try Collection()
    let path = PathText.text(ofBytes: Array("/m/".utf8) + [0xFF, 0xFE, 0xE9])
    try house.add(file(path), file("/m/e\u{301}"), file("/m/\u{E9}"))
    var bytes: [[UInt8]] = []
    try house.library.knownFiles(root: "/m") { bytes.append(PathText.bytes(of: $0.path)) }
    #expect(Set(bytes).count == 3)
    #expect(bytes.contains(Array("/m/".utf8) + [0xFF, 0xFE, 0xE9]))
  }

  @Test func `a file that fails later is a song no more, and one that heals is one again`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A", artists: ["X"], album: "L"))
    try house.change {
      $0.failed = [FailedFile(path: "/m/1", root: "/m", stamp: look(at: "/m/1"), reason: "broke")]
    }
    #expect(try house.library.songs().total == 0)
    #expect(try house.library.artists().total == 0)
    #expect(try house.library.albums().total == 0)
    try house.add(file("/m/1", title: "A", artists: ["X"], album: "L"))
    #expect(try house.library.songs().total == 1)
    #expect(try house.library.failedFiles().total == 0)
  }

  @Test func `a disk that is away marks its songs and keeps them`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A", album: "L"), file("/m/2", title: "B"))
    let id = try house.id("/m/1")
    try house.change { $0.missing = [id] }
    #expect(try house.library.songs().items.map(\.isAvailable) == [false, true])
    #expect(try house.library.albums().items.map(\.isAvailable) == [false])
    #expect(try house.library.files(of: .all, limit: 9).map(\.title) == ["B"])
    #expect(try house.library.counts().missingFiles == 1)
    try house.change { $0.moved = [MovedFile(id, to: "/m/1")] }
    #expect(try house.library.songs().items.map(\.isAvailable) == [true, true])
    #expect(try house.library.albums().items.map(\.isAvailable) == [true])
  }
}

@Suite struct MovedFileTests {
  @Test func `a moved file stays the same song`() throws {
    let house = try Collection()
    var read = file("/m/a/Old name.mp3", artists: ["X"], album: "L") { $0.lyrics = "words" }
    read.folderArtwork = "/m/a/cover.jpg"
    try house.add(read)
    let id = try house.id("/m/a/Old name.mp3")
    try house.library.setRating(song: id, stars: 4)
    try house.change { $0.moved = [MovedFile(id, to: "/m/Podcasts/New name.mp3")] }
    let song = try #require(try house.library.song(id))
    // Without a title it is called like its file, and its folder says what it is.
    #expect(song.song.title == "New name")
    #expect(song.song.kind == .podcast)
    #expect(song.song.rating == 4)
    #expect(song.lyrics == "words")
    #expect(try house.library.artists().total == 0)
    #expect(try house.library.podcasts().items.map(\.title) == ["L"])
    #expect(try house.library.albums().total == 0)
  }

  @Test func `two files can change places`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A"), file("/m/2", title: "B"))
    let (one, two) = (try house.id("/m/1"), try house.id("/m/2"))
    try house.change { $0.moved = [MovedFile(one, to: "/m/2"), MovedFile(two, to: "/m/1")] }
    #expect(try house.library.songs(ids: [one, two]).map(\.path) == ["/m/2", "/m/1"])
  }

  @Test func `a file can take the place of one that is gone or was never told of`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A"), file("/m/2", title: "B"))
    let (one, two) = (try house.id("/m/1"), try house.id("/m/2"))
    try house.change {
      $0.gone = [two]
      $0.moved = [MovedFile(one, to: "/m/2")]
      $0.read = [file("/m/1", title: "C")]
    }
    #expect(try house.library.songs().items.map(\.title) == ["A", "C"])
    let third = try house.id("/m/1")
    try house.change { $0.moved = [MovedFile(third, to: "/m/2"), MovedFile(99, to: "/m/9")] }
    #expect(try house.library.songs().items.map(\.title) == ["C"])
  }
}

@Suite struct MemoryTests {
  @Test func `a rating and a place are kept for a file that returns elsewhere`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A", artists: ["X"]))
    let id = try house.id("/m/1")
    try house.library.setRating(song: id, stars: 5)
    try house.library.setPosition(song: id, milliseconds: 61_000)
    try house.change { $0.gone = [id] }
    try house.add(file("/m/elsewhere", title: "A", artists: ["X"]))
    let song = try #require(try house.library.songs().items.first)
    #expect(song.id != id)
    #expect(song.rating == 5)
    #expect(song.positionMilliseconds == 61_000)
  }

  @Test func `new tags leave the rating`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A"))
    let id = try house.id("/m/1")
    try house.library.setRating(song: id, stars: 3)
    try house.add(file("/m/1", title: "B", size: 2_000))
    #expect(try house.library.song(id)?.song.rating == 3)
  }

  @Test func `a rating is 1 to 5 stars, and can be taken away`() throws {
    let house = try Collection()
    try house.add(file("/m/1", title: "A"))
    let id = try house.id("/m/1")
    for stars in [0, 6, -1] {
      #expect(throws: LibraryError.badRating(stars)) {
        try house.library.setRating(song: id, stars: stars)
      }
    }
    try house.library.setRating(song: id, stars: 1)
    let revision = house.library.revision
    try house.library.setPosition(song: id, milliseconds: 5)
    #expect(house.library.revision == revision)
    try house.library.setRating(song: id, stars: nil)
    #expect(try house.library.song(id)?.song.rating == nil)
    #expect(try house.library.song(id)?.song.positionMilliseconds == 5)
    #expect(throws: LibraryError.unknown(kind: "song", id: 99)) {
      try house.library.setRating(song: 99, stars: 1)
    }
  }
}
