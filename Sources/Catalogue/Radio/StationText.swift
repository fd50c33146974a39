// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

// Shoutcast never said in which encoding a station writes. Today it is UTF-8; old sources write what
// their Windows does, whose code page 1252 is Latin-1 but for 27 characters in 0x80-0x9F. Text in
// Windows-1252 with an accent in it is practically never valid UTF-8, so the bytes tell.

/// What a station writes, as text for people.
public enum StationText {
  /// The characters of Windows-1252 from 0x80 to 0x9F; its five gaps are replacement characters.
  /// Source: the WHATWG's Encoding standard, index windows-1252.
  private static let windows1252: [Unicode.Scalar] = Array(
    """
    €\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\
    \u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ
    """.unicodeScalars)

  /// Reads a text on one line: UTF-8, else Windows-1252.
  ///
  /// - Parameters:
  ///   - bytes: What came; a byte order mark is dropped.
  ///   - limit: The longest result in bytes of UTF-8; what is longer is cut at a character.
  /// - Returns: The text without white space at its ends, control characters being spaces.
  public static func decode(
    _ bytes: some Collection<UInt8>, limit: Int = StreamTitle.maximumLength
  ) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text(of: Array(bytes)).unicodeScalars {
      scalars.append(isControl(scalar) ? " " : scalar)
    }
    return cut(trimmed(scalars), limit: limit)
  }

  /// Tells the artist from the title in the form that nearly every station uses.
  ///
  /// - Parameter text: "Artist - Title", or anything else.
  /// - Returns: Both, or the whole text as the title.
  public static func split(_ text: String) -> StreamTitle {
    let line = text.unicodeScalars
    let separators: [[Unicode.Scalar]] = [[" ", "-", " "], [" ", "–", " "]]
    for separator in separators {
      var start = line.startIndex
      while let end = line.index(start, offsetBy: 3, limitedBy: line.endIndex) {
        if line[start..<end].elementsEqual(separator) {
          let artist = trimmed(line[..<start])
          let title = trimmed(line[end...])
          guard !artist.isEmpty, !title.isEmpty else { break }
          return StreamTitle(artist: artist, title: title)
        }
        start = line.index(after: start)
      }
    }
    return StreamTitle(title: trimmed(line[...]))
  }

  private static func text(of bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(
      String.UnicodeScalarView(
        bytes.map { byte in
          (0x80..<0xA0).contains(byte) ? windows1252[Int(byte) - 0x80] : Unicode.Scalar(byte)
        }))
  }

  /// General categories Cc, Zl and Zp, and the byte order mark.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xFEFF: true
    default: false
    }
  }

  private static func trimmed(
    _ text: some BidirectionalCollection<Unicode.Scalar>
  ) -> String {
    var kept = String.UnicodeScalarView()
    kept.append(contentsOf: text.drop { $0.properties.isWhitespace })
    while kept.last?.properties.isWhitespace == true { kept.removeLast() }
    return String(kept)
  }

  private static func cut(_ text: String, limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var kept = String.UnicodeScalarView()
    var length = 0
    for scalar in text.unicodeScalars {
      length += UTF8.width(scalar)
      guard length <= limit else { break }
      kept.append(scalar)
    }
    return String(kept)
  }
}
