// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import Catalogue

@Suite struct TextFoldingTests {
  @Test(arguments: [
    ("BJÖRK", "bjork"), ("Bjo\u{308}rk", "bjork"), ("Sigur Rós", "sigur ros"), ("Æon", "aeon"),
    ("Großstadt", "grossstadt"), ("Łódź", "lodz"), ("İstanbul", "istanbul"), ("Ørsted", "orsted"),
    ("Đorđe", "dorde"), ("Þórr", "thorr"), ("Ａｂｃ", "abc"), ("Don’t", "don't"),
    ("Ελλάδα", "ελλαδα"), ("ΟΔΟΣ", "οδοσ"), ("Ёлка", "елка"), ("Йога", "йога"), ("Việt", "viet"),
    ("東京", "東京"), ("ﬁn", "fin"), ("", ""),
  ])
  func `case and accents go, letters stay`(text: String, folded: String) {
    #expect(TextFolding.fold(text) == folded)
    #expect(Array(TextFolding.fold(text).utf8) == Array(folded.utf8))
  }

  @Test func `folding again changes nothing`() {
    for value in UInt32(0)...0x2FFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let once = TextFolding.fold(String(scalar))
      let twice = TextFolding.fold(once)
      #expect(Array(once.utf8) == Array(twice.utf8), "U+\(String(value, radix: 16))")
    }
  }
}

@Suite struct SearchTextTests {
  @Test(arguments: [
    ("Don't Stop (Remastered)", ["dont", "stop", "remastered"]),
    ("AC/DC", ["ac", "dc"]), ("  ", []), ("!!!", []), ("東京 Night", ["東", "京", "night"]),
    ("100% Pure", ["100", "pure"]), ("Sigur Rós", ["sigur", "ros"]),
  ])
  func `a text is its folded words`(text: String, words: [String]) {
    #expect(SearchText.words(of: text) == words)
  }

  @Test func `what only signs part is found in one piece too`() {
    #expect(SearchText.indexed("AC/DC Live") == "ac dc live acdc")
    #expect(SearchText.indexed("R.E.M.") == "r e m rem")
    #expect(SearchText.indexed("Plain Words") == "plain words")
    #expect(SearchText.indexed("東京") == "東 京")
  }

  @Test func `a beginning has no leading article`() {
    #expect(SearchText.beginning(of: "The Beatles") == "beatles")
    #expect(SearchText.beginning(of: "the bea") == "bea")
    #expect(SearchText.beginning(of: "The") == "the")
  }
}

@Suite struct SortKeyTests {
  @Test func `songs stand in the order in which people look for them`() {
    let inOrder = [
      "?!", "2 Become 1", "10cc", "99 Luftballons", "A", "Abba", "Ágætis byrjun", "The Beatles",
      "Björk", "bjork again", "Track 2", "Track 9 (live)", "Track 10", "TRACK 010b", "Zebra",
      "Ωmega", "Водка", "東京",
    ]
    let keys = inOrder.map { SortKey.key(of: $0) }
    for (first, second) in zip(keys, keys.dropFirst()) {
      #expect(first.utf8.lexicographicallyPrecedes(second.utf8), "\(first) < \(second)")
    }
  }

  @Test func `a sort name goes before the name`() {
    #expect(SortKey.key(of: "Elvis Presley", sortName: "Presley, Elvis") == "presley elvis")
    #expect(SortKey.key(of: "The The") == "the")
    #expect(SortKey.key(of: "A") == "a")
    #expect(SortKey.key(of: "A-ha") == "ha")
  }

  @Test func `numbers count as numbers`() {
    #expect(SortKey.key(of: "Track 007") == SortKey.key(of: "Track 7"))
    #expect(SortKey.key(of: "0") < SortKey.key(of: "1"))
    let long = String(repeating: "9", count: 5_000)
    #expect(SortKey.key(of: long).utf8.count <= SortKey.longest)
    #expect(SortKey.key(of: String(repeating: "é", count: 5_000)).utf8.count <= SortKey.longest)
    #expect(SortKey.key(of: String(repeating: "東", count: 5_000)).utf8.count <= SortKey.longest)
  }

  @Test(arguments: [
    ("Abba", "A"), ("Éire", "E"), ("99", "#"), ("?", "#"), ("Водка", "В"), ("東京", "…"),
    ("The Beatles", "B"),
  ])
  func `each name has a letter in the index`(name: String, letter: String) {
    #expect(SortKey.indexLetter(of: SortKey.key(of: name)) == letter)
  }
}
