// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What the first bytes of a picture say: which format it is and how large, before anything decodes it.
public struct PictureHeader: Sendable, Hashable {
  /// The formats that cover pictures come in.
  public enum Format: Sendable, CaseIterable {
    case jpeg, png, gif, bmp, webp
  }

  /// Bytes that tell the format of any picture.
  public static let signatureLength = 12

  /// The format.
  public var format: Format
  /// Pixels across, from 1.
  public var width: Int
  /// Pixels down, from 1.
  public var height: Int

  /// Reads the head of a picture: nil if it is none, or breaks off before its size.
  ///
  /// - Parameter bytes: The whole picture; JPEG may have its size behind a thumbnail of its own.
  public init?(_ bytes: [UInt8]) {
    guard let format = Self.format(bytes) else { return nil }
    let fields = BytesAt(bytes)
    let size: (width: Int, height: Int)?
    switch format {
    case .jpeg: size = Self.jpegSize(fields)
    case .png: size = Self.pair(fields.big32(16), fields.big32(20))
    case .gif: size = Self.pair(fields.little16(6), fields.little16(8))
    case .bmp: size = Self.bmpSize(fields)
    case .webp: size = Self.webpSize(fields)
    }
    guard let size, size.width > 0, size.height > 0 else { return nil }
    (self.format, width, height) = (format, size.width, size.height)
  }

  /// The format by the first `signatureLength` bytes.
  public static func format(_ bytes: [UInt8]) -> Format? {
    let fields = BytesAt(bytes)
    if fields.has([0xFF, 0xD8, 0xFF], 0) { return .jpeg }
    if fields.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0) { return .png }
    if fields.has(Array("GIF8".utf8), 0) { return .gif }
    if fields.has(Array("RIFF".utf8), 0), fields.has(Array("WEBP".utf8), 8) { return .webp }
    // Two letters are little; the reserved fields behind the size are zero.
    if fields.has(Array("BM".utf8), 0), fields.has([0, 0, 0, 0], 6) { return .bmp }
    return nil
  }

  private static func pair(_ width: Int?, _ height: Int?) -> (width: Int, height: Int)? {
    guard let width, let height else { return nil }
    return (width, height)
  }

  /// Walks the marker segments to the frame header (ITU T.81, B.1.1.4 and B.2.2).
  private static func jpegSize(_ fields: BytesAt) -> (width: Int, height: Int)? {
    var place = 2
    while let mark = fields.byte(place), let code = fields.byte(place + 1) {
      guard mark == 0xFF else { return nil }
      switch code {
      case 0xFF: place += 1  // a fill byte
      case 0x01, 0xD0...0xD8: place += 2  // markers without a segment
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        return pair(fields.big16(place + 7), fields.big16(place + 5))
      default:
        guard let length = fields.big16(place + 2), length >= 2 else { return nil }
        place += 2 + length
      }
    }
    return nil
  }

  /// The old header has 16-bit fields; rows of the new one may count from below, as a negative.
  private static func bmpSize(_ fields: BytesAt) -> (width: Int, height: Int)? {
    if fields.little32(14) == 12 { return pair(fields.little16(18), fields.little16(20)) }
    guard let width = fields.little32(18), let height = fields.little32(22) else { return nil }
    return (width, Int(Int32(truncatingIfNeeded: height).magnitude))
  }

  /// Lossy, lossless and extended files (RFC 9649, sections 2.5 to 2.7).
  private static func webpSize(_ fields: BytesAt) -> (width: Int, height: Int)? {
    if fields.has(Array("VP8 ".utf8), 12) {
      guard let width = fields.little16(26), let height = fields.little16(28) else { return nil }
      return (width & 0x3FFF, height & 0x3FFF)
    }
    if fields.has(Array("VP8L".utf8), 12) {
      guard let bits = fields.little32(21) else { return nil }
      return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    }
    guard fields.has(Array("VP8X".utf8), 12), let low = fields.little32(24),
      let high = fields.little32(26)
    else { return nil }
    return ((low & 0xFF_FFFF) + 1, (high >> 8) + 1)
  }
}

/// Fields at places that need not exist.
private struct BytesAt {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func byte(_ place: Int) -> Int? { bytes.indices.contains(place) ? Int(bytes[place]) : nil }

  func has(_ expected: [UInt8], _ place: Int) -> Bool {
    bytes.count >= place + expected.count
      && bytes[place..<place + expected.count].elementsEqual(expected)
  }

  func big16(_ place: Int) -> Int? {
    guard let high = byte(place), let low = byte(place + 1) else { return nil }
    return high << 8 | low
  }

  func little16(_ place: Int) -> Int? {
    guard let low = byte(place), let high = byte(place + 1) else { return nil }
    return high << 8 | low
  }

  func big32(_ place: Int) -> Int? {
    guard let high = big16(place), let low = big16(place + 2) else { return nil }
    return high << 16 | low
  }

  func little32(_ place: Int) -> Int? {
    guard let low = little16(place), let high = little16(place + 2) else { return nil }
    return high << 16 | low
  }
}
