// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import Glibc
import Testing

@testable import CoordinatorRuntime

/// Real folders with everything that people, other programs and strangers put into them.
@Suite struct FolderWalkTests {
  private struct Walked {
    var music: [String] = []
    var playlists: [String] = []
    var folders: [FolderListing] = []
    var problems: [FolderWalk.Problem] = []
    var unseen: [String] = []
    var absent: [String] = []
  }

  private func walk(_ tree: MusicTree, _ scope: ScanScope = .everything, roots: [String]? = nil)
    -> Walked
  {
    var walk = FolderWalk(roots: roots ?? [tree.root], scope: scope)
    var walked = Walked()
    while let step = walk.next(willRead: { _ in }) {
      switch step {
      case .folder(let listing, _):
        walked.folders.append(listing)
        if listing.isMarkedEmpty { continue }
        walked.music += listing.music.map { listing.path(of: $0.name) }
        walked.playlists += listing.playlists.map { listing.path(of: $0.name) }
      case .absentRoot(let root): walked.absent.append(root)
      }
    }
    (walked.problems, walked.unseen) = (walk.problems, walk.unseen)
    return walked
  }

  @Test func `music is found wherever it lies, in the order of names`() throws {
    let tree = try MusicTree()
    for name in ["b.mp3", "a/2.flac", "a/1.OGG", "a/x/y/z.wav", "notes.txt", "list.m3u"] {
      try tree.write(name)
    }
    let walked = walk(tree)
    let names = walked.music.map { String($0.dropFirst(tree.root.count + 1)) }
    #expect(names == ["b.mp3", "a/1.OGG", "a/2.flac", "a/x/y/z.wav"])
    #expect(walked.playlists == [tree.path("list.m3u")])
    #expect(walked.problems.isEmpty && walked.unseen.isEmpty)
  }

  @Test func `names may be any bytes`() throws {
    let tree = try MusicTree()
    let names: [[UInt8]] = [
      [0xFF, 0xFE] + Array(".mp3".utf8), Array("line\nbreak.mp3".utf8), Array("caf\u{E9}.mp3".utf8),
      Array("cafe\u{301}.mp3".utf8), Array("😀.mp3".utf8),
      Array(repeating: UInt8(ascii: "x"), count: 251) + Array(".mp3".utf8),
    ]
    for name in names { try tree.write(Array(tree.root.utf8) + [UInt8(ascii: "/")] + name, [1]) }
    let found = walk(tree).music.map { PathText.bytes(of: $0).dropFirst(tree.root.utf8.count + 1) }
    #expect(Set(found.map(Array.init)) == Set(names))
  }

  @Test func `what is no file is not touched`() throws {
    let tree = try MusicTree()
    try tree.write("a.mp3")
    tree.shell("mkfifo pipe.mp3; mkdir folder.mp3; ln -s a.mp3 link.mp3; ln -s /dev/zero zero.mp3")
    let walked = walk(tree)
    #expect(walked.music == [tree.path("a.mp3")])
    #expect(walked.problems.isEmpty || walked.problems.map(\.path) == [tree.path("zero.mp3")])
  }

  @Test func `links make no loops and lead nowhere`() throws {
    let tree = try MusicTree()
    try tree.write("a/b/c.mp3")
    tree.shell(
      """
      ln -s .. a/b/up; ln -s ../a a/again; ln -s a all; ln -s loop loop; ln -s gone.mp3 lost.mp3
      mkdir ../outside; echo x > ../outside/o.mp3; ln -s ../outside out; ln -s ../outside/o.mp3 o.mp3
      """)
    let walked = walk(tree)
    #expect(walked.music == [tree.path("a/b/c.mp3")])
    #expect(Set(walked.problems.map(\.path)) == Set(["lost.mp3", "out", "o.mp3"].map(tree.path)))
    // What lies in another music folder is found there.
    let both = walk(tree, roots: [tree.root, tree.scratch + "/outside"])
    #expect(both.music == [tree.path("a/b/c.mp3"), tree.scratch + "/outside/o.mp3"])
    #expect(both.problems.map(\.path) == [tree.path("lost.mp3")])
  }

  @Test func `hidden folders and marked ones are passed over`() throws {
    let tree = try MusicTree()
    for name in [".trash/a.mp3", "ringtones/.nomedia", "ringtones/x/b.mp3", "c.mp3"] {
      try tree.write(name)
    }
    #expect(walk(tree).music == [tree.path("c.mp3")])
  }

  @Test func `a folder deeper than any music is left out, and known to be`() throws {
    let tree = try MusicTree()
    let deep = Array(repeating: "d", count: FolderWalk.deepest + 3).joined(separator: "/")
    try tree.write(deep + "/x.mp3")
    let walked = walk(tree)
    #expect(walked.music.isEmpty)
    #expect(walked.unseen.count == 1 && walked.problems.count == 1)
  }

  @Test(.enabled(if: geteuid() != 0)) func `an unreadable folder is named`() throws {
    let tree = try MusicTree()
    try tree.write("secret/x.mp3")
    tree.shell("chmod 0 secret")
    let walked = walk(tree)
    #expect(walked.unseen == [tree.path("secret")])
    #expect(walked.problems.first?.reason.contains("Permission denied") == true)
  }

  @Test func `a music folder that is away is named`() throws {
    let tree = try MusicTree()
    let walked = walk(tree, roots: [tree.root + "/nas"])
    #expect(walked.absent == [tree.root + "/nas"])
    #expect(walked.problems.count == 1)
  }

  @Test func `only what is in the scope is looked at`() throws {
    let tree = try MusicTree()
    for name in ["a/1.mp3", "a/deep/2.mp3", "b/3.mp3", "b/deep/4.mp3", "c/5.mp3"] {
      try tree.write(name)
    }
    var scope = ScanScope()
    scope.add(folder: tree.path("a"))
    scope.add(tree: tree.path("b"))
    scope.add(tree: tree.path("gone"))
    let names = walk(tree, scope).music.map { String($0.dropFirst(tree.root.count + 1)) }
    #expect(Set(names) == ["a/1.mp3", "b/3.mp3", "b/deep/4.mp3"])
  }

  @Test func `picture and lyrics belong to the song beside them`() throws {
    let tree = try MusicTree()
    for name in ["a.mp3", "b.mp3", "b.lrc", "Folder.jpg", "back.jpg"] { try tree.write(name) }
    let listing = try #require(walk(tree).folders.first)
    #expect(listing.picture?.name == "Folder.jpg")
    #expect(listing.lyrics.keys.sorted() == ["b"])
    let before = listing.music.map(listing.stamp(of:))
    tree.shell("rm b.lrc")
    let after = try #require(walk(tree).folders.first)
    let stamps = after.music.map(after.stamp(of:))
    #expect(stamps[0] == before[0] && stamps[1] != before[1])
  }
}
