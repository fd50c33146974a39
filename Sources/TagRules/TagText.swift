// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

/// What a text of a tag becomes before anybody shows it.
enum TagText {
  /// The text on one line: control characters and line ends are spaces, none at either end.
  static func line(_ text: String, limit: Int = DecoderFraming.maximumText) -> String {
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    let line = isPlain ? text : oneLine(text)
    return cut(trimmed(line), limit: limit)
  }

  /// Lyrics: lines end with "\n", nothing else controls anything.
  static func lyrics(_ text: String) -> String {
    var lines = ""
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n" where previous == "\r": break
      case "\r", "\n", "\u{2028}", "\u{2029}", "\u{85}": lines.unicodeScalars.append("\n")
      case "\t": lines.unicodeScalars.append(" ")
      default: if !isControl(scalar) { lines.unicodeScalars.append(scalar) }
      }
      previous = scalar
    }
    return cut(trimmed(lines), limit: TrackTags.maximumLyrics)
  }

  private static func oneLine(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { line.append(isControl(scalar) ? " " : scalar) }
    return String(line)
  }

  /// General categories Cc, Zl and Zp, and the byte order mark that some programs leave in front.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF: true
    default: false
    }
  }

  private static func trimmed(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let isText = { (scalar: Unicode.Scalar) in !scalar.properties.isWhitespace }
    guard let first = scalars.firstIndex(where: isText), let last = scalars.lastIndex(where: isText)
    else { return "" }
    return String(scalars[first...last])
  }

  private static func cut(_ text: String, limit: Int) -> String {
    let bytes = text.utf8
    guard bytes.count > limit else { return text }
    var end = bytes.index(bytes.startIndex, offsetBy: limit)
    // Continuation bytes are 10xxxxxx.
    while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
    return String(text[..<end])
  }
}
