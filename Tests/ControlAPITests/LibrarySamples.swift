// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI

/// Documents of the library with every field.
enum LibrarySamples {
  static let routes: [APIRoute] =
    [
      LibraryRoute.counts, .songs, .song(id: "x"), .rating(id: "x"), .albums, .album(id: "x"),
      .years, .playlists, .playlist(id: "x"), .audiobooks, .podcasts, .stations, .search,
      .letters(list: "l"),
    ].map(APIRoute.library)
    + LibraryRoute.Headings.allCases.flatMap {
      [APIRoute.library(.headings($0)), .library(.heading($0, id: "x"))]
    } + LibraryRoute.Pictured.allCases.map { .library(.artwork($0, id: "x")) }

  static var song: SongDocument {
    var song = SongDocument(id: 7, title: "Jóga", kind: .song, location: "/m/Jóga.flac")
    song.artist = "Björk"
    song.albumArtist = "Björk"
    song.album = "Homogenic"
    song.albumID = 3
    song.composer = "Björk, Sjón"
    song.genre = "Electronic"
    song.year = 1997
    song.trackNumber = 2
    song.discNumber = 1
    song.durationSeconds = 305.2
    song.hasArtwork = true
    song.rating = 5
    song.positionSeconds = 12
    return song
  }

  static var album: AlbumDocument {
    var album = AlbumDocument(
      id: 3, title: "Homogenic", kind: .song, songCount: 10, durationSeconds: 2_620)
    album.artist = "Björk"
    album.year = 1997
    return album
  }

  static var details: SongDetailsDocument {
    var details = SongDetailsDocument(song: song)
    details.lyrics = "All these accidents"
    details.chapters = [.init(startSeconds: 0, title: "One")]
    var gain = SongDetailsDocument.Gain()
    gain.trackDecibels = -7
    gain.trackPeak = 1
    gain.albumDecibels = -7
    gain.albumPeak = 1
    details.replayGain = gain
    details.codec = "flac"
    details.sampleRate = 44_100
    details.channels = 2
    details.bitRate = 900_000
    return details
  }

  static var search: SearchDocument {
    var search = SearchDocument()
    search.songs = page(song)
    search.albums = page(album)
    search.artists = page(heading)
    search.composers = page(heading)
    search.genres = page(heading)
    search.audiobooks = page(album)
    search.podcasts = page(album)
    search.playlists = page(
      LibraryPlaylistDocument(id: 1, name: "Mix", location: "/m/Mix.m3u", entryCount: 2))
    search.stations = page(StationDocument(id: 1, name: "FM", url: "http://r.example/"))
    return search
  }

  private static let heading = HeadingDocument(id: 1, name: "Björk", albumCount: 9, songCount: 99)

  private static func page<Item>(_ item: Item) -> PageDocument<Item> {
    PageDocument(items: [item], nextCursor: "c", total: 2)
  }

  static func texts() throws -> [String] {
    let tracks = [AlbumPageDocument.Track(label: "2. Jóga", artist: "Björk", song: song)]
    return [
      try ControlAPITests.json(LibraryDocument(revision: 1)), try ControlAPITests.json(details),
      try ControlAPITests.json(search), try ControlAPITests.json(RatingDocument(rating: 3)),
      try ControlAPITests.json(
        AlbumPageDocument(
          album: album, artist: "Björk", summary: "1 song, 5 min", artworkSongID: 7,
          tracks: tracks)),
      try ControlAPITests.json(page(YearDocument(year: 1997, albumCount: 1, songCount: 10))),
      try ControlAPITests.json(
        page(PlaylistEntryDocument(title: "t", song: song, url: "http://r.example/"))),
      try ControlAPITests.json(
        LettersDocument(letters: [.init(letter: "A", offset: 0, count: 1, cursor: "c")])),
    ]
  }
}
