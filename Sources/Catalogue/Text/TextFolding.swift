// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Upper and lower case, accents and typographic variants are how a name is written, not which name
// it is: "BJÖRK", "Björk" and "bjork" are one. Folding takes them away.
//
// The table is made at first use from the names that Unicode gives its letters: "LATIN SMALL LETTER
// E WITH ACUTE" is the letter "LATIN SMALL LETTER E" with something added. It covers the blocks of
// Latin, Greek and Cyrillic; letters that a name does not take apart are listed here. Marks that
// stand alone (the other way of writing an accent) fall out. Scripts without case or accents pass.

/// Takes away from a text how it is written.
public enum TextFolding {
  /// A text without case and accents.
  ///
  /// - Parameter text: Any text.
  /// - Returns: The text folded; folding it again changes nothing.
  public static func fold(_ text: String) -> String {
    var folded = ""
    folded.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars { append(scalar, to: &folded.unicodeScalars) }
    return folded
  }

  private static func append(_ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView) {
    if scalar.isASCII {
      let isUpper = (0x41...0x5A).contains(scalar.value)
      folded.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) + 0x20) : scalar)
    } else if let letters = table[scalar] {
      folded.append(contentsOf: letters.unicodeScalars)
    } else if !isMark(scalar) {
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      // A lower case of several scalars ends in marks ("İ"): the letter is what counts.
      guard let letter = lower.first else { return }
      if let letters = table[letter] {
        folded.append(contentsOf: letters.unicodeScalars)
      } else {
        folded.append(letter)
      }
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark: scalar.value < 0x0590 || scalar.value >= 0x1AB0
    default: false
    }
  }

  /// Letters with what they are folded to.
  private static let table: [Unicode.Scalar: String] = {
    var table = decomposed()
    table.merge(special) { _, special in special }
    for offset in UInt32(0)...0x5D {
      // Full-width forms of ASCII (U+FF01…).
      if let wide = Unicode.Scalar(0xFF01 + offset), let plain = Unicode.Scalar(0x21 + offset) {
        table[wide] = String(plain).lowercased()
      }
    }
    return table
  }()

  /// What the names of letters do not tell: ligatures, letters that stand for two, look-alikes.
  private static let special: [Unicode.Scalar: String] = [
    "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ß": "ss", "ẞ": "ss", "þ": "th", "Þ": "th",
    "ð": "d", "Ð": "d", "ı": "i", "ĳ": "ij", "Ĳ": "ij", "ŉ": "n", "ſ": "s", "ﬁ": "fi", "ﬂ": "fl",
    "ς": "σ", "ё": "е", "Ё": "е", "’": "'", "‘": "'", "ʼ": "'", "´": "'", "`": "'", "“": "\"",
    "”": "\"", "–": "-", "—": "-", "‐": "-", "‑": "-", "\u{A0}": " ",
  ]

  private static func decomposed() -> [Unicode.Scalar: String] {
    var byName: [String: Unicode.Scalar] = [:]
    var accented: [(Unicode.Scalar, base: String)] = []
    for block in [0x41...0x7A, 0xC0...0x24F, 0x370...0x52F, 0x1E00...0x1FFF]
      as [ClosedRange<UInt32>]
    {
      for value in block {
        guard let scalar = Unicode.Scalar(value), let name = scalar.properties.name else {
          continue
        }
        if let at = name.utf8.range(of: " WITH ") {
          accented.append((scalar, base: String(name[..<at])))
        } else {
          byName[name] = scalar
        }
      }
    }
    var table: [Unicode.Scalar: String] = [:]
    for (scalar, base) in accented {
      guard let letter = byName[base] else { continue }
      table[scalar] = special[letter] ?? letter.properties.lowercaseMapping
    }
    return table
  }
}

extension String.UTF8View {
  /// Where a short text begins that is in here.
  fileprivate func range(of needle: StaticString) -> Index? {
    let wanted = Array("\(needle)".utf8)
    var start = startIndex
    while let end = index(start, offsetBy: wanted.count, limitedBy: endIndex) {
      if self[start..<end].elementsEqual(wanted) { return start }
      start = index(after: start)
    }
    return nil
  }
}
