// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct LibraryTextTests {
  private func song(
    _ title: String, artist: String? = nil, disc: Int? = nil, seconds: Double? = 125
  ) -> SongDocument {
    var song = SongDocument(id: 1, title: title, kind: .song, location: "/m/x")
    song.artist = artist
    song.album = "A Fairly Long Title of an Album"
    song.discNumber = disc
    song.durationSeconds = seconds
    return song
  }

  @Test(arguments: [30, 40, 60, 80, 200])
  func `every table fits, and long titles push nothing out`(columns: Int) {
    let text = LibraryText(columns: columns, ink: Ink(usesUnicode: true))
    let songs = [
      song(String(repeating: "Very long ", count: 20), artist: "Somebody with a long name"),
      song("夜の歌は長い夜の歌は長い夜の歌は長い", artist: "東京", seconds: nil), song("Short", artist: "Me"),
    ]
    for line in text.songs(songs) { #expect(DisplayWidth.columns(line) <= columns) }
    if columns >= 40 {
      let head = text.songs(songs)[0]
      for word in ["TITLE", "ARTIST", "ALBUM", "LENGTH"] { #expect(head.contains(word)) }
      #expect(text.songs(songs)[1].contains("2:05"))
    }
  }

  @Test func `an album's page has its head, its rows and its discs`() {
    let album = AlbumDocument(
      id: 1, title: "Homogenic", kind: .song, songCount: 2, durationSeconds: 250)
    let tracks = [
      AlbumPageDocument.Track(label: "1. Hunter", artist: nil, song: song("Hunter", disc: 1)),
      AlbumPageDocument.Track(label: "1. Jóga", artist: nil, song: song("Jóga", disc: 2)),
    ]
    let page = AlbumPageDocument(
      album: album, artist: "Björk", summary: "2 songs, 4 min", artworkSongID: nil, tracks: tracks)
    #expect(
      LibraryText(columns: 80, ink: Ink()).album(page) == [
        "Homogenic", "Björk", "2 songs, 4 min", "", "TRACK      LENGTH", "Disc 1     ",
        "1. Hunter  2:05", "Disc 2     ", "1. Jóga    2:05",
      ])
  }

  @Test func `a search shows the kinds that it found`() {
    var found = SearchDocument()
    found.songs = PageDocument(items: [song("Jóga")], nextCursor: "c", total: 30)
    found.albums = PageDocument(items: [], total: 0)
    let lines = LibraryText(columns: 80, ink: Ink()).search(found)
    #expect(lines.first == "Songs (the first of 30)")
    #expect(!lines.contains { $0.contains("Albums") })
  }

  @Test func `an empty library says what to do`() {
    #expect(LibraryText.counts(LibraryDocument(revision: 0))[0].contains("--music"))
    var library = LibraryDocument(revision: 1)
    library.songCount = 3
    library.albumCount = 1
    library.failedFileCount = 1
    #expect(
      LibraryText.counts(library) == ["3 songs", "1 album", "1 file cannot be played"])
  }
}

@Suite struct LibraryNameTests {
  private func choose(_ word: String, _ names: String...) throws -> String {
    try LibraryName.choose(word, among: names, kind: "album", name: \.self) { "'\($0)'" }
  }

  @Test func `a whole name goes before longer ones, whatever its case and accents`() throws {
    #expect(try choose("help", "Help!", "Helpless") == "Help!")
    #expect(try choose("beatles", "The Beatles", "Beatles for Sale") == "The Beatles")
    #expect(try choose("bjork", "Björk") == "Björk")
    #expect(try choose("homo", "Homogenic") == "Homogenic")
  }

  @Test func `several choices are listed`() {
    let error = #expect(throws: ClientFailure.self) { try choose("hits", "Hits", "Hits") }
    #expect("\(error ?? .failed(""))".contains("'Hits', 'Hits'"))
    let none = #expect(throws: ClientFailure.self) { try choose("hits") }
    #expect("\(none ?? .failed(""))".contains("no album in the library is called 'hits'"))
  }
}
