// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A list of identities as text: `7 1-4 9`, where `1-4` stands for 1 2 3 4.
///
/// Short where tracks stand as they came, which is nearly always, and readable with any tool.
enum OrderText {
  static func encode(_ ids: [UInt64]) -> String {
    var text = ""
    var start = ids.startIndex
    while start < ids.endIndex {
      var end = start
      while end + 1 < ids.endIndex, ids[end] < .max, ids[end + 1] == ids[end] + 1 { end += 1 }
      if !text.isEmpty { text += " " }
      text += String(ids[start])
      if end > start { text += "-" + String(ids[end]) }
      start = end + 1
    }
    return text
  }

  /// Reads a list; what is no number is left out.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - limit: The most identities that a list can have: one that claims more is damaged.
  /// - Returns: The identities, in order.
  static func decode(_ text: String, limit: Int) -> [UInt64] {
    var ids: [UInt64] = []
    for word in text.utf8.split(separator: UInt8(ascii: " ")) {
      let ends = word.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      guard let first = number(ends[0]), let last = ends.count > 1 ? number(ends[1]) : first,
        first <= last, last - first < UInt64(limit), ids.count < limit
      else { continue }
      ids += first...last
    }
    return ids
  }

  private static func number(_ digits: Substring.UTF8View.SubSequence) -> UInt64? {
    UInt64(Substring(digits))
  }
}
