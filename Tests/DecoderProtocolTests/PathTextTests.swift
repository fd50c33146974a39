// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import Testing

@Suite struct PathTextTests {
  @Test func `a name in UTF-8 is its own text`() {
    for name in ["/music/a.mp3", "Ärger", "日本語", "🎼", "e\u{301}", "\u{10F400}", "a\nb", ""] {
      #expect(Array(PathText.text(ofBytes: Array(name.utf8)).utf8) == Array(name.utf8))
      #expect(PathText.bytes(of: name) == Array(name.utf8))
      #expect(PathText.display(name) == name)
    }
  }

  @Test func `a name in Latin-1 keeps its bytes and shows as a replacement`() {
    let bytes = Array("na".utf8) + [0xEF] + Array("ve.mp3".utf8)
    let text = PathText.text(ofBytes: bytes)
    #expect(text == "na\u{10FFEF}ve.mp3")
    #expect(PathText.bytes(of: text) == bytes)
    #expect(PathText.display(text) == "na\u{FFFD}ve.mp3")
  }

  @Test func `a name that contains an escape is escaped`() {
    for name in ["\u{10FFEF}", "\u{10FF80}x", "\u{10FFFF}\u{10FFFE}"] {
      let text = PathText.text(ofBytes: Array(name.utf8))
      #expect(text != name)
      #expect(PathText.bytes(of: text) == Array(name.utf8))
      #expect(PathText.display(text) == name)
    }
  }

  /// Parts of which names are made that hold every kind of trouble.
  static let parts: [[UInt8]] = [
    [0x61], [0x2F], [0x80], [0xBF], [0xC3], [0xC3, 0xA9], [0xE2, 0x82], [0xE2, 0x82, 0xAC],
    [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x8E, 0xBC], [0xF4], [0xF4, 0x8F, 0xBF, 0xAF],
    [0xF4, 0x8F, 0xBC, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xC0, 0xAF],
  ]

  @Test(arguments: parts.indices)
  func `bytes of any kind, one after the other, come back`(first: Int) {
    for second in Self.parts {
      for third in Self.parts {
        let bytes = Self.parts[first] + second + third
        let text = PathText.text(ofBytes: bytes)
        #expect(PathText.bytes(of: text) == bytes)
      }
    }
  }

  @Test(arguments: 0..<UInt64(20))
  func `random bytes come back, and no two names have one text`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    var texts: [[UInt8]: [UInt8]] = [:]
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        UInt8.random(in: 1...255, using: &random)
      }
      let text = PathText.text(ofBytes: bytes)
      #expect(PathText.bytes(of: text) == bytes)
      #expect(texts.updateValue(bytes, forKey: Array(text.utf8)).map { $0 == bytes } ?? true)
    }
  }

  @Test func `no text smuggles in a slash or a NUL`() {
    for text in ["\u{10FF2F}", "\u{10FF00}", "\u{10FF7F}"] {
      #expect(PathText.bytes(of: text) == Array(text.utf8))
      #expect(PathText.text(ofBytes: Array(text.utf8)) == text)
    }
  }
}
