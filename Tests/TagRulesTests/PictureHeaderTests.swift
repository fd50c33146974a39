// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import TagRules
import Testing

@Suite struct PictureHeaderTests {
  static let pictures: [(String, [UInt8], PictureHeader.Format, Int, Int)] = [
    (
      "JPEG with a thumbnail in a segment before its frame, and a fill byte",
      [
        0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 0xFF, 0xC0, 9, 9, 0xFF, 0xFF, 0xC2, 0, 17, 8, 0x01, 0x00,
        0x02,
      ]
        + [0x03],
      .jpeg, 0x0203, 0x0100
    ),
    (
      "PNG",
      [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 1, 0, 0, 1, 0, 2],
      .png, 256, 65_538
    ),
    ("GIF", Array("GIF89a".utf8) + [0x40, 1, 0xF0, 0], .gif, 320, 240),
    (
      "BMP from above",
      Array("BM".utf8) + zeros(12) + [40, 0, 0, 0, 64, 1, 0, 0] + [16, 255, 255, 255],
      .bmp, 320, 240
    ),
    ("old BMP", Array("BM".utf8) + zeros(12) + [12, 0, 0, 0, 64, 1, 240, 0], .bmp, 320, 240),
    (
      "WebP, lossy", riff("VP8 ") + zeros(10) + [0x40, 0xC1, 0xF0, 0x40], .webp, 320, 240
    ),
    (
      "WebP, lossless", riff("VP8L") + zeros(4) + [0x2F, 0x3F, 0xC1, 0x3B, 0], .webp, 320, 240
    ),
    (
      "WebP, extended", riff("VP8X") + zeros(8) + [0x3F, 1, 0, 0xEF, 0, 0], .webp, 320, 240
    ),
  ]

  static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  static func riff(_ chunk: String) -> [UInt8] {
    Array("RIFF".utf8) + zeros(4) + Array("WEBP".utf8) + Array(chunk.utf8)
  }

  @Test(arguments: pictures.indices)
  func `a picture says its size`(index: Int) {
    let (name, bytes, format, width, height) = Self.pictures[index]
    let header = PictureHeader(bytes)
    #expect(header?.format == format, "\(name)")
    #expect(header?.width == width, "\(name)")
    #expect(header?.height == height, "\(name)")
  }

  @Test(arguments: pictures.indices)
  func `a picture that breaks off says nothing`(index: Int) {
    let bytes = Self.pictures[index].1
    for count in 0..<bytes.count {
      #expect(PictureHeader(Array(bytes[..<count])) == nil, "\(count) bytes")
    }
  }

  @Test func `what is no picture has no size`() {
    #expect(PictureHeader([]) == nil)
    #expect(PictureHeader(Array("BM is how this text begins, and it goes on".utf8)) == nil)
    #expect(PictureHeader(Array("RIFF....WAVEfmt ".utf8)) == nil)
    #expect(PictureHeader(Array("GIF89a".utf8) + Self.zeros(4)) == nil)
  }

  @Test(arguments: pictures.indices)
  func `changed bytes never trap`(index: Int) {
    var random = SplitMix(seed: UInt64(index))
    let good = Self.pictures[index].1 + Self.zeros(20)
    for _ in 0..<2_000 {
      var bytes = good
      for _ in 0..<3 {
        bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
      }
      if let header = PictureHeader(bytes) { #expect(header.width > 0 && header.height > 0) }
    }
  }
}
