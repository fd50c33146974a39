// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Tags written byte by byte, as odd programs did.
enum TagBytes {
  /// An ID3v2.3 tag; with `isUnsynchronised`, every FF before E0 or more, or before 00, has a 00 behind it.
  static func id3(
    _ frames: [(id: String, contents: [UInt8])], isUnsynchronised: Bool = false
  ) -> [UInt8] {
    var body: [UInt8] = []
    for frame in frames {
      body += Array(frame.id.utf8) + big(frame.contents.count) + [0, 0] + frame.contents
    }
    if isUnsynchronised {
      var escaped: [UInt8] = []
      for (index, byte) in body.enumerated() {
        escaped.append(byte)
        let next = index + 1 < body.count ? body[index + 1] : 0
        if byte == 0xFF, next >= 0xE0 || next == 0 { escaped.append(0) }
      }
      body = escaped
    }
    let size = (0..<4).map { UInt8(body.count >> (21 - 7 * $0) & 0x7F) }
    return Array("ID3".utf8) + [3, 0, isUnsynchronised ? 0x80 : 0] + size + body
  }

  /// A text that calls itself ISO 8859-1.
  static func latin(_ bytes: [UInt8]) -> [UInt8] { [0] + bytes }

  /// A text in UTF-16 with a byte order mark.
  static func utf16(_ text: String) -> [UInt8] {
    [1, 0xFF, 0xFE] + text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
  }

  /// An ID3v1 tag: 30 bytes of title, 30 of artist, 30 of album, year, comment, genre.
  static func id3v1(title: [UInt8], artist: [UInt8], year: String, genre: UInt8) -> [UInt8] {
    Array("TAG".utf8) + padded(title) + padded(artist) + padded([]) + Array(year.utf8)
      + padded([]) + [genre]
  }

  /// An APEv2 tag without a header.
  static func ape(_ items: [(key: String, value: String)]) -> [UInt8] {
    var body: [UInt8] = []
    for item in items {
      body += little(item.value.utf8.count) + little(0) + Array(item.key.utf8) + [0]
      body += Array(item.value.utf8)
    }
    return body + Array("APETAGEX".utf8) + little(2_000) + little(body.count + 32)
      + little(items.count) + little(0) + [UInt8](repeating: 0, count: 8)
  }

  /// A chunk of a WAV file, with `length` said instead of the true one if given.
  static func chunk(_ id: String, _ contents: [UInt8], length: Int? = nil) -> [UInt8] {
    Array(id.utf8) + little(length ?? contents.count) + contents
      + (contents.count % 2 == 0 ? [] : [0])
  }

  private static func padded(_ text: [UInt8]) -> [UInt8] {
    Array((text + [UInt8](repeating: 0, count: 30)).prefix(30))
  }

  /// A block of Vorbis comments of a FLAC file that is not the last block.
  static func vorbisBlock(_ comments: [String]) -> [UInt8] {
    var body = little(0) + little(comments.count)
    for comment in comments { body += little(comment.utf8.count) + Array(comment.utf8) }
    return [4] + big(body.count).dropFirst() + body
  }

  /// Four bytes, the most significant first.
  static func big(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func little(_ value: Int) -> [UInt8] { big(value).reversed() }
}
