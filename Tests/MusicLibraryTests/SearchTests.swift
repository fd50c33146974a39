// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import MusicLibrary
import Testing

@Suite struct SearchTests {
  private func collection() throws -> Collection {
    let house = try Collection()
    try house.add(
      file(
        "/m/1", title: "Help!", artists: ["The Beatles"], album: "Help!", albumArtist: "The Beatles"
      ),
      file(
        "/m/2", title: "Yesterday", artists: ["The Beatles"], album: "Help!",
        albumArtist: "The Beatles"),
      file("/m/3", title: "Beat It", artists: ["Michael Jackson"], genres: ["Pop"]),
      file("/m/4", title: "The Beat Goes On", artists: ["Sonny"]),
      file("/m/5", title: "Off Beat", artists: ["AC/DC"]),
      file("/m/6", title: "Jóga", artists: ["Björk"]) { $0.composers = ["Sjón"] },
      file("/m/7", title: "夜の歌", artists: ["東京"]),
      file("/m/Podcasts/Beat Show/8", title: "Number one"))
    return house
  }

  @Test func `titles that begin so come first, then those with the word, then artists' songs`()
    throws
  {
    let songs = try collection().library.search("beat").songs
    #expect(
      songs.items.map(\.title) == [
        "The Beat Goes On", "Beat It", "Off Beat", "Help!", "Yesterday",
      ])
    #expect(songs.total == 5)
  }

  @Test(arguments: [
    ("b", 1), ("be", 1), ("beatles", 1), ("the bea", 1), ("BJÖRK", 1), ("bjork", 1), ("ac/dc", 1),
    ("acdc", 1), ("jackson mich", 1), ("xyz", 0), ("", 0), ("  ?! ", 0),
  ])
  func `artists are found as one types`(text: String, least: Int) throws {
    let artists = try collection().library.search(text, kinds: [.artists]).artists
    #expect(artists.items.count >= least)
    #expect(least > 0 || artists.items.isEmpty)
  }

  @Test func `several words may be of title and artist`() throws {
    let library = try collection().library
    #expect(try library.search("yester beatl").songs.items.map(\.title) == ["Yesterday"])
    #expect(try library.search("joga sjon").songs.items.map(\.title) == ["Jóga"])
    #expect(try library.search("夜").songs.items.map(\.title) == ["夜の歌"])
    #expect(try library.search("歌 東").songs.items.map(\.title) == ["夜の歌"])
    #expect(try library.search("yesterday jackson").songs.items.isEmpty)
  }

  @Test func `every kind is found`() throws {
    let house = try collection()
    try house.change {
      $0.playlists = [
        playlist("/m/Beats.m3u", "1\n2\n"), playlist("/m/Beat Radio.m3u", "http://r.example/\n"),
      ]
    }
    let found = try house.library.search("beat")
    #expect(found.podcasts.items.map(\.title) == ["Beat Show"])
    #expect(found.playlists.items.map(\.name) == ["Beats"])
    #expect(found.stations.items.map(\.name) == ["Beat Radio"])
    #expect(try house.library.search("help").albums.items.map(\.title) == ["Help!"])
    #expect(try house.library.search("beatles").albums.items.map(\.title) == ["Help!"])
    #expect(try house.library.search("pop").genres.items.map(\.name) == ["Pop"])
    #expect(try house.library.search("sjón").composers.items.map(\.name) == ["Sjón"])
  }

  @Test(arguments: [1, 2, 3, 4, 50])
  func `pages of every size make the whole`(limit: Int) throws {
    let library = try collection().library
    let found = try all(limit: limit) {
      try library.search("beat", kinds: [.songs], $0).songs
    }
    #expect(
      found.map(\.title) == ["The Beat Goes On", "Beat It", "Off Beat", "Help!", "Yesterday"])
  }

  @Test func `a cursor belongs to one search`() throws {
    let library = try collection().library
    let cursor = try library.search("beat", kinds: [.songs], PageRequest(limit: 1)).songs.nextCursor
    #expect(cursor != nil)
    #expect(throws: LibraryError.badCursor) {
      try library.search("", kinds: [.songs], PageRequest(cursor: cursor))
    }
    #expect(throws: LibraryError.badCursor) {
      try library.search("bea", kinds: [.songs], PageRequest(cursor: cursor))
    }
    #expect(throws: LibraryError.badCursor) {
      try library.search("beat", PageRequest(cursor: cursor))
    }
  }

  @Test(arguments: [
    "\"", "*", "a* OR b", "NOT", "name:x", "{", "^a", "a\0b", "(((", "' OR 1=1 --", "NEAR(a b)",
  ])
  func `what is typed is never a language`(text: String) throws {
    _ = try collection().library.search(text)
  }

  @Test func `a changed song is found by its new name only`() throws {
    let house = try collection()
    try house.add(file("/m/3", title: "Thriller", artists: ["Michael Jackson"]))
    #expect(try house.library.search("thrill").songs.total == 1)
    #expect(try house.library.search("beat it").songs.total == 0)
  }
}
