// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Finds what somebody probably meant to type.
public enum Suggestion {
  /// Beyond a third of the word's length (at least one slip) a guess is more noise than help.
  private static func tolerance(_ word: String) -> Int { max(1, word.count / 3) }

  /// The choice closest to `word`: one that it begins, or the fewest slips away.
  ///
  /// - Parameters:
  ///   - word: What was typed.
  ///   - choices: What would have been right.
  /// - Returns: The closest choice; nil when none is close.
  public static func closest(to word: String, among choices: [String]) -> String? {
    let beginnings = choices.filter { word.count >= 3 && $0.hasPrefix(word) }
    if let only = beginnings.first, beginnings.count == 1 { return only }

    let limit = tolerance(word)
    let ranked = choices.map { (distance: distance($0, word), choice: $0) }
    let best = ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }
    return best?.choice
  }

  /// Slips between two words: letters added, dropped, replaced or two neighbours swapped
  /// (optimal string alignment, three rows at a time).
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        let replaced = previous[j] + (a[i] == b[j] ? 0 : 1)
        var best = min(previous[j + 1] + 1, row[j] + 1, replaced)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforePrevious[j - 1] + 1)
        }
        row.append(best)
      }
      beforePrevious = previous
      previous = row
    }
    return previous[b.count]
  }
}
