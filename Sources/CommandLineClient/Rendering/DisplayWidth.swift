// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// How many columns a terminal gives to text (Unicode Standard Annex 11; Markus Kuhn's wcwidth): two to
// East Asian wide characters and to emoji, none to marks that sit on others, one to the rest. The
// order in which right-to-left letters are drawn does not change how many columns they take.

/// Text measured in columns of a terminal.
enum DisplayWidth {
  /// Columns that the text takes; control characters, which nothing here prints, take none.
  static func columns(_ text: some StringProtocol) -> Int {
    text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
      ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
  }

  /// Columns of one character as a reader sees it.
  static func columns(_ character: Character) -> Int {
    let scalars = character.unicodeScalars
    // A picture is as wide as its widest part, however many it is joined of.
    if scalars.contains(where: { $0.properties.isEmojiPresentation || $0 == variationSelector16 }) {
      return 2
    }
    return scalars.reduce(0) { $0 + columns($1) }
  }

  /// As much of the text's beginning as fits into `columns`.
  static func prefix(_ text: some StringProtocol, _ columns: Int) -> String {
    var left = columns
    var end = text.startIndex
    while end < text.endIndex {
      left -= self.columns(text[end])
      if left < 0 { break }
      end = text.index(after: end)
    }
    return String(text[..<end])
  }

  /// The text with what a terminal or a reader's eye could take for more than text removed: control
  /// characters (escape sequences in a title), and the marks that turn the direction of what follows.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if !isHarmful(scalar) {
        clean.append(scalar)
      } else if scalar.value < 0x20 {
        clean.append(" ")
      }
    }
    return String(clean)
  }

  private static let variationSelector16: Unicode.Scalar = "\u{FE0F}"

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0, DEL and C1; line and paragraph separators; embeddings, overrides and isolates (UAX 9).
    case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: true
    default: false
    }
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20..<0x7f: return 1
    case 0..<0x20, 0x7f..<0xa0: return 0
    // Vowels and finals that join the syllable before them.
    case 0x1160...0x11ff, 0xd7b0...0xd7ff: return 0
    case 0xad: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(scalar.value) ? 2 : 1
    }
  }

  /// East_Asian_Width W and F outside of emoji, in blocks.
  private static func isWide(_ value: UInt32) -> Bool {
    guard value >= 0x1100 else { return false }
    return wide.contains { $0.contains(value) }
  }

  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115f, 0x2329...0x232a, 0x2e80...0x303e, 0x3041...0x3247, 0x3250...0x4dbf,
    0x4e00...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
    0xfe30...0xfe6f, 0xff01...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff,
    0x1f200...0x1f2ff, 0x20000...0x2fffd, 0x30000...0x3fffd,
  ]
}
