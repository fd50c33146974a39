// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

@Suite struct TrackTagsTests {
  /// Every field with a value of its own.
  static var full: TrackTags {
    var tags = TrackTags()
    tags.title = "Der Hölle Rache"
    tags.titleSort = "Hölle Rache, Der"
    tags.artists = ["Diana Damrau", "Sir Colin Davis"]
    tags.artistSort = "Damrau, Diana; Davis, Colin"
    tags.album = "Die Zauberflöte"
    tags.albumSort = "Zauberflöte, Die"
    tags.albumArtists = ["Royal Opera House"]
    tags.albumArtistSort = "Opera House, Royal"
    tags.composers = ["W. A. Mozart"]
    tags.composerSort = "Mozart, W. A."
    tags.genres = ["Opera", "Classical", "🎭"]
    (tags.year, tags.trackNumber, tags.trackTotal) = (2003, 14, 21)
    (tags.discNumber, tags.discTotal) = (2, 3)
    tags.isCompilation = true
    tags.lyrics = "[00:01.00]Der Hölle Rache\n[00:05.00]kocht in meinem Herzen"
    tags.replayGain = ReplayGain(trackGain: -6.25, trackPeak: 0.98, albumGain: 1, source: .r128)
    tags.hasArtwork = true
    tags.chapters = [
      Chapter(startMilliseconds: 0, title: "One"), Chapter(startMilliseconds: 90_000, title: ""),
    ]
    tags.kind = .audiobook
    tags.durationMilliseconds = 0
    (tags.sampleRate, tags.channels, tags.bitDepth, tags.bitRate) = (192_000, 8, 24, 9_216_000)
    tags.codec = "flac"
    return tags
  }

  @Test func `tags beyond every limit are cut to what fits in one frame`() throws {
    let long = String(repeating: "💿", count: 20_000)
    var tags = TrackTags()
    let texts: [WritableKeyPath<TrackTags, String>] = [
      \.title, \.titleSort, \.artistSort, \.album, \.albumSort, \.albumArtistSort, \.composerSort,
      \.lyrics, \.codec,
    ]
    for text in texts { tags[keyPath: text] = long }
    for list in [\TrackTags.artists, \.albumArtists, \.composers, \.genres] {
      tags[keyPath: list] = Array(repeating: long, count: 20)
    }
    tags.chapters = Array(repeating: Chapter(startMilliseconds: 1, title: long), count: 1_001)
    (tags.year, tags.bitRate) = (-5, .max)
    tags.replayGain = ReplayGain(trackGain: .nan)

    var reader = DecoderReplyReader()
    reader.append(encoded(.tags(tags)).span)
    guard case .tags(let read) = try reader.next() else {
      Issue.record("no tags")
      return
    }
    #expect(read.title.utf8.count == DecoderFraming.maximumText)
    #expect(read.artists == Array(repeating: read.title, count: 16))
    #expect(read.lyrics.utf8.count == 65_532)
    #expect(read.chapters.count == 1_000)
    #expect(read.chapters.first?.title.utf8.count == 256)
    #expect(read.year == nil)
    #expect(read.bitRate == Int(UInt32.max))
    #expect(read.replayGain == ReplayGain())
  }

  @Test func `an endless gain is refused`() throws {
    var tags = TrackTags()
    tags.replayGain = ReplayGain(albumPeak: .infinity)
    var reader = DecoderReplyReader()
    reader.append(encoded(.tags(tags)).span)
    #expect(throws: DecoderProtocolError.invalidField) { try reader.next() }
  }

  @Test func `the largest picture fits in one frame`() throws {
    let image = EncodedImage(
      width: 2_048, height: 2_048, bytes: [UInt8](repeating: 7, count: EncodedImage.maximumBytes))
    var reader = DecoderReplyReader()
    reader.append(encoded(.image(image)).span)
    #expect(try reader.next() == .image(image))
  }
}
