// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Files of plain text whose encoding nobody wrote down: lyrics.
public enum PlainText {
  /// Reads bytes as text: UTF-8 or UTF-16 with a byte-order mark, else UTF-8 when they are valid, else
  /// Latin-1, which every text of an older Windows program is at least nearly.
  ///
  /// - Parameter bytes: The whole file.
  /// - Returns: The text, lines ending with "\n", without NULs.
  public static func text(ofBytes bytes: [UInt8]) -> String {
    var text = ""
    var previous: Unicode.Scalar = " "
    for scalar in decoded(bytes).unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\0": continue
      case "\r": text.unicodeScalars.append("\n")
      case "\n" where previous == "\r": continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  private static func decoded(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return String(decoding: bytes.dropFirst(3), as: UTF8.self)
    }
    if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2), highByte: 1) }
    if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2), highByte: 0) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    // A long file that was cut at a bound may end within a character.
    let head = bytes.prefix(bytes.lastIndex { $0 >= 0xC0 } ?? 0)
    if bytes.count > 1_000, bytes.count - head.count < 4,
      let text = String(validating: head, as: UTF8.self)
    {
      return text
    }
    var text = ""
    for byte in bytes { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }

  private static func wide(_ bytes: ArraySlice<UInt8>, highByte: Int) -> String {
    var units: [UInt16] = []
    var rest = bytes
    while rest.count >= 2 {
      let pair = [rest.removeFirst(), rest.removeFirst()]
      units.append(UInt16(pair[highByte]) << 8 | UInt16(pair[1 - highByte]))
    }
    return String(decoding: units, as: UTF16.self)
  }
}
