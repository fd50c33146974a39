// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

@testable import Catalogue

@Suite struct AlbumIdentityTests {
  private func key(
    _ album: String, albumArtists: [String] = [], compilation: Bool = false,
    at path: String = "/m/x/1.mp3", kind: TrackTags.Kind = .song
  ) -> String? {
    var tags = TrackTags()
    tags.album = album
    tags.albumArtists = albumArtists
    tags.isCompilation = compilation
    return AlbumIdentity(tags, kind: kind, title: "Title", path: path)?.key
  }

  @Test func `an album artist and a title make an album, wherever the files lie`() {
    let one = key("Homogenic", albumArtists: ["Björk"], at: "/m/a/1.mp3")
    #expect(one == key("HOMOGENIC", albumArtists: ["Bjork"], at: "/n/b/2.mp3"))
    #expect(one != key("Homogenic", albumArtists: ["Blur"]))
  }

  @Test func `equal titles in two folders are two albums`() {
    #expect(key("Greatest Hits", at: "/m/a/1.mp3") != key("Greatest Hits", at: "/m/b/1.mp3"))
    #expect(key("Greatest Hits", at: "/m/a/1.mp3") == key("Greatest Hits", at: "/m/a/2.mp3"))
  }

  @Test(arguments: ["CD1", "CD 2", "Disc 1", "disk02", "Disc 1 - Live"])
  func `folders of discs belong to the folder above`(disc: String) {
    #expect(key("Live", at: "/m/a/\(disc)/1.mp3") == key("Live", at: "/m/a/1.mp3"))
  }

  @Test(arguments: ["CDs", "Disco", "Discovery", "1", "Live 2"])
  func `other folders are folders`(folder: String) {
    #expect(key("Live", at: "/m/a/\(folder)/1.mp3") != key("Live", at: "/m/a/1.mp3"))
  }

  @Test func `a flagged compilation is one album across folders`() {
    let one = key("Now 1", compilation: true, at: "/m/a/1.mp3")
    #expect(one == key("Now 1", compilation: true, at: "/m/b/2.mp3"))
    #expect(one != key("Now 1", at: "/m/a/1.mp3"))
  }

  @Test func `without a title there is no album, but a book and a show`() {
    #expect(key("") == nil)
    #expect(key("", kind: .audiobook) != nil)
    var tags = TrackTags()
    tags.kind = .podcast
    let show = AlbumIdentity(tags, kind: .podcast, title: "Episode", path: "/m/The Show/1.mp3")
    #expect(show?.title == "The Show")
  }
}

@Suite struct MediaKindTests {
  @Test func `what a file says goes before its folder`() {
    var tags = TrackTags()
    #expect(MediaKind.kind(tags, path: "/m/Audiobooks/a/1.mp3", root: "/m") == .audiobook)
    #expect(MediaKind.kind(tags, path: "/m/Hörbücher/1.mp3", root: "/m") == .audiobook)
    #expect(MediaKind.kind(tags, path: "/m/Podcasts/Show/1.mp3", root: "/m/Podcasts") == .podcast)
    #expect(MediaKind.kind(tags, path: "/podcasts/m/1.mp3", root: "/podcasts/m") == .song)
    #expect(MediaKind.kind(tags, path: "/1.mp3", root: "/") == .song)
    tags.kind = .podcast
    #expect(MediaKind.kind(tags, path: "/m/Audiobooks/a/1.mp3", root: "/m") == .podcast)
  }
}

@Suite struct SongFingerprintTests {
  @Test func `a file keeps its fingerprint at another place, and others have others`() {
    var tags = TrackTags()
    tags.title = "Jóga"
    tags.durationMilliseconds = 300_000
    let print = SongFingerprint.fingerprint(tags, size: 7, path: "/m/a.mp3")
    #expect(print == SongFingerprint.fingerprint(tags, size: 7, path: "/n/b.mp3"))
    #expect(print != SongFingerprint.fingerprint(tags, size: 8, path: "/m/a.mp3"))
    tags.artists = ["Björk"]
    #expect(print != SongFingerprint.fingerprint(tags, size: 7, path: "/m/a.mp3"))
  }

  @Test func `recordings without tags are told by their names`() {
    let tags = TrackTags()
    let one = SongFingerprint.fingerprint(tags, size: 7, path: "/m/a.wav")
    #expect(one == SongFingerprint.fingerprint(tags, size: 7, path: "/n/a.wav"))
    #expect(one != SongFingerprint.fingerprint(tags, size: 7, path: "/m/b.wav"))
  }
}

@Suite struct FilePathTests {
  @Test(arguments: [
    ("/m/a/1.mp3", "/m/a", "1.mp3", "1", "mp3"), ("/1", "/", "1", "1", ""),
    ("/m/.hidden", "/m", ".hidden", ".hidden", ""),
    ("/m/a.b.FLAC", "/m", "a.b.FLAC", "a.b", "flac"),
    ("/m/Vol. 2 of many", "/m", "Vol. 2 of many", "Vol. 2 of many", " 2 of many"),
  ])
  func `a path has its parts`(
    path: String, folder: String, name: String, title: String, ending: String
  ) {
    #expect(FilePath.folder(of: path) == folder)
    #expect(FilePath.name(of: path) == name)
    #expect(FilePath.title(of: path) == title)
    #expect(FilePath.ending(of: path) == ending)
  }
}
