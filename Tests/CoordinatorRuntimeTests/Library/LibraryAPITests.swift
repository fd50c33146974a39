// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import ControlAPI
import DecoderProtocol
import Foundation
import HTTPService
import MusicLibrary
import Testing

@testable import CoordinatorRuntime

/// A house with a few songs in its library.
struct LibraryHouse {
  let house: TestHouse

  init(songs: Int = 3) async throws {
    house = try await TestHouse()
    var batch = ScanBatch()
    batch.read = (1...songs).map { number in
      var tags = TrackTags()
      tags.title = "Song \(number)"
      tags.artists = ["Artist"]
      tags.album = "Album"
      tags.trackNumber = number
      tags.year = 1990
      tags.durationMilliseconds = 61_500
      return ReadFile(
        path: "/m/a/\(number).flac", root: "/m",
        stamp: FileStamp(size: Int64(number), modified: 1, device: 1, inode: UInt64(number)),
        tags: tags)
    }
    batch.playlists = [
      PlaylistFile(
        path: "/m/Mix.m3u", root: "/m", modified: 1, bytes: Array("a/2.flac\ngone.mp3\n".utf8)),
      PlaylistFile(
        path: "/m/FM.pls", root: "/m", modified: 1,
        bytes: Array("[playlist]\nFile1=http://r.example/\n".utf8)),
    ]
    try house.parts.collection.library.apply(batch)
  }

  func get(
    _ path: String, _ query: [String: String] = [:], _ headers: [String: String] = [:]
  ) async -> HTTPResponse {
    await house.api.respond(
      to: HTTPRequest(
        method: "GET", path: "/api/v1/library" + path, query: query, headers: headers))
  }

  func document<Document: Decodable>(
    _ type: Document.Type, _ path: String, _ query: [String: String] = [:]
  ) async throws -> Document {
    try JSONDocument.decode(type, from: Array(await get(path, query).text.utf8))
  }

  func rate(_ id: Int64, _ json: String) async -> HTTPResponse {
    await house.api.respond(
      to: HTTPRequest(
        method: "PUT", path: "/api/v1/library/songs/\(id)/rating", body: .bytes(Array(json.utf8))))
  }
}

@Suite struct LibraryAPITests {
  @Test func `lists come in pages`() async throws {
    let house = try await LibraryHouse()
    let first = try await house.document(
      PageDocument<SongDocument>.self, "/songs", ["limit": "2"])
    #expect(first.items.map(\.title) == ["Song 1", "Song 2"])
    #expect(first.total == 3)
    let cursor = try #require(first.nextCursor)
    let rest = try await house.document(
      PageDocument<SongDocument>.self, "/songs", ["limit": "2", "cursor": cursor])
    #expect(rest.items.map(\.title) == ["Song 3"])
    #expect(rest.nextCursor == nil)
    #expect(rest.items[0].durationSeconds == 61.5)
    #expect(rest.items[0].location == "/m/a/3.flac")
  }

  @Test func `everything that is listed can be opened`() async throws {
    let house = try await LibraryHouse()
    let albums = try await house.document(PageDocument<AlbumDocument>.self, "/albums")
    let album = try #require(albums.items.first)
    let page = try await house.document(AlbumPageDocument.self, "/albums/\(album.id)")
    #expect(page.summary == "3 songs, 3 min")
    #expect(page.artist == "Artist")
    #expect(page.tracks.map(\.label) == ["1. Song 1", "2. Song 2", "3. Song 3"])
    #expect(page.tracks.map(\.artist) == [nil, nil, nil])
    let artists = try await house.document(PageDocument<HeadingDocument>.self, "/artists")
    let artist = try #require(artists.items.first)
    #expect(try await house.document(HeadingDocument.self, "/artists/\(artist.id)") == artist)
    let songs = try await house.document(
      PageDocument<SongDocument>.self, "/songs", ["artist": "\(artist.id)"])
    #expect(songs.total == 3)
    let details = try await house.document(
      SongDetailsDocument.self, "/songs/\(songs.items[0].id)")
    #expect(details.song == songs.items[0])
    let lists = try await house.document(PageDocument<LibraryPlaylistDocument>.self, "/playlists")
    let entries = try await house.document(
      PageDocument<PlaylistEntryDocument>.self, "/playlists/\(try #require(lists.items.first).id)")
    #expect(entries.items.map(\.title) == ["2", "gone"])
    #expect(entries.items.map { $0.song?.title } == ["Song 2", nil])
    let stations = try await house.document(PageDocument<StationDocument>.self, "/stations")
    #expect(stations.items.map(\.name) == ["FM"])
    let years = try await house.document(PageDocument<YearDocument>.self, "/years")
    #expect(years.items == [YearDocument(year: 1990, albumCount: 1, songCount: 3)])
    let counts = try await house.document(LibraryDocument.self, "")
    #expect(counts.songCount == 3)
    #expect(counts.revision == 1)
    let letters = try await house.document(LettersDocument.self, "/letters/songs")
    #expect(letters.letters.map(\.letter) == ["S"])
    for list in ["/genres", "/composers", "/audiobooks", "/podcasts"] {
      #expect(await house.get(list).status == 200)
    }
  }

  @Test func `a search has the kinds that were asked for`() async throws {
    let house = try await LibraryHouse()
    let all = try await house.document(SearchDocument.self, "/search", ["q": "song 2"])
    #expect(all.songs?.items.map(\.title) == ["Song 2"])
    #expect(all.albums?.items.isEmpty == true)
    let some = try await house.document(
      SearchDocument.self, "/search", ["q": "album", "kinds": "albums,artists"])
    #expect(some.albums?.items.map(\.title) == ["Album"])
    #expect(some.songs == nil)
  }

  @Test(arguments: [
    ("/songs/99", 404), ("/songs/x", 404), ("/albums/99", 404), ("/artists/99", 404),
    ("/playlists/99", 404), ("/nothing", 404), ("/songs/1/2/3", 404), ("/letters/years", 400),
    ("/artwork/songs/99", 404), ("/artwork/rooms/1", 404), ("/artwork/stations/99", 404),
  ])
  func `what is not there is said`(path: String, status: Int) async throws {
    #expect(try await LibraryHouse().get(path).status == status)
  }

  @Test(arguments: [
    (["limit": "0"], 400), (["limit": "x"], 400), (["limit": "1001"], 400), (["cursor": "x"], 409),
    (["cursor": ""], 409), (["artist": "x"], 400), (["artist": "1", "year": "2"], 422),
  ])
  func `a query that makes no sense is refused`(query: [String: String], status: Int) async throws {
    #expect(try await LibraryHouse().get("/songs", query).status == status)
  }

  @Test func `stars can be given and taken away`() async throws {
    let house = try await LibraryHouse()
    let song = try #require(
      try await house.document(PageDocument<SongDocument>.self, "/songs").items.first)
    #expect(await house.rate(song.id, #"{"rating": 4}"#).status == 204)
    #expect(
      try await house.document(SongDetailsDocument.self, "/songs/\(song.id)").song.rating == 4)
    #expect(await house.rate(song.id, #"{"rating": null}"#).status == 204)
    #expect(
      try await house.document(SongDetailsDocument.self, "/songs/\(song.id)").song.rating == nil)
    #expect(await house.rate(song.id, #"{"rating": 6}"#).status == 422)
    #expect(await house.rate(song.id, "stars").status == 400)
    #expect(await house.rate(99, #"{"rating": 1}"#).status == 404)
    #expect(await house.get("/songs/\(song.id)/rating").status == 405)
  }

  @Test func `what has no picture has the default one, which may be kept`() async throws {
    let house = try await LibraryHouse()
    let song = try #require(
      try await house.document(PageDocument<SongDocument>.self, "/songs").items.first)
    let picture = await house.get("/artwork/songs/\(song.id)", ["size": "large"])
    #expect(picture.status == 200)
    #expect(picture.text.hasPrefix("<svg"))
    let headers = Dictionary(
      picture.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    #expect(headers["Content-Type"] == "image/svg+xml")
    #expect(headers["Cache-Control"]?.contains("max-age") == true)
    let tag = try #require(headers["ETag"])
    for known in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let again = await house.get("/artwork/songs/\(song.id)", [:], ["if-none-match": known])
      #expect(again.status == 304)
      #expect(again.text.isEmpty)
    }
    #expect(await house.get("/artwork/songs/\(song.id)", ["size": "huge"]).status == 400)
  }
}

@Suite struct PictureFolderTests {
  @Test func `pictures are kept until there is no room`() throws {
    let path = FileManager.default.temporaryDirectory.path + "/tutti-pictures-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try PictureFolder(path, capacity: 40_960)
    #expect(folder.read("none") == nil)
    for number in 0..<30 {
      folder.write([UInt8](repeating: UInt8(number), count: 5_000), as: "\(number).jpg")
    }
    #expect(folder.usedBytes <= 40_960)
    #expect(folder.usedBytes > 0)
    #expect(try PictureFolder(path, capacity: 40_960).usedBytes == folder.usedBytes)
    folder.write([], as: "empty.jpg")
    #expect(folder.read("empty.jpg") == [])
    #expect(folder.read("../escape") == nil)
  }
}
