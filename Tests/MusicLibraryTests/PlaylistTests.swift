// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import MusicLibrary
import Testing

func playlist(_ path: String, _ text: String, modified: Int64 = 1) -> PlaylistFile {
  PlaylistFile(path: path, root: "/m", modified: modified, bytes: Array(text.utf8))
}

@Suite struct LibraryPlaylistTests {
  private func collection() throws -> Collection {
    let house = try Collection()
    try house.add(
      file("/m/a/1.mp3", title: "A1"), file("/m/a/2.mp3", title: "A2"),
      file("/m/b/1.mp3", title: "B1"), file("/m/Jóga.mp3", title: "Jóga"))
    return house
  }

  private func titles(_ house: Collection) throws -> [String?] {
    let list = try #require(try house.library.playlists().items.first)
    return try house.library.playlistItems(list.id).items.map { $0.song?.title }
  }

  @Test func `entries are the songs they name, in order, and what is missing says its name`() throws
  {
    let house = try collection()
    try house.change {
      $0.playlists = [
        playlist(
          "/m/Mix.m3u",
          "b/1.mp3\n#EXTINF:9,Lost one\ngone.mp3\na/1.mp3\na/1.mp3\nhttp://r.example/\n")
      ]
    }
    let list = try #require(try house.library.playlists().items.first)
    #expect(list.name == "Mix")
    #expect(list.entryCount == 5)
    let items = try house.library.playlistItems(list.id).items
    #expect(items.map { $0.song?.title } == ["B1", nil, "A1", "A1", nil])
    #expect(items[1].title == "Lost one")
    #expect(items[4].url == "http://r.example/")
    #expect(
      try house.library.files(of: .playlist(list.id), limit: 9).map(\.title) == ["B1", "A1", "A1"])
    #expect(try all(limit: 2) { try house.library.playlistItems(list.id, $0) } == items)
  }

  @Test func `a Windows path is found by its folders`() throws {
    let house = try collection()
    try house.change {
      $0.playlists = [
        playlist(
          "/m/l.m3u",
          "C:\\Music\\B\\1.MP3\r\nD:\\x\\Joga.mp3\r\nC:\\other\\2.mp3\r\nC:\\z\\1.mp3\r\n")
      ]
    }
    #expect(try titles(house) == ["B1", "Jóga", "A2", nil])
  }

  @Test func `lists in lists stand in their place, and one that holds itself ends`() throws {
    let house = try collection()
    try house.change {
      $0.playlists = [
        playlist("/m/1 Outer.m3u", "a/1.mp3\nInner.pls\na/2.mp3\n1 Outer.m3u\n"),
        playlist("/m/Inner.pls", "[playlist]\nFile1=b/1.mp3\nFile2=1 Outer.m3u\n"),
      ]
    }
    #expect(try titles(house) == ["A1", "B1", "A2"])
  }

  @Test func `a list read again is the same list with other entries, and can go`() throws {
    let house = try collection()
    try house.change { $0.playlists = [playlist("/m/l.m3u", "a/1.mp3\n")] }
    let before = try #require(try house.library.playlists().items.first)
    try house.change {
      $0.playlists = [playlist("/m/l.m3u", "#PLAYLIST:New\na/2.mp3\n", modified: 2)]
    }
    let after = try #require(try house.library.playlists().items.first)
    #expect(after.id == before.id)
    #expect(after.name == "New")
    #expect(try titles(house) == ["A2"])
    #expect(try house.library.knownPlaylists(root: "/m").map(\.modified) == [2])
    try house.change { $0.gonePlaylists = [after.id] }
    #expect(try house.library.playlists().total == 0)
    #expect(try house.library.search("new").playlists.items.isEmpty)
    #expect(throws: LibraryError.unknown(kind: "playlist", id: after.id)) {
      try house.library.playlistItems(after.id)
    }
  }

  @Test func `a file of addresses is a list of stations that keep their numbers`() throws {
    let house = try collection()
    let text =
      "[playlist]\nFile1=http://r.example/1\nTitle1=One\nFile2=http://r.example/2\nTitle2=Two\n"
    try house.change {
      $0.playlists = [playlist("/m/r.pls", text), playlist("/m/FM.m3u", "http://r.example/3")]
    }
    #expect(try house.library.playlists().total == 0)
    let stations = try house.library.stations().items
    #expect(stations.map(\.name) == ["FM", "One", "Two"])
    #expect(try house.library.station(stations[0].id)?.url == "http://r.example/3")
    try house.change {
      $0.playlists = [playlist("/m/r.pls", "[playlist]\nFile1=http://r.example/2\nTitle1=Deux\n")]
    }
    let later = try house.library.stations().items
    #expect(later.map(\.name) == ["Deux", "FM"])
    #expect(later[0].id == stations[2].id)
    #expect(try house.library.search("one").stations.items.isEmpty)
  }
}
