// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Texts as they are searched: folded words.
public enum SearchText {
  /// The most words of a query that count.
  public static let mostWords = 16

  /// The words of a text, folded.
  ///
  /// Letters and digits make words; an apostrophe is no end of one ("don't" is `dont`). Signs of
  /// scripts that write no spaces (Chinese, Japanese) are words of their own.
  ///
  /// - Parameter text: Any text.
  /// - Returns: Its words in order.
  public static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    for scalar in TextFolding.fold(text).unicodeScalars {
      if isIdeograph(scalar) {
        if !word.isEmpty { words.append(word) }
        words.append(String(scalar))
        word = ""
      } else if isPartOfWord(scalar) {
        word.unicodeScalars.append(scalar)
      } else if scalar != "'", !word.isEmpty {
        words.append(word)
        word = ""
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// What is kept of a text for searching: its words, and once more in one piece those that only
  /// signs part, so that "acdc" finds "AC/DC" and "rem" finds "R.E.M.".
  ///
  /// - Parameter text: Any text.
  /// - Returns: Words with spaces between them.
  public static func indexed(_ text: String) -> String {
    var all = words(of: text)
    for chunk in text.split(whereSeparator: \.isWhitespace) {
      let parts = words(of: String(chunk))
      if parts.count > 1, !parts.contains(where: { $0.unicodeScalars.allSatisfy(isIdeograph) }) {
        all.append(parts.joined())
      }
    }
    return all.joined(separator: " ")
  }

  /// A name as what is typed is compared with its beginning: its words without a leading article.
  ///
  /// - Parameter text: A name, or what was typed.
  /// - Returns: Words with spaces between them.
  public static func beginning(of text: String) -> String {
    SortKey.withoutArticle(words(of: text)).joined(separator: " ")
  }

  private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
      return true
    default: return false
    }
  }

  /// Kana, CJK ideographs and their extensions: one sign, one word.
  private static func isIdeograph(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x3040...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF:
      true
    default: false
    }
  }
}
