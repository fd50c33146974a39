// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import Testing

/// A song of an album, said briefly.
func track(
  _ number: Int?, _ title: String, by artists: String..., disc: Int? = nil, seconds: Int = 180,
  albumArtist: String? = nil, artwork: Bool = false
) -> Song {
  var song = Song()
  song.id = Int64((disc ?? 0) * 100 + (number ?? 99))
  song.title = title
  song.trackNumber = number
  song.discNumber = disc
  song.artists = artists
  song.albumArtists = albumArtist.map { [$0] } ?? []
  song.durationMilliseconds = seconds * 1_000
  song.hasArtwork = artwork
  song.path = "/music/\(title)"
  return song
}

@Suite struct AlbumHeadTests {
  @Test(arguments: [
    (12, 47 * 60, "12 songs, 47 min"), (1, 200, "1 song, 3 min"), (1, 119, "1 song, 1 min"),
    (2, 120, "2 songs, 2 min"), (1, 1, "1 song, 1 min"), (3, 59, "3 songs, 1 min"),
    (10, 47 * 60 + 59, "10 songs, 47 min"), (20, 75 * 60, "20 songs, 75 min"),
    (20, 119 * 60 + 59, "20 songs, 119 min"), (20, 120 * 60, "20 songs, 2 h"),
    (20, 125 * 60, "20 songs, 2 h 5 min"), (300, 181 * 60, "300 songs, 3 h 1 min"),
    (0, 0, "0 songs"), (4, 0, "4 songs"),
  ])
  func `the head says how much there is, with singulars`(songs: Int, seconds: Int, words: String) {
    #expect(
      AlbumRules.summary(songCount: songs, milliseconds: Int64(seconds) * 1_000) == words)
  }

  @Test func `the artist is that of the first song that names one`() {
    let page = AlbumPage(
      Album(),
      songs: [
        track(2, "B", by: "Guest", albumArtist: "Second"), track(1, "A", by: "Guest"),
        track(3, "C", by: "Guest", albumArtist: "Third"),
      ])
    #expect(page.artist == "Second")
  }

  @Test func `without an album artist the shared one stands for it`() {
    let shared = [track(1, "A", by: "Björk"), track(2, "B", by: "BJÖRK"), track(3, "C")]
    #expect(AlbumPage(Album(), songs: shared).artist == "Björk")
    let several = [track(1, "A", by: "Björk"), track(2, "B", by: "Blur")]
    #expect(AlbumPage(Album(), songs: several).artist == "Various artists")
    #expect(AlbumPage(Album(), songs: [track(1, "A")]).artist == "Unknown artist")
    #expect(AlbumPage(Album(), songs: []).artist == "Unknown artist")
  }

  @Test func `the picture is that of the first song that has one`() {
    let songs = [
      track(3, "C", artwork: true), track(1, "A"), track(2, "B", artwork: true),
    ]
    #expect(AlbumPage(Album(), songs: songs).artworkSong == 2)
    #expect(AlbumPage(Album(), songs: [track(1, "A")]).artworkSong == nil)
  }
}

@Suite struct AlbumRowTests {
  @Test func `a row has its number when there is one`() {
    let page = AlbumPage(Album(), songs: [track(3, "Title"), track(nil, "Hidden")])
    #expect(page.rows.map(\.label) == ["3. Title", "Hidden"])
  }

  @Test func `artists are named only when not all songs share one`() {
    let same = AlbumPage(
      Album(), songs: [track(1, "A", by: "X", "Y"), track(2, "B", by: "X", "Y")])
    #expect(same.rows.map(\.artist) == [nil, nil])
    let different = AlbumPage(
      Album(), songs: [track(1, "A", by: "X", "Y"), track(2, "B", by: "X")])
    #expect(different.rows.map(\.artist) == ["X, Y", "X"])
    let partly = AlbumPage(Album(), songs: [track(1, "A", by: "X"), track(2, "B")])
    #expect(partly.rows.map(\.artist) == ["X", "Unknown artist"])
    let none = AlbumPage(Album(), songs: [track(1, "A"), track(2, "B")])
    #expect(none.rows.map(\.artist) == [nil, nil])
    let order = AlbumPage(
      Album(), songs: [track(1, "A", by: "X", "Y"), track(2, "B", by: "Y", "X")])
    #expect(order.rows.map(\.artist) == ["X, Y", "Y, X"])
  }

  @Test func `discs follow each other, and songs without numbers come last`() {
    let songs = [
      track(1, "Two-one", disc: 2), track(nil, "B side", disc: 1), track(10, "One-ten", disc: 1),
      track(2, "One-two", disc: 1), track(nil, "A side", disc: 1), track(1, "No disc"),
    ]
    #expect(
      AlbumPage(Album(), songs: songs).rows.map(\.song.title) == [
        "No disc", "One-two", "One-ten", "A side", "B side", "Two-one",
      ])
  }

  @Test func `every order of the same songs makes the same page`() {
    let songs = [
      track(1, "A", disc: 1), track(1, "A", disc: 2), track(2, "A", disc: 1), track(nil, "A"),
    ]
    let page = AlbumPage(Album(), songs: songs)
    var shuffled = songs
    for turn in 0..<24 {
      shuffled.swapAt(turn % 4, (turn * 7 + 1) % 4)
      #expect(AlbumPage(Album(), songs: shuffled) == page)
    }
  }
}
