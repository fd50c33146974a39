// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

@testable import Catalogue

private func parsed(_ text: String, path: String = "/m/lists/list.m3u") -> ParsedPlaylist {
  PlaylistParser.parse(Array(text.utf8), path: path)
}

extension PlaylistEntry {
  fileprivate var paths: [String] {
    if case .file(let file) = target { file.paths } else { [] }
  }
  fileprivate var tail: [String] {
    if case .file(let file) = target { file.tail } else { [] }
  }
}

@Suite struct M3UTests {
  @Test func `titles and lengths belong to the entry behind them`() {
    let list = parsed(
      "#EXTM3U\n#PLAYLIST:Best of\n#EXTINF:123,Björk - Jóga\na.mp3\n\nb.mp3\n#EXTINF:-1,\nc.mp3\n")
    #expect(list.name == "Best of")
    #expect(list.entries.map(\.title) == ["Björk - Jóga", "", ""])
    #expect(list.entries.map(\.durationSeconds) == [123, nil, nil])
    #expect(list.entries.map(\.name) == ["Björk - Jóga", "b", "c"])
  }

  @Test(arguments: [
    ("a.mp3", "/m/lists/a.mp3"), ("sub/a.mp3", "/m/lists/sub/a.mp3"), ("../a.mp3", "/m/a.mp3"),
    ("./a.mp3", "/m/lists/a.mp3"), ("../../../../a.mp3", "/a.mp3"), ("/x/a.mp3", "/x/a.mp3"),
    ("file:///x/a%20b.mp3", "/x/a b.mp3"), ("file://localhost/x/a.mp3", "/x/a.mp3"),
    ("  a.mp3\t", "/m/lists/a.mp3"), ("100%.mp3", "/m/lists/100%.mp3"),
    ("file:///x/100%zz", "/x/100%zz"), ("http.mp3", "/m/lists/http.mp3"),
  ])
  func `a path is taken from the list's folder`(line: String, path: String) {
    #expect(parsed(line).entries.map(\.paths) == [[path]])
  }

  @Test(arguments: [
    ("C:\\Music\\Björk\\Jóga.mp3", ["music", "bjork", "joga.mp3"]),
    ("\\\\nas\\music\\a.mp3", ["nas", "music", "a.mp3"]),
    ("d:/Music/a.mp3", ["music", "a.mp3"]), ("file:///C:/Music/a.mp3", ["music", "a.mp3"]),
    ("\\Music\\a.mp3", ["music", "a.mp3"]),
  ])
  func `a Windows path is known by its end`(line: String, tail: [String]) {
    let entry = parsed(line).entries.first
    #expect(entry?.paths == [])
    #expect(entry?.tail == tail)
  }

  @Test func `a relative Windows path is tried as it is and turned`() {
    #expect(
      parsed("Sub\\a.mp3").entries.map(\.paths) == [["/m/lists/Sub\\a.mp3", "/m/lists/Sub/a.mp3"]])
  }

  @Test(arguments: ["\n", "\r\n", "\r", "\n\n", "\n\r\n"])
  func `every kind of line end ends a line`(end: String) {
    let list = parsed("\u{FEFF}#EXTM3U\(end)#EXTINF:5,T\(end)a.mp3\(end)b.mp3")
    #expect(list.entries.map(\.name) == ["T", "b"])
  }

  @Test func `Latin-1 is read, as a name of its own and as UTF-8`() {
    let bytes =
      Array("#EXTINF:1,J".utf8) + [0xF3] + Array("ga\nJ".utf8) + [0xF3] + Array("ga.mp3".utf8)
    let list = PlaylistParser.parse(bytes, path: "/m/l.m3u")
    #expect(list.entries.map(\.title) == ["Jóga"])
    let raw = Array("/m/J".utf8) + [0xF3] + Array("ga.mp3".utf8)
    #expect(list.entries.first?.paths == [PathText.text(ofBytes: raw), "/m/Jóga.mp3"])
  }

  @Test func `UTF-16 with its mark is read`() {
    let units = Array("a.mp3\r\nJóga.mp3".utf16)
    var little: [UInt8] = [0xFF, 0xFE]
    var big: [UInt8] = [0xFE, 0xFF]
    for unit in units {
      let (low, high) = (UInt8(unit & 0xFF), UInt8(unit >> 8))
      little += [low, high]
      big += [high, low]
    }
    for bytes in [little, big, little + [0x41]] {
      let list = PlaylistParser.parse(bytes, path: "/m/l.m3u")
      #expect(list.entries.map(\.paths) == [["/m/a.mp3"], ["/m/Jóga.mp3"]])
    }
  }

  @Test func `addresses are stations, and what cannot be played is passed over`() {
    let list = parsed(
      "#EXTINF:-1 tvg-logo=\"a,b\",Radio 1\nhttp://radio.example/1\nHTTPS://radio.example/2\n"
        + "rtsp://radio.example/3\nhttp:///nothing\nhttp://a b/\n")
    #expect(list.entries.map(\.name) == ["Radio 1", "HTTPS://radio.example/2"])
    #expect(list.isStations)
    #expect(!parsed("http://radio.example/1\na.mp3").isStations)
    #expect(!parsed("").isStations)
  }

  @Test func `a stream in pieces is no list`() {
    let list = parsed("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9.9,\nhttp://a.example/1.ts\n")
    #expect(list.isStream)
    #expect(list.entries.isEmpty)
  }

  @Test func `a list without end is cut`() {
    let bytes = Array(String(repeating: "a\n", count: 30_000).utf8)
    #expect(PlaylistParser.parse(bytes, path: "/l.m3u").entries.count == PlaylistParser.mostEntries)
    let long = String(repeating: "a", count: 9_000)
    #expect(parsed(long + "\nb").entries.map(\.name) == ["b"])
    #expect(parsed("a\0b\nc").entries.map(\.name) == ["c"])
  }
}

@Suite struct PLSTests {
  @Test func `entries are in the order of their numbers`() {
    let list = parsed(
      """
      [playlist]
      NumberOfEntries=3
      File10=http://radio.example/10
      file2=b.mp3
      Title2 = Second
      Length2=30
      Title10=Tenth
      File1=a.mp3
      Length1=-1
      Version=2
      """, path: "/m/l.pls")
    #expect(list.entries.map(\.name) == ["a", "Second", "Tenth"])
    #expect(list.entries.map(\.durationSeconds) == [nil, 30, nil])
  }

  @Test func `a list is known by its first line too`() {
    #expect(parsed("[Playlist]\nFile1=http://radio.example/1").isStations)
  }

  @Test(arguments: ["File=1", "File99999999999999999999=a", "=", "File1", "[playlist]", "File-1=a"])
  func `odd lines are no entries`(line: String) {
    #expect(parsed("[playlist]\n\(line)", path: "/l.pls").entries.isEmpty)
  }
}

@Suite struct PlaylistWriterTests {
  @Test func `what is written is read as the same`() {
    let raw = PathText.text(ofBytes: Array("/m/".utf8) + [0xFF, 0xFE] + Array(".mp3".utf8))
    let paths = [
      "/m/a.mp3", "/m/#1.mp3", "/m/a b.mp3 ", "/m/line\nend.mp3", "/m/Jóga.mp3", "/m/a\\b.mp3",
      "/m/100%25.mp3", "/c:/a\\b", raw,
    ]
    var entries = paths.map {
      PlaylistEntry(
        target: .file(.init(paths: [$0])), title: "T\($0.utf8.count)", durationSeconds: 9)
    }
    entries.append(PlaylistEntry(target: .url("http://radio.example/1"), title: "Radio"))
    entries.append(PlaylistEntry(target: .url("http://radio.example/2")))
    let read = PlaylistParser.parse(
      PlaylistWriter.m3u8(entries, name: "Mine"), path: "/elsewhere/l.m3u8")
    #expect(read.name == "Mine")
    #expect(read.entries.map(\.title) == entries.map(\.title))
    #expect(read.entries.map(\.durationSeconds) == entries.map(\.durationSeconds))
    #expect(
      read.entries.prefix(paths.count).map { $0.paths.map { Array($0.utf8) } }
        == paths.map { [Array($0.utf8)] })
    #expect(read.entries.suffix(2).map(\.target) == entries.suffix(2).map(\.target))
  }
}
