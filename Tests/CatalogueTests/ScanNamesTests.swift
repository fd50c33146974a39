// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Testing

/// What a scan makes of names, of files beside each other, and of scattered changes.
@Suite struct ScanNamesTests {
  @Test(arguments: [
    ("a.flac", FileRole.music), ("A.MP3", .music), ("x.y.Opus", .music), (".hidden.mp3", .other),
    ("list.m3u8", .playlist), ("radio.PLS", .playlist), ("a.lrc", .lyrics),
    (".nomedia", .folderMark),
    ("notes.txt", .other), ("mp3", .other), ("a.", .other), ("a.jpg", .other),
    ("Cover.JPG", .picture(rank: 0)), ("cover.png", .picture(rank: 2)),
  ]) func `names have roles`(name: String, role: FileRole) {
    #expect(FileRole(name: name) == role)
  }

  @Test func `the best of a folder's pictures is its picture`() {
    let names = [
      "AlbumArtSmall.jpg", "AlbumArt_{1-2}_Large.jpg", "album.png", "front.gif", "Folder.jpg",
      "COVER.bmp", "cover.jpeg", "cover.jpg",
    ]
    let ranks = names.map { name in
      if case .picture(let rank) = FileRole(name: name) { rank } else { Int.max }
    }
    #expect(ranks == ranks.sorted(by: >))
    #expect(Set(ranks).count == names.count)
  }

  @Test func `a picture that comes, goes or changes changes the stamp of the song`() {
    let song = FileStamp(size: 1, modified: 1_700_000_000_123_456_789, device: 1, inode: 2)
    let picture = FileStamp(size: 9, modified: 7, device: 1, inode: 3)
    var replaced = picture
    replaced.modified += 1
    let marked = [
      song.marked(with: [nil, nil]), song.marked(with: [nil, picture]),
      song.marked(with: [picture, nil]), song.marked(with: [nil, replaced]),
      song.marked(with: [picture, picture]),
    ]
    #expect(marked[0] == song)
    #expect(Set(marked).count == 5)
    for stamp in marked {
      #expect(abs(stamp.modified - song.modified) < 1 << 20)
      #expect((stamp.size, stamp.inode) == (song.size, song.inode))
    }
  }

  @Test func `a song that leaves its picture behind has still moved`() {
    let song = FileStamp(size: 1, modified: 5_000_000_000, device: 1, inode: 2)
    let picture = FileStamp(size: 9, modified: 7, device: 1, inode: 3)
    var plan = ScanPlan()
    plan.know(id: 1, path: "/m/a/x.mp3", stamp: song.marked(with: [nil, picture]))
    plan.enter("/m/a", device: 1)
    #expect(plan.meet("/m/b/x.mp3", stamp: song) == .wait)
    let conclusion = plan.conclude()
    #expect(conclusion.moved.map(\.id) == [1])
    #expect(conclusion.read.map(\.path) == ["/m/b/x.mp3"])
  }

  @Test func `a scope holds the folders that it was given`() {
    var scope = ScanScope()
    #expect(scope.isEmpty && !scope.contains("/m/x.mp3"))
    scope.add(folder: "/m/a")
    scope.add(tree: "/m/b")
    #expect(scope.contains("/m/a/x.mp3") && !scope.contains("/m/a/c/x.mp3"))
    #expect(scope.contains("/m/b/x.mp3") && scope.contains("/m/b/c/d/x.mp3"))
    #expect(!scope.contains("/m/bb/x.mp3") && !scope.contains("/m/x.mp3"))
  }

  @Test func `very many changes are a change of everything`() {
    var scope = ScanScope()
    for index in 0...ScanScope.limit { scope.add(folder: "/m/\(index)") }
    #expect(scope == .everything && scope.contains("/x/y"))
  }

  @Test func `a playlist is forgotten only where something else is left`() {
    var plan = ScanPlan()
    plan.enter("/m", device: 1)
    plan.enter("/m/nas", device: 1, isEmpty: true)
    plan.fail("/m/secret")
    #expect(plan.isSurelyGone("/m/a.m3u") && plan.isSurelyGone("/m/was/here/a.m3u"))
    #expect(!plan.isSurelyGone("/m/nas/lists/a.m3u") && !plan.isSurelyGone("/m/secret/a.m3u"))
    #expect(!plan.isSurelyGone("/elsewhere/a.m3u"))
  }
}

@Suite struct PlainTextTests {
  @Test(
    arguments: [
      (Array("a\r\nb\rc\n".utf8), "a\nb\nc\n"),
      ([0xEF, 0xBB, 0xBF, 0x61], "a"),
      ([0xFF, 0xFE, 0xE4, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "ä😀"),
      ([0xFE, 0xFF, 0x00, 0xE4], "ä"),
      ([0xE4, 0x20, 0xF6], "ä ö"),
      ([0x61, 0xF0], "a\u{F0}"),
      ([0xFF, 0xFE, 0x41], ""), ([], ""), ([0x00, 0x61], "a"),
    ] as [([UInt8], String)]) func `text is read in whatever encoding`(bytes: [UInt8], text: String)
  {
    #expect(PlainText.text(ofBytes: bytes) == text)
  }

  @Test func `a long text that was cut within a character loses no more`() {
    let text = String(repeating: "a\u{E4}", count: 2_000)
    #expect(PlainText.text(ofBytes: Array(text.utf8).dropLast()) == String(text.dropLast()))
  }
}
