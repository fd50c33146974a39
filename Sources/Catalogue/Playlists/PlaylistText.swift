// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DecoderProtocol

/// The lines of a playlist's file, whatever wrote it.
///
/// UTF-8 with or without a byte order mark, UTF-16 with one; lines end with LF, CRLF or CR. A line
/// that is no UTF-8 is taken for Latin-1, which is what old programs wrote.
struct PlaylistText {
  /// A line without its end and without white space around it.
  struct Line {
    let bytes: ArraySlice<UInt8>

    /// The line for people: one line, no control characters.
    var text: String { PlaylistText.decoded(bytes) }
  }

  /// The longest line that counts: PATH_MAX of Linux and a title.
  static let longestLine = 8_192

  let lines: [Line]

  init(_ bytes: [UInt8], mostLines: Int) {
    let bytes = Self.utf8(bytes)
    var lines: [Line] = []
    var start = bytes.startIndex
    for index in bytes.indices where bytes[index] == 0x0A || bytes[index] == 0x0D {
      if let line = Self.line(bytes[start..<index]) { lines.append(line) }
      start = index + 1
      guard lines.count < mostLines else { break }
    }
    if lines.count < mostLines, start < bytes.endIndex, let last = Self.line(bytes[start...]) {
      lines.append(last)
    }
    self.lines = lines
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> Line? {
    let bytes = trimmed(bytes)
    return bytes.isEmpty || bytes.count > longestLine || bytes.contains(0)
      ? nil : Line(bytes: bytes)
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes.drop { $0 == 0x20 || $0 == 0x09 }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes = bytes.dropLast() }
    return bytes
  }

  private static func utf8(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return bytes.dropFirst(3) }
    let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
    guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return bytes[...] }
    let units: [UInt16] = stride(from: 2, to: bytes.count - 1, by: 2).map { index in
      let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)[...]
  }

  /// UTF-8, else Latin-1, on one line.
  static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      line.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(line)
  }
}
