// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

/// Good sound under strange tags and names.
extension OddFile {
  static let tagged: [OddFile] = [
    OddFile(
      "24 bits at 192 kHz.flac", .playsWhole,
      check: {
        ($0.bitDepth, $0.sampleRate) == (24, 192_000)
      }
    ) { $0["hires.flac"] },
    OddFile("8 kHz mono.wav", .playsWhole, check: { ($0.channels, $0.sampleRate) == (1, 8_000) }) {
      $0["mono 8k"]
    },
    OddFile("7.1.flac", .playsWhole, check: { $0.channels == 8 }) { $0["eight.flac"] },
    OddFile("no tags.mp3", .playsWhole, check: { $0.title.isEmpty && $0.artists.isEmpty }) {
      $0["bare.mp3"]
    },
    OddFile("40 MB of artwork.mp3", .playsWhole, check: { $0.hasArtwork && $0.title == "Big" }) {
      let picture = $0["cover.jpg"] + [UInt8](repeating: 0x5A, count: 40_000_000)
      let head = [0] + Array("image/jpeg\0".utf8) + [3, 0]
      let title = TagBytes.latin(Array("Big".utf8))
      return TagBytes.id3([("APIC", head + picture), ("TIT2", title)]) + $0["bare.mp3"]
    },
    OddFile(
      "unsynchronised.mp3", .playsWhole,
      check: {
        $0.title == "Ünsync ÿ" && $0.artists == ["Ä"]
      }
    ) {
      let frames = [("TIT2", TagBytes.utf16("Ünsync ÿ")), ("TPE1", TagBytes.utf16("Ä"))]
      return TagBytes.id3(frames, isUnsynchronised: true) + $0["bare.mp3"]
    },
    OddFile(
      "ID3 before FLAC.flac", .playsWhole,
      check: {
        $0.title == "Sample" && $0.artists == ["From ID3"]
      }
    ) {
      let frames = [
        ("TIT2", TagBytes.latin(Array("Hidden".utf8))),
        ("TPE1", TagBytes.latin(Array("From ID3".utf8))),
      ]
      return TagBytes.id3(frames) + $0["flac"]
    },
    OddFile(
      "Windows-1252.mp3", .playsWhole,
      check: {
        $0.title == "Für €5" && $0.artists == ["Björk"] && $0.genres == ["Rock"] && $0.year == 1995
      }
    ) {
      $0["bare.mp3"]
        + TagBytes.id3v1(
          title: [0x46, 0xFC, 0x72, 0x20, 0x80, 0x35], artist: [0x42, 0x6A, 0xF6, 0x72, 0x6B],
          year: "1995", genre: 17)
    },
    OddFile(
      "UTF-8 that calls itself Latin-1.mp3", .playsWhole, check: { $0.title == "Sigur Rós 🎼" }
    ) {
      TagBytes.id3([("TIT2", TagBytes.latin(Array("Sigur Rós 🎼".utf8)))]) + $0["bare.mp3"]
    },
    OddFile(
      "APE behind MP3.mp3", .playsWhole,
      check: {
        $0.title == "Ape" && $0.artists == ["One", "Two"] && $0.replayGain?.trackGain == -3.5
      }
    ) {
      let items = [
        ("Title", "Ape"), ("Artist", "One\0Two"), ("REPLAYGAIN_TRACK_GAIN", "-3.50 dB"),
      ]
      return $0["bare.mp3"] + TagBytes.ape(items)
    },
    OddFile(
      "emoji, newline, year 0000, track 3 of 12.mp3", .playsWhole,
      check: {
        $0.title == "🎷 two lines" && $0.year == nil && $0.trackNumber == 3 && $0.trackTotal == 12
          && $0.genres == ["Rock"]
      }
    ) {
      let frames = [
        ("TIT2", TagBytes.utf16("🎷 two\nlines")), ("TYER", TagBytes.latin(Array("0000".utf8))),
        ("TRCK", TagBytes.latin(Array("3/12".utf8))), ("TCON", TagBytes.latin(Array("(17)".utf8))),
      ]
      return TagBytes.id3(frames) + $0["bare.mp3"]
    },
    OddFile(
      "book.m4b", .playsWhole,
      check: {
        $0.kind == .audiobook && $0.chapters == SampleFiles.expectedChapters
      }
    ) { $0["m4b"] },
    OddFile("chapters.mp3", .playsWhole, check: { $0.chapters == SampleFiles.expectedChapters }) {
      $0["chapters.mp3"]
    },
    OddFile("chapters.ogg", .playsWhole, check: { $0.chapters == SampleFiles.expectedChapters }) {
      $0["chapters.ogg"]
    },
  ]

  /// Names that a folder can hold; each is a FLAC file.
  static let named: [OddFile] = [
    PathText.text(ofBytes: Array("Bj".utf8) + [0xF6] + Array("rk.flac".utf8)),
    String(repeating: "n", count: 250) + ".flac",
    String(repeating: "é", count: 125) + ".flac",
    "two\nlines 🎼.flac", "-v.flac", "100%.flac", "http:x.flac", "file:a.flac", "a?b#c.flac",
    "pipe:0", " ", "no ending",
  ].map { name in
    OddFile(name, .playsWhole, check: { $0.title == "Sample" }) { $0["flac"] }
  }
}
