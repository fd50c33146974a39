// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

extension RawTags {
  /// Bits in a millisecond of MP3: 8 to 320 kb/s (ISO 11172-3 and 13818-3), and some for tags
  /// among the frames.
  private static let plausibleRates: ClosedRange<Int64> = 7...400

  /// Whether so many bytes can sound for so long: the header of an MP3 file may be another's.
  var hasPlausibleLength: Bool {
    guard let soundBytes, milliseconds > 0 else { return true }
    return Self.plausibleRates.contains(soundBytes * 8 / milliseconds)
  }
}

/// Numbers as people and programs write them into tags.
enum TagNumbers {
  /// A place in a row, and the length of the row: "3", "03", "3/12", "3 of 12".
  ///
  /// - Returns: Each from 1 to 99,999, or nil: 0 is how programs write "none".
  static func place(_ text: String) -> (number: Int?, total: Int?) {
    var numbers: [Int?] = []
    for word in text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) {
      numbers.append(Int(word).flatMap { (1...99_999).contains($0) ? $0 : nil })
    }
    // "B3" is a place on a record's side, no number in a row.
    guard text.first?.isNumber == true, let first = numbers.first else {
      return (nil, text.hasPrefix("/") ? numbers.first ?? nil : nil)
    }
    return (first, numbers.count > 1 ? numbers[1] : nil)
  }

  /// The year in a date of any order: four digits that stand by themselves, or lead a longer row
  /// ("20030501"). "0000" is none.
  static func year(_ text: String) -> Int? {
    for word in text.split(whereSeparator: { !$0.isASCII || !$0.isNumber }) {
      guard word.count == 4 || word.count == 8 || word.count == 14 else { continue }
      guard let year = Int(word.prefix(4)), year > 0 else { continue }
      return year
    }
    return nil
  }

  /// Whether a flag is set: "1", "true", "yes".
  static func flag(_ text: String) -> Bool {
    if let number = Int(text) { return number != 0 }
    return ["true", "yes"].contains(text.lowercased())
  }

  /// The number that a text begins with, such as "-6.25 dB" or "+1,5 dB".
  static func decimal(_ text: String) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) }
    let plain = String(digits.map { $0 == "," ? "." : $0 })
    guard let number = Double(plain), number.isFinite else { return nil }
    return number
  }
}
