// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import TagRules
import Testing

@Suite struct NumbersTests {
  static let places: [(String, Int?, Int?)] = [
    ("3", 3, nil), ("03", 3, nil), ("3/12", 3, 12), ("03 / 12", 3, 12), ("3 of 12", 3, 12),
    ("0", nil, nil), ("0/0", nil, nil), ("/12", nil, 12), ("3/", 3, nil), ("", nil, nil),
    ("A1", nil, nil), ("-1", nil, nil), ("99999999999999999999", nil, nil), ("３", nil, nil),
    ("1/99999999999999999999", 1, nil), ("three", nil, nil),
  ]

  @Test(arguments: places.indices)
  func `a track's place is read as people write it`(index: Int) {
    let (text, number, total) = Self.places[index]
    let tags = tags([("TRACKNUMBER", text), ("DISCNUMBER", text)])
    #expect(tags.trackNumber == number, "\(text)")
    #expect(tags.trackTotal == total, "\(text)")
    #expect(tags.discNumber == number, "\(text)")
    #expect(tags.discTotal == total, "\(text)")
  }

  @Test func `totals have fields of their own`() {
    let tags = tags([
      ("TRACKNUMBER", "3"), ("TRACKTOTAL", "12"), ("DISCNUMBER", "1"), ("TOTALDISCS", "2"),
    ])
    #expect((tags.trackTotal, tags.discTotal) == (12, 2))
  }

  @Test(arguments: [
    ("1999", 1999), ("1999-05-01", 1999), ("19990501", 1999), ("01.05.1999", 1999),
    ("1999-05-01T12:00:00", 1999), ("0000", nil), ("0000-00-00", nil), ("99", nil), ("", nil),
    ("May 1999", 1999), ("(C) 1999 Someone", 1999), ("12345", nil), ("0987", 987),
  ])
  func `a year is found in a date of any order`(text: String, year: Int?) {
    #expect(tags([("DATE", text)]).year == year, "\(text)")
  }

  @Test func `a date that is none leaves the word to the original date`() {
    #expect(tags([("DATE", "0000"), ("ORIGINALDATE", "1971")]).year == 1971)
    #expect(tags([("DATE", "2009"), ("ORIGINALDATE", "1971")]).year == 2009)
  }

  @Test(arguments: [("1", true), ("0", false), ("true", true), ("", false), ("no", false)])
  func `a compilation says so`(text: String, isSet: Bool) {
    #expect(tags([("COMPILATION", text)]).isCompilation == isSet)
  }

  @Test(arguments: [
    ("-6.25 dB", -6.25), ("+1.5 dB", 1.5), ("-6,25", -6.25), ("0.00 dB", 0), ("-100 dB", nil),
    ("nan", nil), ("inf", nil), ("", nil), ("loud", nil), ("1e300", nil), ("-", nil),
  ])
  func `a gain is a number of decibels that can be`(text: String, gain: Double?) {
    #expect(tags([("REPLAYGAIN_TRACK_GAIN", text)]).replayGain?.trackGain == gain, "\(text)")
  }

  @Test func `peaks alone are no gain`() {
    #expect(tags([("REPLAYGAIN_TRACK_PEAK", "0.9")]).replayGain == nil)
  }

  @Test func `the gain of Opus counts from another reference`() {
    // -23 LUFS to -18 LUFS; 256 steps a decibel.
    let gain = tags([("R128_TRACK_GAIN", "-2560"), ("R128_ALBUM_GAIN", "128")]).replayGain
    #expect(gain == ReplayGain(trackGain: -5, albumGain: 5.5, source: .r128))
    #expect(tags([("R128_TRACK_GAIN", "40000")]).replayGain == nil)
  }

  /// Milliseconds, bytes of sound, and whether one can be the length of the other.
  static let lengths: [(Int64, Int64, Bool)] = [
    (180_000, 2_880_000, true),  // 128 kb/s
    (36_000_000, 2_880_000, false),  // ten hours of it
    (1_000, 2_880_000, false),  // a second of it
    (0, 2_880_000, false), (-5, 2_880_000, false), (.max, .max / 16, false),
  ]

  @Test(arguments: lengths.indices)
  func `a length that so many bytes cannot have is none`(index: Int) {
    let (milliseconds, bytes, isKept) = Self.lengths[index]
    var raw = RawTags()
    (raw.milliseconds, raw.soundBytes) = (milliseconds, bytes)
    let tags = TrackTags(raw, fileName: "a.mp3")
    #expect(tags.durationMilliseconds == (isKept ? Int(milliseconds) : nil))
  }
}
