// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding
import Testing

@Suite struct TroubleTests {
  /// Contents that are no audio, under names that say they are.
  static let notAudio: [(String, [UInt8])] = [
    ("text.mp3", Array("hello, this is text\n".utf8)),
    ("long.mp3", Array(repeatElement(Array("lorem ipsum dolor\n".utf8), count: 4_000).joined())),
    ("long.flac", Array(repeatElement(Array("lorem ipsum dolor\n".utf8), count: 4_000).joined())),
    ("list.mp3", Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8)),
    ("list.m4a", Array("#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5\nhttp://x/y\n".utf8)),
    ("zeros.mp3", [UInt8](repeating: 0, count: 300_000)),
    ("zeros.wav", [UInt8](repeating: 0, count: 300_000)),
    ("noise.mp3", noise(300_000)),
    ("noise.aac", noise(300_000)),
  ]

  static func noise(_ count: Int) -> [UInt8] {
    var random = SplitMix(seed: 1)
    return (0..<count).map { _ in .random(in: 0...255, using: &random) }
  }

  @Test(arguments: notAudio.indices)
  func `what is no audio is said to be none`(index: Int) throws {
    let workshop = try Workshop()
    let (name, bytes) = Self.notAudio[index]
    try workshop.write(name, bytes)
    #expect(reason(workshop.location(name)) == .notAudio, "\(name)")
  }

  @Test func `a picture under the name of music is no audio`() throws {
    let workshop = try Workshop()
    try workshop.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1", "-frames:v", "1"]
        + ["-f", "mjpeg", workshop.path("picture.mp3")])
    #expect(reason(workshop.location("picture.mp3")) == .notAudio)
  }

  @Test func `a film without sound has no sound`() throws {
    let workshop = try Workshop()
    try workshop.run(
      ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1", workshop.path("a.mp4")])
    #expect(reason(workshop.location("a.mp4")) == .noSound)
  }

  @Test func `a WAV file without samples has no sound`() throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile([]).bytes)
    #expect(reason(workshop.location("a.wav")) == .noSound)
  }

  @Test func `what is no file is refused`() throws {
    let workshop = try Workshop()
    #expect(mkfifo(workshop.path("fifo.mp3"), 0o600) == 0)
    try workshop.write("empty.mp3", [])
    #expect(reason(workshop.location("nowhere.mp3")) == .missing)
    #expect(reason(workshop.location("empty.mp3/below.mp3")) == .missing)
    #expect(reason(workshop.location("empty.mp3")) == .empty)
    #expect(reason(workshop.location("fifo.mp3")) == .notAFile)
    #expect(reason(.file(path: workshop.path)) == .notAFile)
    #expect(reason(.file(path: "/dev/zero")) == .notAFile)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func `a file that may not be read is said to be so`() throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(10, rate: 48_000)).bytes)
    #expect(chmod(workshop.path("a.wav"), 0) == 0)
    #expect(reason(workshop.location("a.wav")) == .notPermitted)
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.wav", "a.aiff"])
  func `of a file cut short there is what there is`(name: String) throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(144_000, rate: 48_000)).bytes)
    if name != "a.wav" { try workshop.encode("a.wav", as: name) }
    let bytes = try workshop.read(name)
    try workshop.write(name, Array(bytes[..<(bytes.count / 2)]))
    let decoded = try Decoded(workshop.location(name))
    #expect((40_000..<120_000).contains(decoded.frames))
    #expect(decoded.end?.ending == .truncated)
  }

  @Test func `an MP4 file cut short has lost its index`() throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(48_000, rate: 48_000)).bytes)
    try workshop.encode("a.wav", as: "a.m4a")
    let bytes = try workshop.read("a.m4a")
    try workshop.write("a.m4a", Array(bytes[..<(bytes.count / 2)]))
    #expect(reason(workshop.location("a.m4a")) == .damaged)
  }

  @Test(arguments: ["a.flac", "a.mp3", "a.ogg", "a.opus", "a.m4a", "a.wav"])
  func `damaged bytes never trap and never roar`(name: String) throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(96_000, rate: 48_000)).bytes)
    if name != "a.wav" { try workshop.encode("a.wav", as: name) }
    let good = try workshop.read(name)
    for seed in 0..<UInt64(6) {
      var random = SplitMix(seed: seed)
      var bytes = good
      for _ in 0..<100 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      try workshop.write(name, bytes)
      guard let decoded = try? Decoded(workshop.location(name)) else { continue }
      #expect(decoded.samples.allSatisfy { $0.magnitude < 8 })
    }
  }

  @Test func `damaged frames of FLAC leave everything else in its place`() throws {
    let workshop = try Workshop()
    let wav = WAVFile(Sound.frames(96_000, rate: 48_000))
    try workshop.write("a.wav", wav.bytes)
    try workshop.encode("a.wav", as: "a.flac")
    var bytes = try workshop.read("a.flac")
    let middle = bytes.count / 2
    for index in middle..<middle + 100 { bytes[index] ^= 0x55 }
    try workshop.write("a.flac", bytes)
    let decoded = try Decoded(workshop.location("a.flac"))
    #expect(decoded.frames == 96_000)
    #expect(
      decoded.samples.suffix(40_000).elementsEqual(
        wav.samples.suffix(40_000).map { Float($0) / 32_768 }))
  }

  private func reason(_ location: MediaLocation) -> DecoderFailure.Reason? {
    do {
      _ = try Decoded(location)
      return nil
    } catch { return (error as? DecoderFailure)?.reason }
  }
}
