// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import TagRules
import Testing

@Suite struct NamesTests {
  @Test func `every field finds its place`() {
    let tags = tags([
      ("TITLE", "Title"), ("TITLESORT", "t"), ("ARTIST", "A"), ("ARTIST", "B"),
      ("ARTISTSORT", "a"), ("ALBUM", "Album"), ("ALBUMSORT", "al"), ("ALBUMARTIST", "AA"),
      ("ALBUMARTISTSORT", "aa"), ("COMPOSER", "C"), ("COMPOSERSORT", "c"), ("GENRE", "Rock"),
      ("DATE", "1999-05-01"), ("TRACKNUMBER", "3/12"), ("DISCNUMBER", "1/2"),
      ("COMPILATION", "1"), ("LYRICS", "la"),
    ])
    var expected = TrackTags()
    (expected.title, expected.titleSort, expected.lyrics) = ("Title", "t", "la")
    (expected.artists, expected.artistSort) = (["A", "B"], "a")
    (expected.album, expected.albumSort) = ("Album", "al")
    (expected.albumArtists, expected.albumArtistSort) = (["AA"], "aa")
    (expected.composers, expected.composerSort, expected.genres) = (["C"], "c", ["Rock"])
    (expected.year, expected.isCompilation) = (1999, true)
    (expected.trackNumber, expected.trackTotal) = (3, 12)
    (expected.discNumber, expected.discTotal) = (1, 2)
    #expect(tags == expected)
  }

  @Test func `a file without fields has no tags`() {
    #expect(tags([]) == TrackTags())
  }

  @Test(arguments: [
    ("plain", "plain"), ("  round  ", "round"), ("two\nlines", "two lines"),
    ("tab\tand\u{7}bell", "tab and bell"), ("\u{FEFF}marked", "marked"), ("a\u{2028}b", "a b"),
    ("🎼 Ünïcode", "🎼 Ünïcode"), ("\u{0}", ""), ("  \n ", ""), ("e\u{301}", "e\u{301}"),
  ])
  func `a title is one line of text`(value: String, title: String) {
    #expect(Array(tags([("TITLE", value)]).title.utf8) == Array(title.utf8))
  }

  @Test func `a value that is no text does not hide another field`() {
    #expect(tags([("ALBUMARTIST", " "), ("ALBUM ARTIST", "AA")]).albumArtists == ["AA"])
  }

  @Test func `the better tag of a file wins field by field`() {
    var raw = RawTags()
    raw.add("A long title that ID3v1 cannot hold", for: "TITLE", layer: 0)
    raw.add("-6.5 dB", for: "REPLAYGAIN_TRACK_GAIN", layer: 1)
    raw.add("A long title that ID3v1 cannot", for: "TITLE", layer: 2)
    raw.add("1999", for: "DATE", layer: 2)
    let tags = TrackTags(raw, fileName: "a.mp3")
    #expect(tags.title == "A long title that ID3v1 cannot hold")
    #expect(tags.replayGain?.trackGain == -6.5)
    #expect(tags.year == 1999)
  }

  @Test func `values are kept once, in order, and not without end`() {
    let many = (0..<40).map { ("ARTIST", "\($0 / 2)") }
    #expect(tags(many).artists == (0..<16).map { "\($0)" })
    #expect(tags([("GENRE", "Rock; Pop"), ("GENRE", "Rock")]).genres == ["Rock", "Pop"])
    // A semicolon in a name is the name's.
    #expect(tags([("ARTIST", "Now; Then")]).artists == ["Now; Then"])
  }

  @Test func `a long text is cut at a character`() {
    let tags = tags([("TITLE", String(repeating: "é", count: 3_000) + "x")])
    #expect(tags.title == String(repeating: "é", count: 2_048))
  }

  @Test(arguments: [
    ("Björk 🎼", Array("Björk 🎼".utf8)), ("Björk", [0x42, 0x6A, 0xF6, 0x72, 0x6B]),
    ("€“”", [0x80, 0x93, 0x94]), ("ÿ", [0xFF, 0x81]), ("", []),
  ])
  func `bytes of unknown encoding become the likeliest text`(text: String, bytes: [UInt8]) {
    #expect(LegacyText.text(bytes) == text)
  }

  @Test func `lyrics keep their lines`() {
    #expect(
      tags([("LYRICS", "\r\none\r\ntwo\rthree\n\n\u{1}four\t4\n")]).lyrics
        == "one\ntwo\nthree\n\nfour 4")
    let timed = tags([("LYRICS", "plain"), ("SYNCEDLYRICS", "[00:01.00]timed")])
    #expect(timed.lyrics == "[00:01.00]timed")
  }
}

func tags(_ fields: [(String, String)], fileName: String = "a.flac") -> TrackTags {
  var raw = RawTags()
  for (key, value) in fields { raw.add(value, for: key) }
  return TrackTags(raw, fileName: fileName)
}
