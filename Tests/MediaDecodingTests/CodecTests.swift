// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import MediaDecoding
import Testing

/// A file format and how ffmpeg is asked for it.
struct Encoding: CustomTestStringConvertible {
  var name: String
  var codec: String
  var options: [String]
  var isLossless = false
  /// Whether it says nowhere how much silence the encoder has added.
  var isPadded = false

  var testDescription: String { "\(name) \(options.joined(separator: " "))" }

  static let all = [
    Encoding(name: "a.flac", codec: "flac", options: [], isLossless: true),
    Encoding(name: "a.oga", codec: "flac", options: ["-c:a", "flac"], isLossless: true),
    Encoding(name: "a.aiff", codec: "pcm_s16be", options: [], isLossless: true),
    Encoding(name: "a.m4a", codec: "alac", options: ["-c:a", "alac"], isLossless: true),
    Encoding(name: "a.caf", codec: "alac", options: ["-c:a", "alac"], isLossless: true),
    Encoding(name: "a.wv", codec: "wavpack", options: [], isLossless: true),
    Encoding(name: "a.mka", codec: "flac", options: ["-c:a", "flac"], isLossless: true),
    Encoding(name: "a.webm", codec: "opus", options: ["-c:a", "libopus", "-b:a", "192k"]),
    Encoding(name: "a.mp3", codec: "mp3", options: ["-b:a", "192k"]),
    Encoding(name: "a.mp3", codec: "mp3", options: ["-q:a", "2"]),
    Encoding(
      name: "a.mp3", codec: "mp3", options: ["-b:a", "192k", "-write_xing", "0"], isPadded: true),
    Encoding(name: "a.ogg", codec: "vorbis", options: ["-c:a", "libvorbis", "-q:a", "6"]),
    Encoding(name: "a.opus", codec: "opus", options: ["-c:a", "libopus", "-b:a", "192k"]),
    Encoding(name: "a.m4a", codec: "aac", options: ["-c:a", "aac", "-b:a", "192k"]),
    Encoding(name: "a.mov", codec: "aac", options: ["-c:a", "aac", "-b:a", "192k"]),
    Encoding(
      name: "a.aac", codec: "aac", options: ["-c:a", "aac", "-b:a", "192k"], isPadded: true),
  ]
}

@Suite struct CodecTests {
  /// Not a whole number of milliseconds, packets or pages.
  static let count = [44_100: 88_517, 48_000: 96_317]
  static let sources = count.reduce(into: [:]) { sources, entry in
    sources[entry.key] =
      WAVFile(
        Sound.frames(entry.value, rate: entry.key), rate: entry.key
      ).bytes
  }
  static let reference = Sound.frames(96_400, rate: 48_000)

  @Test(arguments: Encoding.all, [44_100, 48_000])
  func `the sound comes back in its length and place`(encoding: Encoding, rate: Int) throws {
    let workshop = try Workshop()
    let count = try #require(Self.count[rate])
    try workshop.write("source.wav", try #require(Self.sources[rate]))
    try workshop.encode("source.wav", as: encoding.name, encoding.options)
    let decoded = try Decoded(workshop.location(encoding.name))
    #expect(decoded.info.codec == encoding.codec)
    #expect(decoded.info.channels == 2)
    #expect(decoded.end == DecoderEnd(sourceFrames: Int64(decoded.frames)))
    guard !encoding.isPadded else {
      #expect(decoded.frames > count)
      return
    }
    let length = InputLength.frames(count, rate: rate)
    // Opus has 48 kHz inside: ffmpeg's own resampler may add one frame.
    #expect((length...length + (encoding.codec == "opus" ? 1 : 0)).contains(decoded.frames))
    // One frame off would be 18 dB.
    let closeness = signalToNoise(Self.reference[2_000...], decoded.samples[2_000...])
    #expect(closeness > (encoding.isLossless ? 70 : 28))
    if let announced = decoded.info.durationFrames {
      #expect((announced - Int64(length)).magnitude < 4_096)
    }
  }

  @Test func `Windows Media is played, but for what ffmpeg's encoder keeps to itself`() throws {
    let workshop = try Workshop()
    try workshop.write("source.wav", WAVFile(Sound.frames(96_000, rate: 48_000)).bytes)
    try workshop.encode("source.wav", as: "a.wma", "-b:a", "192k")
    let decoded = try Decoded(workshop.location("a.wma"))
    #expect(decoded.info.codec == "wmav2")
    #expect((90_000...100_000).contains(decoded.frames))
  }

  @Test(arguments: ["a.flac", "a.mp3"])
  func `a cover picture is no sound`(name: String) throws {
    let workshop = try Workshop()
    try workshop.write("source.wav", WAVFile(Sound.frames(48_000, rate: 48_000)).bytes)
    try workshop.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1", "-frames:v", "1"]
        + [workshop.path("cover.jpg")])
    try workshop.run(
      ["ffmpeg", "-v", "error", "-i", workshop.path("source.wav")]
        + ["-i", workshop.path("cover.jpg"), "-map", "0", "-map", "1", "-c:v", "mjpeg"]
        + ["-disposition:v", "attached_pic", workshop.path(name)])
    let decoded = try Decoded(workshop.location(name))
    #expect(decoded.frames == 48_000)
  }

  @Test func `a cover picture of megabytes does not hide the music`() throws {
    let workshop = try Workshop()
    try workshop.write("source.wav", WAVFile(Sound.frames(48_000, rate: 48_000)).bytes)
    try workshop.encode("source.wav", as: "plain.mp3", ["-id3v2_version", "0"])
    // An ID3v2.3 tag with one APIC frame of 3 MiB.
    let picture = [UInt8](repeating: 0xFF, count: 3 << 20)
    let apic: [UInt8] = [0] + Array("image/jpeg".utf8) + [0, 3, 0] + picture
    let size = apic.count
    let frame =
      Array("APIC".utf8)
      + (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + [0, 0] + apic
    let safe = (0..<4).reversed().map { UInt8(frame.count >> (7 * $0) & 0x7F) }
    let tag = Array("ID3".utf8) + [3, 0, 0] + safe + frame
    try workshop.write("a.mp3", tag + workshop.read("plain.mp3"))
    #expect(try Decoded(workshop.location("a.mp3")).frames == 48_000)
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.m4a"])
  func `tags are read`(name: String) throws {
    let workshop = try Workshop()
    try workshop.write("source.wav", WAVFile(Sound.frames(4_800, rate: 48_000)).bytes)
    try workshop.encode(
      "source.wav", as: name,
      ["-metadata", "title=Für Élise", "-metadata", "artist=L. v. Beethoven"]
        + ["-metadata", "album=WoO 59 — 月光", "-metadata", "track=3/12"])
    let info = try Decoded(workshop.location(name)).info
    #expect(info.title == "Für Élise")
    #expect(info.artist == "L. v. Beethoven")
    #expect(info.album == "WoO 59 — 月光")
    #expect(info.trackNumber == 3)
  }
}

/// The rounding rule, said once more and differently.
enum InputLength {
  static func frames(_ samples: Int, rate: Int) -> Int {
    Int((Double(samples) * 48_000 / Double(rate) + 0.5).rounded(.down))
  }
}
