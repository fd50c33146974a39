// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

/// A file as collections of thirty years hold them, and what is to become of it.
struct OddFile: Sendable, CustomTestStringConvertible {
  /// What happens when it is played.
  enum Outcome: Sendable {
    /// It gives so many frames of 48 kHz, and ends so.
    case plays(ClosedRange<Int>, DecoderEnd.Ending)
    /// It is refused in words, already when it is described.
    case refused(DecoderFailure.Reason)

    /// The whole sample of three seconds, give or take what an encoder adds.
    static let playsWhole = plays(142_000...148_000, .complete)
    /// Half of the sample.
    static let playsHalf = plays(40_000...120_000, .truncated)
  }

  var name: String
  var outcome: Outcome
  /// The bytes of the file.
  var contents: @Sendable (SampleFiles) throws -> [UInt8]
  /// What its description has to say.
  var check: @Sendable (TrackTags) -> Bool

  init(
    _ name: String, _ outcome: Outcome,
    check: @escaping @Sendable (TrackTags) -> Bool = { _ in true },
    contents: @escaping @Sendable (SampleFiles) throws -> [UInt8]
  ) {
    (self.name, self.outcome, self.contents, self.check) = (name, outcome, contents, check)
  }

  var testDescription: String { PathText.display(name) }
}

/// Three seconds of sound in every format, made once for all tests.
struct SampleFiles: Sendable {
  private var files: [String: [UInt8]] = [:]

  static let made = Result { try SampleFiles() }

  subscript(_ name: String) -> [UInt8] { files[name] ?? [] }

  static let frames = 144_000

  private init() throws {
    let workshop = try Workshop()
    let sound = Sound.frames(Self.frames, rate: 48_000)
    try workshop.write("wav", WAVFile(sound).bytes)
    try workshop.write(
      "mono 8k",
      WAVFile(Sound.frames(24_000, rate: 8_000, channels: 1), rate: 8_000, channels: 1).bytes)
    try workshop.write("chapters.txt", Array(Self.chapters.utf8))
    let tagged = ["-metadata", "title=Sample"]
    let book = ["-i", workshop.path("chapters.txt"), "-map_chapters", "1"] + tagged
    // The times that ffmpeg itself writes into Ogg are rounded up to seconds.
    let fields = [
      "CHAPTER001=00:00:00.000", "CHAPTER001NAME=Eins", "CHAPTER002=00:00:01.500",
      "CHAPTER002NAME=Zwei",
    ].flatMap { ["-metadata", $0] }
    let gain = ["-metadata", "R128_TRACK_GAIN=-2560", "-metadata", "R128_ALBUM_GAIN=128"]
    let encodings: [(String, [String])] = [
      ("flac", tagged), ("mp3", tagged), ("ogg", tagged + ["-c:a", "libvorbis"]), ("opus", tagged),
      ("m4a", tagged), ("aiff", tagged), ("m4b", book + ["-f", "ipod"]),
      ("podcast.m4a", tagged + ["-metadata", "media_type=21"]),
      ("fields.m4a", Self.fields), ("gain.opus", gain), ("chapters.mp3", book),
      ("chapters.ogg", fields + ["-c:a", "libvorbis"]),
      ("other.ogg", ["-c:a", "libvorbis", "-serial_offset", "7"]),
      ("bare.mp3", ["-id3v2_version", "0", "-map_metadata", "-1", "-write_id3v1", "0"]),
      ("hires.flac", ["-ar", "192000", "-sample_fmt", "s32", "-bits_per_raw_sample", "24"]),
      ("eight.flac", ["-af", "pan=7.1|FL=c0|FR=c1|FC=c0|LFE=c1|BL=c0|BR=c1|SL=c0|SR=c1"]),
    ]
    try workshop.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1"]
        + [workshop.path("cover.jpg")])
    for name in ["wav", "mono 8k", "cover.jpg"] { files[name] = try workshop.read(name) }
    for (name, options) in encodings {
      let target = name.contains(".") ? name : "a.\(name)"
      try workshop.encode("wav", as: target, options)
      files[name] = try workshop.read(target)
    }
  }

  private static let fields = [
    "album_artist=AA", "composer=C", "lyrics=la\nla", "track=3/12", "disc=1/2", "date=1999",
    "compilation=1", "genre=Rock",
  ].flatMap { ["-metadata", $0] }

  private static let chapters = """
    ;FFMETADATA1
    [CHAPTER]
    TIMEBASE=1/1000
    START=0
    END=1500
    title=Eins
    [CHAPTER]
    TIMEBASE=1/1000
    START=1500
    END=3000
    title=Zwei

    """

  /// What all three files with chapters must give.
  static let expectedChapters = [
    Chapter(startMilliseconds: 0, title: "Eins"), Chapter(startMilliseconds: 1_500, title: "Zwei"),
  ]
}
