// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

/// Every field in every kind of tag, as good programs write them.
extension OddFile {
  static let complete: [OddFile] = [
    OddFile("everything.mp3", .playsWhole, check: isComplete) {
      TagBytes.id3(everyFrame) + $0["bare.mp3"]
    },
    OddFile("everything.flac", .playsWhole, check: isComplete) {
      // The first comment counts; "fLaC" and the stream's head are 42 bytes.
      $0["flac"].prefix(42) + TagBytes.vorbisBlock(everyComment) + $0["flac"].dropFirst(42)
    },
    OddFile("ID3 in WAV.wav", .playsWhole, check: isComplete) {
      let bytes = $0["wav"] + TagBytes.chunk("id3 ", TagBytes.id3(everyFrame))
      let length = bytes.count - 8
      return bytes[..<4] + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: length >> $0) }
        + bytes[8...]
    },
    OddFile("ID3 in AIFF.aiff", .playsWhole, check: isComplete) {
      var tag = TagBytes.id3(everyFrame)
      if tag.count % 2 != 0 { tag += [0] }
      let chunk = Array("ID3 ".utf8) + TagBytes.big(tag.count) + tag
      let bytes = $0["aiff"] + chunk
      return bytes[..<4] + TagBytes.big(bytes.count - 8) + bytes[8...]
    },
    OddFile("podcast.m4a", .playsWhole, check: { $0.kind == .podcast && $0.title == "Sample" }) {
      $0["podcast.m4a"]
    },
    OddFile(
      "fields.m4a", .playsWhole,
      check: {
        $0.albumArtists == ["AA"] && $0.composers == ["C"] && $0.lyrics == "la\nla"
          && ($0.trackNumber, $0.trackTotal) == (3, 12) && ($0.discNumber, $0.discTotal) == (1, 2)
          && $0.year == 1999 && $0.isCompilation && $0.genres == ["Rock"] && $0.codec == "aac"
      }
    ) { $0["fields.m4a"] },
    OddFile(
      "gain.opus", .playsWhole,
      check: {
        $0.replayGain == ReplayGain(trackGain: -5, albumGain: 5.5, source: .r128)
          && $0.codec == "opus" && $0.sampleRate == 48_000
      }
    ) { $0["gain.opus"] },
  ]

  /// Values that fit both lists below.
  private static let isComplete: @Sendable (TrackTags) -> Bool = { tags in
    var expected = TrackTags()
    (expected.title, expected.titleSort) = ("The Title", "Title")
    (expected.artists, expected.artistSort) = (["One", "Two"], "Sort")
    (expected.album, expected.albumSort) = ("The Album", "Album")
    (expected.albumArtists, expected.albumArtistSort) = (["Band"], "Bands")
    (expected.composers, expected.composerSort) = (["Writer"], "Writers")
    (expected.genres, expected.year, expected.isCompilation) = (["Rock"], 1999, true)
    (expected.trackNumber, expected.trackTotal) = (3, 12)
    (expected.discNumber, expected.discTotal) = (1, 2)
    expected.lyrics = "la\nla"
    expected.replayGain = ReplayGain(
      trackGain: -6.5, trackPeak: 0.9, albumGain: -7, albumPeak: 1)
    // What the sound is differs by format.
    var found = tags
    (found.durationMilliseconds, found.codec, found.bitRate) = (nil, "", 0)
    (found.sampleRate, found.channels, found.bitDepth) = (0, 0, 0)
    return found == expected
  }

  private static let everyFrame: [(id: String, contents: [UInt8])] =
    [
      ("TIT2", "The Title"), ("TSOT", "Title"), ("TPE1", "One\0Two"), ("TSOP", "Sort"),
      ("TALB", "The Album"), ("TSOA", "Album"), ("TPE2", "Band"), ("TSO2", "Bands"),
      ("TCOM", "Writer"), ("TSOC", "Writers"), ("TCON", "17"), ("TYER", "1999"), ("TCMP", "1"),
      ("TRCK", "3/12"), ("TPOS", "1/2"), ("TXXX", "REPLAYGAIN_TRACK_GAIN\0-6.50 dB"),
      ("TXXX", "replaygain_track_peak\00.9"), ("TXXX", "replaygain_album_gain\0-7 dB"),
      ("TXXX", "replaygain_album_peak\01.0"),
    ].map { (id: $0, contents: TagBytes.latin(Array($1.utf8))) } + [
      (id: "USLT", contents: [0] + Array("eng\0la\r\nla".utf8))
    ]

  private static let everyComment = [
    "TITLE=The Title", "TITLESORT=Title", "ARTIST=One", "artist=Two", "ARTISTSORT=Sort",
    "ALBUM=The Album", "ALBUMSORT=Album", "ALBUMARTIST=Band", "ALBUMARTISTSORT=Bands",
    "COMPOSER=Writer", "COMPOSERSORT=Writers", "GENRE=Rock", "DATE=1999-12-31", "COMPILATION=1",
    "TRACKNUMBER=03", "TRACKTOTAL=12", "DISCNUMBER=1", "TOTALDISCS=2", "LYRICS=la\r\nla",
    "REPLAYGAIN_TRACK_GAIN=-6.50 dB", "REPLAYGAIN_TRACK_PEAK=0.9", "REPLAYGAIN_ALBUM_GAIN=-7 dB",
    "REPLAYGAIN_ALBUM_PEAK=1.000000",
  ]
}
