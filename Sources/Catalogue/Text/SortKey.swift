// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DecoderProtocol

// A name becomes a key whose bytes are in the order in which people look for names:
//
//   "The Beatles"   -> beatles          a leading article is no part of the order
//   "Ágætis byrjun" -> agaetis byrjun   case and accents are none
//   "Track 10"      -> track 0210       after "track 019": numbers count as numbers
//   "AC/DC"         -> ac dc            signs only part words; apostrophes not even that
//   "?!"            -> !?!              of signs only: before all else
//
// A run of digits becomes "0", the number of its digits as one letter ("1" for one digit), and the
// digits, so that fewer digits come first. Numbers come before letters, other alphabets after Latin.

/// The order of names.
public enum SortKey {
  /// Words that do not count at the beginning of a name. Names in other languages have sort names.
  static let articles: Set<String> = ["the", "a", "an"]

  /// The key of a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - sortName: How its file says it is to be sorted; empty when it does not.
  /// - Returns: A text to be compared byte by byte; empty only for empty names.
  public static func key(of name: String, sortName: String = "") -> String {
    let source = sortName.isEmpty ? name : sortName
    let words = SearchText.words(of: source)
    guard !words.isEmpty else {
      let folded = TextFolding.fold(source)
      return folded.isEmpty ? "" : bounded("!" + folded)
    }
    return bounded(withoutArticle(words).map(withNumbers).joined(separator: " "))
  }

  /// The most bytes of a key: whoever has read so far knows.
  static let longest = 512

  private static func bounded(_ key: String) -> String {
    guard key.utf8.count > longest else { return key }
    var short = ""
    for scalar in key.unicodeScalars where short.utf8.count <= longest - 4 {
      short.unicodeScalars.append(scalar)
    }
    return short
  }

  /// The key of a file's name: as of a name, but its first word always counts.
  static func key(ofFile path: String) -> String {
    let words = SearchText.words(of: PathText.display(FilePath.name(of: path)))
    return bounded(words.map(withNumbers).joined(separator: " "))
  }

  /// The words without a leading article, unless it is all there is.
  static func withoutArticle(_ words: [String]) -> ArraySlice<String> {
    words.count > 1 && articles.contains(words[0]) ? words.dropFirst() : words[...]
  }

  /// The longest number whose size counts; longer ones are compared by their first digits.
  private static let longestNumber = 60

  private static func withNumbers(_ word: String) -> String {
    guard word.utf8.contains(where: isDigit) else { return word }
    var key: [UInt8] = []
    var rest = Array(word.utf8)[...]
    while let first = rest.first {
      guard isDigit(first) else {
        key.append(first)
        rest = rest.dropFirst()
        continue
      }
      let digits = rest.prefix(while: isDigit)
      let number = digits.drop { $0 == UInt8(ascii: "0") }
      key += [UInt8(ascii: "0"), UInt8(ascii: "0") + UInt8(min(number.count, longestNumber))]
      key += number
      rest = rest.dropFirst(digits.count)
    }
    return String(decoding: key, as: UTF8.self)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// The letter under which a key stands in an index beside the list.
  ///
  /// - Parameter key: A key from ``key(of:sortName:)``.
  /// - Returns: A capital letter; `#` for numbers and signs; `…` for scripts with too many signs
  ///   to list (Chinese, Japanese, Korean and whatever else lies there).
  public static func indexLetter(of key: String) -> String {
    guard let first = key.unicodeScalars.first, first.properties.isAlphabetic else { return "#" }
    // From the CJK radicals on.
    guard first.value < 0x2E80 else { return "…" }
    return first.properties.uppercaseMapping
  }
}
