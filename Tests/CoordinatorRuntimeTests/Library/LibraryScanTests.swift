// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Catalogue
import ControlAPI
import DaemonProcess
import DecoderProtocol
import Foundation
import HTTPService
import LinuxNetworking
import MusicLibrary
import Testing

@testable import CoordinatorRuntime

/// A library, its scanner and a folder of music, with the real decoder.
final class ScannedHouse {
  let tree: MusicTree
  let library: MusicLibrary
  let events = EventHub(boot: "t")
  private(set) var scanner: LibraryScanner

  init(
    _ tree: MusicTree, roots: [String]? = nil, program: DecoderProgram = DecoderProgram(),
    patience: Nanoseconds = TagReaders.patience
  ) throws {
    self.tree = tree
    library = try MusicLibrary(path: tree.scratch + "/library.sqlite")
    scanner = try LibraryScanner(
      .init(
        library: library, roots: roots ?? [tree.root], program: program, events: events,
        log: .discarding, rescanInterval: nil, readerCount: 2, patience: patience))
    try scanner.start()
  }

  deinit { scanner.stop() }

  /// Waits for the end of a job.
  func end(of job: JobDocument) async throws -> JobDocument {
    let deadline = LocalClock.now() + .seconds(60)
    while LocalClock.now() < deadline {
      if let now = scanner.jobs.job(job.id), now.state.isOver { return now }
      await Task.yield()
      LocalClock.sleep(until: LocalClock.now() + .milliseconds(2))
    }
    throw MusicTree.TreeError.system(110)
  }

  /// The scan at the start, or the latest.
  func latest() async throws -> JobDocument {
    try await end(of: try #require(scanner.jobs.all.first))
  }

  func scan(full: Bool = false) async throws -> JobDocument {
    try await end(of: scanner.scan(isFull: full))
  }

  func songs() throws -> [Song] { try library.songs(.all, PageRequest(limit: 1_000)).items }
}

@Suite(.serialized) struct LibraryScanTests {
  @Test func `a scan brings everything into the library, and the next one reads nothing`()
    async throws
  {
    let tree = try MusicTree()
    for index in 0..<30 { try tree.song("a/\(index).wav", title: "Song \(index)", artist: "A") }
    try tree.write("bad.mp3")
    let house = try ScannedHouse(tree)
    let first = try await house.latest()
    #expect(first.state == .finished && first.cause == .start)
    #expect(first.counts.found == 31 && first.counts.done == 31)
    #expect(first.counts.read == 30 && first.counts.failed == 1)
    #expect(first.failures.map(\.path) == [tree.path("bad.mp3")])
    #expect(try house.songs().count == 30)
    let revision = house.library.revision
    let second = try await house.scan()
    #expect(second.counts.unchanged == 31 && second.counts.read == 0 && second.counts.failed == 0)
    #expect(house.library.revision == revision)
    let full = try await house.scan(full: true)
    #expect(full.counts.read == 30 && full.counts.failed == 1 && full.isFull)
    #expect(try house.library.failedFiles().items.map(\.path) == [tree.path("bad.mp3")])
  }

  @Test func `a moved song keeps its row, its rating and its place`() async throws {
    let tree = try MusicTree()
    try tree.song("a/x.wav", title: "X")
    try tree.song("a/y.wav", title: "Y")
    let house = try ScannedHouse(tree)
    _ = try await house.latest()
    let song = try #require(try house.songs().first { $0.title == "X" })
    try house.library.setRating(song: song.id, stars: 4)
    tree.shell("mkdir b; mv a/x.wav b/z.wav; rm a/y.wav")
    let job = try await house.scan()
    #expect(job.counts.moved == 1 && job.counts.gone == 1)
    let left = try house.songs()
    #expect(left.map(\.id) == [song.id] && left.first?.rating == 4)
    #expect(try house.library.files(of: .all, limit: 9).map(\.path) == [tree.path("b/z.wav")])
  }

  @Test func `what is away is kept, and comes back`() async throws {
    let tree = try MusicTree()
    try tree.song("x.wav", title: "X")
    let house = try ScannedHouse(tree)
    _ = try await house.latest()
    let ids = try house.songs().map(\.id)
    tree.shell("mv \(tree.root) \(tree.scratch)/away")
    let without = try await house.scan()
    #expect(without.counts.missing == 1 && without.counts.gone == 0)
    #expect(without.failures.map(\.path) == [tree.root])
    #expect(try house.library.files(of: .all, limit: 9).isEmpty)
    // A mount point without its disk.
    try FileManager.default.createDirectory(atPath: tree.root, withIntermediateDirectories: true)
    #expect(try await house.scan().counts.gone == 0)
    tree.shell("cd / && rmdir \(tree.root) && mv \(tree.scratch)/away \(tree.root)")
    let back = try await house.scan()
    #expect(back.counts.read == 0 && back.counts.gone == 0)
    #expect(try house.songs().map(\.id) == ids)
    #expect(try house.library.files(of: .all, limit: 9).count == 1)
  }

  @Test func `names of any bytes come in and are found again`() async throws {
    let tree = try MusicTree()
    let name = Array(tree.root.utf8) + Array("/\n".utf8) + [0xFF, 0xE9] + Array(".wav".utf8)
    try tree.write(name, MusicTree.wave(title: "Odd", artist: "", frames: 10))
    let house = try ScannedHouse(tree)
    #expect(try await house.latest().counts.read == 1)
    let path = try #require(try house.library.files(of: .all, limit: 9).first?.path)
    #expect(PathText.bytes(of: path) == name)
    #expect(try await house.scan().counts.unchanged == 1)
  }

  @Test func `crashing and hanging files are named and cost nothing else`() async throws {
    let tree = try MusicTree()
    for index in 0..<20 { try tree.song("\(index).wav", title: "\(index)") }
    try tree.song("5crash.wav", title: "c")
    try tree.song("7hang.wav", title: "h")
    let house = try ScannedHouse(tree, program: moodyDecoder(), patience: .milliseconds(1_500))
    let job = try await house.latest()
    #expect(job.state == .finished && job.counts.read == 20 && job.counts.failed == 2)
    #expect(try house.songs().count == 20)
    // The one that hung is tried again, because a disk may have been slow; the other one is not.
    let next = try await house.scan()
    #expect(next.counts.unchanged == 21 && next.counts.failed == 1)
  }

  @Test func `a scan without a decoder fails in words and deletes nothing`() async throws {
    let tree = try MusicTree()
    try tree.song("x.wav", title: "X")
    let house = try ScannedHouse(tree, program: DecoderProgram(path: "/nonexistent/decoder"))
    let job = try await house.latest()
    #expect(job.state == .failed)
    #expect(job.detail?.contains("/nonexistent/decoder cannot be started") == true)
  }

  @Test func `changes are noticed without being asked`() async throws {
    let tree = try MusicTree()
    try tree.song("a/x.wav", title: "X")
    let house = try ScannedHouse(tree)
    _ = try await house.latest()
    try tree.song("b/c/y.wav", title: "Y")
    try await eventually { try house.songs().count == 2 }
    tree.shell("mv b d; rm a/x.wav")
    try await eventually {
      try house.library.files(of: .all, limit: 9).map(\.path) == [tree.path("d/c/y.wav")]
    }
    try tree.song("d/c/z.wav", title: "Z")
    try await eventually { try house.songs().count == 2 }
    #expect(house.scanner.jobs.all.filter { $0.cause == .change }.count >= 3)
  }

  @Test func `playlists and lyrics come along`() async throws {
    let tree = try MusicTree()
    try tree.song("x.wav", title: "X")
    try tree.write("x.lrc", Array("[00:01.00]la la".utf8))
    try tree.write("cover.jpg")
    try tree.write("mine.m3u", Array("x.wav\n".utf8))
    let house = try ScannedHouse(tree)
    #expect(try await house.latest().counts.playlists == 1)
    let song = try #require(try house.songs().first)
    #expect(try house.library.song(song.id)?.lyrics.contains("la la") == true)
    tree.shell("echo '[00:01.00]lo lo' > x.lrc; rm mine.m3u")
    let job = try await house.scan()
    #expect(job.counts.read + job.counts.unchanged == 1)
    #expect(try house.library.song(song.id)?.lyrics.contains("lo lo") == true)
    #expect(try house.library.knownPlaylists(root: tree.root).isEmpty)
  }

  private func eventually(_ condition: () throws -> Bool) async throws {
    let deadline = LocalClock.now() + .seconds(30)
    while LocalClock.now() < deadline {
      if try condition() { return }
      await Task.yield()
      LocalClock.sleep(until: LocalClock.now() + .milliseconds(20))
    }
    Issue.record("it did not happen")
  }
}
