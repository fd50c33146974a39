// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Glibc
import MediaDecoding
import Testing

@Suite struct ArtworkTests {
  @Test(arguments: ["a.jpg", "a.png", "a.gif", "a.bmp", "a.webp"])
  func `a picture file becomes a small JPEG in its proportions`(name: String) throws {
    let workshop = try Workshop()
    try workshop.paint(name, "testsrc2=s=640x480")
    let image = try ArtworkMaker.make(path: workshop.path(name), edge: 256)
    #expect((image.width, image.height) == (256, 192))
    #expect(image.bytes.starts(with: [0xFF, 0xD8, 0xFF]))
  }

  @Test func `a small picture is not made larger`() throws {
    let workshop = try Workshop()
    try workshop.paint("a.png", "testsrc2=s=100x40")
    let image = try ArtworkMaker.make(path: workshop.path("a.png"), edge: 256)
    #expect((image.width, image.height) == (100, 40))
  }

  @Test(arguments: [1, 7, 2_048])
  func `any edge may be asked for`(edge: Int) throws {
    let workshop = try Workshop()
    try workshop.paint("a.png", "testsrc2=s=3000x1000")
    let image = try ArtworkMaker.make(path: workshop.path("a.png"), edge: edge)
    #expect(image.width == edge)
    #expect(image.height == max(1, (edge + 1) / 3))
  }

  @Test(arguments: [
    ["a.flac"], ["a.mp3"], ["a.m4a"], ["a.mp3", "-id3v2_version", "3"],
  ])
  func `the front cover in a music file comes first`(words: [String]) throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(4_800, rate: 48_000)).bytes)
    try workshop.paint("back.jpg", "color=blue:s=64x64")
    try workshop.paint("front.jpg", "color=red:s=64x64")
    // MP4 has no kinds of pictures: the first one counts.
    let order = words[0] == "a.m4a" ? ["front.jpg", "back.jpg"] : ["back.jpg", "front.jpg"]
    let (name, isFrontFirst) = (words[0], order[0] == "front.jpg")
    var command = ["ffmpeg", "-v", "error", "-i", workshop.path("a.wav")]
    for picture in order { command += ["-i", workshop.path(picture)] }
    command += ["-map", "0", "-map", "1", "-map", "2", "-c:v", "copy"]
    command += ["-disposition:v", "attached_pic"]
    command += ["-metadata:s:v:\(isFrontFirst ? 0 : 1)", "comment=Cover (front)"]
    command += ["-metadata:s:v:\(isFrontFirst ? 1 : 0)", "comment=Cover (back)"]
    try workshop.run(command + words.dropFirst() + [workshop.path(name)])
    let image = try ArtworkMaker.make(path: workshop.path(name), edge: 32)
    #expect(try workshop.colour(of: image, atX: 16, y: 16) == .red)
    #expect(try MediaDescriber.describe(path: workshop.path(name)).hasArtwork)
  }

  @Test func `a picture lying on its side is put upright`() throws {
    let workshop = try Workshop()
    // Left red, right blue; Exif says: turn it clockwise.
    try workshop.paint("a.jpg", "color=red:s=64x64,pad=128:64:color=blue")
    var bytes = try workshop.read("a.jpg")
    let exif: [UInt8] =
      [0xFF, 0xE1, 0, 34] + Array("Exif\0\0II".utf8)
      + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
    bytes.insert(contentsOf: exif, at: 2)
    try workshop.write("a.jpg", bytes)
    let image = try ArtworkMaker.make(path: workshop.path("a.jpg"), edge: 64)
    #expect((image.width, image.height) == (32, 64))
    #expect(try workshop.colour(of: image, atX: 16, y: 8) == .red)
    #expect(try workshop.colour(of: image, atX: 16, y: 56) == .blue)
  }

  @Test func `what is see-through lies on white`() throws {
    let workshop = try Workshop()
    try workshop.paint("a.png", "color=black@0.0:s=64x64,format=rgba")
    let image = try ArtworkMaker.make(path: workshop.path("a.png"), edge: 64)
    #expect(try workshop.colour(of: image, atX: 32, y: 32) == .white)
  }

  @Test func `a file without a picture has none`() throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(4_800, rate: 48_000)).bytes)
    try workshop.write("a.txt", Array("text".utf8))
    #expect(reason(workshop.path("a.wav")) == .noPicture)
    #expect(reason(workshop.path("a.txt")) == .noPicture)
    #expect(reason(workshop.path("nowhere.jpg")) == .missing)
    #expect(reason(workshop.path) == .notAFile)
    #expect(reason("/dev/zero") == .notAFile)
  }

  @Test func `too large a picture is refused by its head`() throws {
    let workshop = try Workshop()
    // 9,000 x 9,000 pixels of black are 80 kB of PNG and 324 MB of memory.
    try workshop.paint("pixels.png", "color=black:s=9000x9000")
    #expect(reason(workshop.path("pixels.png")) == .tooLarge)
    try workshop.paint("bytes.jpg", "color=black:s=64x64")
    #expect(truncate(workshop.path("bytes.jpg"), 65 << 20) == 0)
    #expect(reason(workshop.path("bytes.jpg")) == .tooLarge)
  }

  @Test(arguments: ["a.jpg", "a.png", "a.gif", "a.bmp", "a.webp"])
  func `damaged pictures never trap`(name: String) throws {
    let workshop = try Workshop()
    try workshop.paint(name, "testsrc2=s=320x240")
    let good = try workshop.read(name)
    for seed in 0..<UInt64(20) {
      var random = SplitMix(seed: seed)
      var bytes = good
      for _ in 0..<20 {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if seed % 4 == 0 { bytes.removeLast(bytes.count / 2) }
      try workshop.write(name, bytes)
      if let image = try? ArtworkMaker.make(path: workshop.path(name), edge: 64) {
        #expect(image.width <= 64 && image.height <= 64)
      }
    }
  }

  private func reason(_ path: String) -> DecoderFailure.Reason? {
    do throws(DecoderFailure) {
      _ = try ArtworkMaker.make(path: path, edge: 64)
      return nil
    } catch { return error.reason }
  }
}

/// What a pixel looks like from far away.
enum Colour { case red, blue, white, other }

extension Workshop {
  /// Makes a picture with one of ffmpeg's test sources.
  func paint(_ name: String, _ source: String) throws {
    try run(
      ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source]
        + ["-frames:v", "1", "-update", "1", path(name)])
  }

  /// The colour of one pixel, as ffmpeg sees it.
  func colour(of image: EncodedImage, atX x: Int, y: Int) throws -> Colour {
    try write("seen.jpg", image.bytes)
    try run(
      ["ffmpeg", "-v", "error", "-y", "-i", path("seen.jpg")]
        + ["-f", "rawvideo", "-pix_fmt", "rgb24", path("seen.rgb")])
    let start = (y * image.width + x) * 3
    let levels = try read("seen.rgb")[start..<start + 3].map { (level: UInt8) -> String in
      level > 200 ? "+" : level < 60 ? "-" : "?"
    }
    switch levels.joined() {
    case "+--": return .red
    case "--+": return .blue
    case "+++": return .white
    default: return .other
    }
  }
}
