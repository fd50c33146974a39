// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import Testing

@Suite struct ICYMetadataTests {
  static let blocks: [(String, StreamTitle?)] = [
    ("StreamTitle='Miles Davis - So What';StreamUrl='http://x/';", title("Miles Davis", "So What")),
    ("StreamTitle='Miles Davis - So What';", title("Miles Davis", "So What")),
    ("StreamTitle='A - B - C';", title("A", "B - C")),
    ("StreamTitle='News at ten';StreamUrl='';", title("", "News at ten")),
    ("StreamTitle='';StreamUrl='';", title("", "")),
    ("StreamTitle=' - ';", title("", "-")),
    ("StreamTitle='Artist - ';", title("", "Artist -")),
    ("StreamTitle=' - Title';", title("", "- Title")),
    ("StreamTitle='AC-DC - T.N.T';", title("AC-DC", "T.N.T")),
    ("StreamTitle='Sigur Rós – Hoppípolla';", title("Sigur Rós", "Hoppípolla")),
    ("StreamTitle='Guns N' Roses - Don't Cry';StreamUrl='';", title("Guns N' Roses", "Don't Cry")),
    ("StreamTitle='It';s - odd';StreamUrl='';", title("It';s", "odd")),
    ("StreamTitle='X - Y';adw_ad='true';", title("X", "Y")),
    ("StreamUrl='http://x/';StreamTitle='X - Y';", title("X", "Y")),
    ("streamtitle='X - Y';", title("X", "Y")),
    ("StreamTitle='X - Y", title("X", "Y")),
    ("StreamTitle='X - Y'", title("X", "Y")),
    ("StreamTitle='two\nlines\t- here';", title("two lines", "here")),
    ("StreamUrl='http://x/';", nil),
    ("StreamTitle=", nil),
    ("", nil),
  ]

  private static func title(_ artist: String, _ title: String) -> StreamTitle {
    StreamTitle(artist: artist, title: title)
  }

  @Test(arguments: blocks)
  func `a block says what plays`(text: String, expected: StreamTitle?) {
    let bytes = Array(text.utf8)
    #expect(ICYMetadata.title(in: bytes) == expected)
    let padded = bytes + Array(repeating: 0, count: 16 - bytes.count % 16)
    #expect(ICYMetadata.title(in: padded) == expected)
  }

  @Test func `what is no UTF-8 is Windows-1252`() {
    let block = Array(
      "StreamTitle='M\u{F6}tley \u{80} - x';".unicodeScalars.map { UInt8($0.value) })
    #expect(ICYMetadata.title(in: block) == StreamTitle(artist: "Mötley €", title: "x"))
    #expect(StationText.decode([0x93, 0x41, 0x94, 0x81]) == "“A”\u{FFFD}")
    #expect(StationText.decode([0x80, 0x9F, 0xA0, 0xFF]) == "€Ÿ\u{A0}ÿ")
  }

  @Test func `a title without end is cut at a character`() {
    let block = Array("StreamTitle='".utf8) + Array(String(repeating: "é", count: 2_000).utf8)
    let title = ICYMetadata.title(in: block)
    #expect(title?.title == String(repeating: "é", count: StreamTitle.maximumLength / 2))
  }

  @Test func `headers say who plays`() {
    let text = "icy-name: Radio Zürich \r\nIcy-Genre:Jazz\nicy-br: 128, 128\nserver: x\n"
    let headers = StationHeaders(Array(text.utf8))
    #expect(headers.name == "Radio Zürich" && headers.genre == "Jazz")
    #expect(headers.kilobitsPerSecond == 128)
    for odd in ["", "icy-br", "icy-br:", "icy-br: -1", "icy-br: 99999999999999999999"] {
      #expect(StationHeaders(Array(odd.utf8)) == StationHeaders([]))
    }
  }

  @Test(arguments: 0..<UInt64(50))
  func `any block is read without harm`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let seeds = Self.blocks.map { Array($0.0.utf8) }
    for _ in 0..<200 {
      var block = seeds[Int(random.next() % UInt64(seeds.count))]
      for _ in 0..<random.next() % 8 {
        let byte = UInt8(truncatingIfNeeded: random.next())
        let place = block.isEmpty ? 0 : Int(random.next() % UInt64(block.count))
        switch random.next() % 3 {
        case 0: block.insert(byte, at: place)
        case 1: if !block.isEmpty { block[place] = byte }
        default: block += block.prefix(place)
        }
      }
      guard let title = ICYMetadata.title(in: block) else { continue }
      for text in [title.artist, title.title] {
        #expect(text.utf8.count <= StreamTitle.maximumLength)
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control })
      }
      _ = StationHeaders(block)
    }
  }
}
