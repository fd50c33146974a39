// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import MusicLibrary
import Testing

@Suite struct SongListTests {
  @Test func `songs stand by title, books and podcasts apart`() throws {
    let house = try Collection()
    try house.add(
      file("/m/1", title: "Track 10", artists: ["A"]), file("/m/2", title: "The Zoo"),
      file("/m/3", title: "Ábc"), file("/m/4", title: "track 9"), file("/m/Song five.mp3"),
      file("/m/Audiobooks/6", title: "Book"), file("/m/podcasts/7", title: "Episode"))
    let page = try house.library.songs()
    #expect(page.items.map(\.title) == ["Ábc", "Song five", "track 9", "Track 10", "The Zoo"])
    #expect(page.total == 5)
    #expect(page.nextCursor == nil)
    #expect(page.items[3].artist == "A")
  }

  @Test(arguments: [1, 2, 3, 7, 100])
  func `pages of every size make the whole list`(limit: Int) throws {
    let house = try Collection()
    // Equal titles: only their numbers tell them apart.
    try house.add((0..<20).map { file("/m/\($0)", title: $0 < 10 ? "Same" : "T\($0)") })
    let whole = try house.library.songs().items
    #expect(try all(limit: limit) { try house.library.songs(.all, $0) } == whole)
    #expect(whole.count == 20)
  }

  @Test func `a page goes on in the right place though songs came and went`() throws {
    let house = try Collection()
    try house.add("bdfhj".map { file("/m/\($0)", title: String($0)) })
    let first = try house.library.songs(.all, PageRequest(limit: 3))
    #expect(first.items.map(\.title) == ["b", "d", "f"])
    let gone = try house.id("/m/f")
    try house.change { $0.gone = [gone] }
    try house.add(file("/m/a", title: "a"), file("/m/g", title: "g"))
    let rest = try house.library.songs(.all, PageRequest(cursor: first.nextCursor, limit: 10))
    #expect(rest.items.map(\.title) == ["g", "h", "j"])
    #expect(rest.total == 6)
  }

  @Test func `a cursor of another list is refused`() throws {
    let house = try Collection()
    try house.add((0..<5).map { file("/m/\($0)", title: "\($0)", album: "A\($0)") })
    let cursor = try house.library.songs(.all, PageRequest(limit: 2)).nextCursor
    #expect(throws: LibraryError.badCursor) {
      try house.library.albums(.all, PageRequest(cursor: cursor))
    }
    #expect(throws: LibraryError.badCursor) {
      try house.library.songs(.all, PageRequest(cursor: "nonsense"))
    }
  }

  @Test func `the letters of a list say where they begin`() throws {
    let house = try Collection()
    try house.add(
      ["?!", "99", "Abba", "The Apple", "Zoo", "Жук"].enumerated().map {
        file("/m/\($0)", title: $1)
      })
    let letters = try house.library.letters(of: .songs)
    #expect(letters.map(\.letter) == ["#", "A", "Z", "Ж"])
    #expect(letters.map(\.offset) == [0, 2, 4, 5])
    #expect(letters.map(\.count) == [2, 2, 1, 1])
    for letter in letters {
      let page = try house.library.songs(.all, PageRequest(cursor: letter.cursor))
      #expect(page.items.count == 6 - letter.offset)
    }
  }

  @Test func `a song has all that its file says`() throws {
    let house = try Collection()
    let read = file("/m/1.flac", title: "Jóga", artists: ["Björk", "Guest"], year: 1997) { tags in
      tags.lyrics = "All these accidents"
      tags.chapters = [Chapter(startMilliseconds: 0, title: "One")]
      tags.replayGain = ReplayGain(trackGain: -7.5, albumPeak: 0.9)
      tags.codec = "flac"
      tags.sampleRate = 44_100
      tags.composers = ["Björk", "Sigurjón"]
    }
    try house.add(read)
    let details = try #require(try house.library.song(try house.id("/m/1.flac")))
    #expect(details.song.artists == ["Björk", "Guest"])
    #expect(details.song.composers == ["Björk", "Sigurjón"])
    #expect(details.lyrics == "All these accidents")
    #expect(details.chapters == read.tags.chapters)
    #expect(details.replayGain == read.tags.replayGain)
    #expect(details.codec == "flac")
    #expect(details.size == 1_000)
    #expect(try house.library.song(99) == nil)
  }

  @Test func `lyrics beside a file go before those in it`() throws {
    let house = try Collection()
    var read = file("/m/1.mp3", title: "T") { $0.lyrics = "embedded" }
    read.lyricsFile = "[00:01.00]beside"
    try house.add(read)
    #expect(try house.library.song(try house.id("/m/1.mp3"))?.lyrics == "[00:01.00]beside")
  }
}

@Suite struct AlbumListTests {
  @Test func `albums have their artist, year, length and picture`() throws {
    let house = try Collection()
    try house.add(
      file("/m/a/1", title: "A", artists: ["X"], album: "The Best", track: 1, year: 1999),
      file("/m/a/2", title: "B", artists: ["X"], album: "The Best", track: 2, year: 1999) {
        $0.hasArtwork = true
      }, file("/m/b/1", title: "C", album: "Another", albumArtist: "Y", year: 2001))
    let albums = try house.library.albums().items
    #expect(albums.map(\.title) == ["Another", "The Best"])
    #expect(albums.map(\.artist) == ["Y", "X"])
    #expect(albums.map(\.year) == [2001, 1999])
    #expect(albums.map(\.songCount) == [1, 2])
    #expect(albums.map(\.durationMilliseconds) == [180_000, 360_000])
    #expect(albums.map(\.hasArtwork) == [false, true])
    let page = try #require(try house.library.album(albums[1].id))
    #expect(page.summary == "2 songs, 6 min")
    #expect(page.rows.map(\.label) == ["1. A", "2. B"])
    #expect(page.artworkSong == (try house.id("/m/a/2")))
    #expect(try house.library.album(99) == nil)
  }

  @Test func `a folder of songs by many is one album, and equal titles elsewhere another`() throws {
    let house = try Collection()
    try house.add(
      file("/m/a/CD1/1", artists: ["X"], album: "Hits"),
      file("/m/a/CD2/1", artists: ["Y"], album: "Hits", disc: 2),
      file("/m/b/1", artists: ["Z"], album: "Hits"))
    let albums = try house.library.albums().items
    #expect(albums.map(\.songCount).sorted() == [1, 2])
    #expect(Set(albums.compactMap(\.artist)) == ["Various artists", "Z"])
  }

  @Test func `an album follows its songs`() throws {
    let house = try Collection()
    try house.add(
      file("/m/a/1", album: "A", albumArtist: "X"), file("/m/a/2", album: "A", albumArtist: "X"))
    try house.add(file("/m/a/2", album: "B", albumArtist: "X"))
    #expect(try house.library.albums().items.map(\.songCount) == [1, 1])
    let second = try house.id("/m/a/2")
    try house.change { $0.gone = [second] }
    #expect(try house.library.albums().items.map(\.title) == ["A"])
    #expect(try house.library.search("b").albums.items.isEmpty)
  }

  @Test func `books and podcasts are albums of their own kinds`() throws {
    let house = try Collection()
    try house.add(
      file("/m/Book.m4b", title: "Long Story") { $0.kind = .audiobook },
      file("/m/Podcasts/Show/1.mp3", title: "Episode 1"),
      file("/m/Podcasts/Show/2.mp3", title: "Episode 2"))
    #expect(try house.library.audiobooks().items.map(\.title) == ["Long Story"])
    #expect(try house.library.podcasts().items.map(\.title) == ["Show"])
    #expect(try house.library.podcasts().items.map(\.songCount) == [2])
    #expect(try house.library.albums().total == 0)
  }
}

@Suite struct HeadingListTests {
  @Test func `artists are those of songs and those that albums are filed under`() throws {
    let house = try Collection()
    try house.add(
      file("/m/1", title: "A", artists: ["The Band", "Guest"], album: "One", albumArtist: "BAND"),
      file("/m/2", title: "B", artists: ["the band"], album: "Two", genres: ["Rock", "Folk"]) {
        $0.composers = ["Writer"]
      })
    let artists = try house.library.artists().items
    #expect(artists.map(\.name) == ["The Band", "BAND", "Guest"])
    #expect(artists.map(\.songCount) == [2, 1, 1])
    #expect(artists.map(\.albumCount) == [2, 1, 1])
    #expect(try house.library.songs(.artist(artists[0].id)).items.map(\.title) == ["A", "B"])
    #expect(try house.library.albums(.artist(artists[0].id)).items.map(\.title) == ["One", "Two"])
    #expect(try house.library.composers().items.map(\.name) == ["Writer"])
    #expect(try house.library.genres().items.map(\.name) == ["Folk", "Rock"])
    let rock = try #require(try house.library.genres().items.last)
    #expect(try house.library.songs(.genre(rock.id)).items.map(\.title) == ["B"])
    #expect(throws: LibraryError.unknown(kind: "artist", id: 99)) {
      try house.library.songs(.artist(99))
    }
  }

  @Test func `an artist whose last song goes is gone`() throws {
    let house = try Collection()
    try house.add(file("/m/1", artists: ["A"]), file("/m/2", artists: ["B"]))
    try house.add(file("/m/1", artists: ["B"]))
    #expect(try house.library.artists().items.map(\.name) == ["B"])
    #expect(try house.library.artists().items.map(\.songCount) == [2])
    #expect(try house.library.search("a").artists.items.isEmpty)
  }

  @Test func `one file's sort name sorts the artist`() throws {
    let house = try Collection()
    try house.add(
      file("/m/1", artists: ["Elvis Presley"]), file("/m/2", artists: ["Madonna"]),
      file("/m/3", artists: ["Elvis Presley"]) { $0.artistSort = "Presley, Elvis" })
    #expect(try house.library.artists().items.map(\.name) == ["Madonna", "Elvis Presley"])
  }

  @Test func `years are counted, the latest first`() throws {
    let house = try Collection()
    try house.add(
      file("/m/1", album: "A", year: 1999), file("/m/2", album: "A", year: 1999),
      file("/m/3", year: 2020), file("/m/4"))
    #expect(
      try house.library.years() == [
        Year(year: 2020, albumCount: 0, songCount: 1),
        Year(year: 1999, albumCount: 1, songCount: 2),
      ])
    #expect(try house.library.songs(.year(1999)).total == 2)
    #expect(try house.library.albums(.year(1999)).total == 1)
  }

  @Test func `everything is counted`() throws {
    let house = try Collection()
    try house.add(
      file("/m/1", artists: ["A"], album: "X", genres: ["G"]), file("/m/2"),
      file("/m/books/3", title: "B"))
    try house.change {
      $0.failed = [
        FailedFile(path: "/m/bad", root: "/m", stamp: look(at: "/m/bad"), reason: "is empty")
      ]
    }
    let counts = try house.library.counts()
    #expect(counts.songs == 2)
    #expect(counts.albums == 1)
    #expect(counts.artists == 1)
    #expect(counts.genres == 1)
    #expect(counts.audiobooks == 1)
    #expect(counts.failedFiles == 1)
    #expect(counts.durationMilliseconds == 3 * 180_000)
    #expect(try house.library.failedFiles().items.map(\.reason) == ["is empty"])
  }
}
