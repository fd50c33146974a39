// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import TagRules
import Testing

@Suite struct KindAndChaptersTests {
  static let kinds: [([(String, String)], String, TrackTags.Kind)] = [
    ([], "a.m4a", .song),
    ([], "a.M4B", .audiobook),
    ([("STIK", "2")], "a.m4a", .audiobook),
    ([("STIK", "21")], "a.m4a", .podcast),
    ([("STIK", "1"), ("GENRE", "Podcast")], "a.m4b", .song),
    ([("PODCAST", "1")], "a.mp3", .podcast),
    ([("PODCAST", "0")], "a.mp3", .song),
    ([("GENRE", "Hörbuch")], "a.mp3", .audiobook),
    ([("GENRE", "Speech"), ("GENRE", "AUDIOBOOK")], "a.mp3", .audiobook),
    ([("GENRE", "podcast")], "a.mp3", .podcast),
    ([("GENRE", "Rock")], "a.mp3", .song),
  ]

  @Test(arguments: kinds.indices)
  func `a file says what it is`(index: Int) {
    let (fields, name, kind) = Self.kinds[index]
    #expect(tags(fields, fileName: name).kind == kind)
  }

  @Test func `chapters of Ogg are fields`() {
    let tags = tags([
      ("CHAPTER002", "00:01:30.500"), ("CHAPTER002NAME", "Two\n"), ("CHAPTER001", "00:00:00.000"),
      ("CHAPTER001NAME", "One"), ("CHAPTER003", "nonsense"), ("CHAPTER", "01:00:00"),
      ("CHAPTER004", "10:00:00"), ("CHAPTER004URL", "http://x"),
    ])
    #expect(
      tags.chapters == [
        Chapter(startMilliseconds: 0, title: "One"),
        Chapter(startMilliseconds: 90_500, title: "Two"),
        Chapter(startMilliseconds: 36_000_000, title: ""),
      ])
  }

  @Test func `the container's list of chapters comes first, in order of time`() {
    var raw = RawTags()
    raw.add("00:00:05.000", for: "CHAPTER001")
    raw.add(Chapter(startMilliseconds: 9_000, title: "B"))
    raw.add(Chapter(startMilliseconds: 1_000, title: "A"))
    raw.add(Chapter(startMilliseconds: -1, title: "never"))
    let starts = TrackTags(raw, fileName: "").chapters.map(\.startMilliseconds)
    #expect(starts == [1_000, 9_000])
  }

  /// Every field that a rule looks at.
  static let keys = [
    "TITLE", "ARTIST", "ALBUMARTIST", "GENRE", "DATE", "TRACKNUMBER", "DISCNUMBER", "COMPILATION",
    "LYRICS", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "R128_TRACK_GAIN", "CHAPTER001",
    "CHAPTER001NAME", "STIK", "PODCAST", "TRACKTOTAL",
  ]
  static let pieces = [
    "0", "9", "1999", "/", "-", ":", ".", " ", "\n", "\r", "\u{0}", "é", "e\u{301}", "🎼", "dB", "e",
    "99999999999999999999", "٣", "½", "\u{2028}", ";", "00:00:00", "\u{10FFFF}", "+",
  ]

  @Test(arguments: 0..<UInt64(40))
  func `fields of any contents become tags within their limits`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      var raw = RawTags()
      for key in Self.keys {
        let count = Int.random(in: 0...6, using: &random)
        let value = (0..<count).map { _ in
          Self.pieces[Int.random(in: Self.pieces.indices, using: &random)]
        }
        raw.add(value.joined(), for: key, layer: Int.random(in: 0...2, using: &random))
      }
      raw.milliseconds = Int64(truncatingIfNeeded: random.next())
      raw.soundBytes = Int64(truncatingIfNeeded: random.next() >> 1)
      let tags = TrackTags(raw, fileName: Self.pieces[Int(seed) % Self.pieces.count])
      var bytes: [UInt8] = []
      DecoderReply.tags(tags).append(to: &bytes)
      var reader = DecoderReplyReader()
      reader.append(bytes.span)
      #expect((try? reader.next()) == .tags(tags))
    }
  }
}

/// Steele and others' SplitMix64: small, seeded, the same everywhere.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
