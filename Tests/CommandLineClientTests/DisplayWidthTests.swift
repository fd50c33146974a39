// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("Waltz", 5), ("Für Elise", 9), ("e\u{301}", 1), ("日本", 4), ("ｶﾀｶﾅ", 4), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("🎵", 2), ("❤", 1), ("❤️", 2), ("👨‍👩‍👧‍👦", 2), ("🇩🇪", 2),
    ("שלום", 4), ("مَرْحَبًا", 5), ("नमस्ते", 4), ("ก็", 1), ("a\u{200B}b", 2), ("，", 2), ("𠮷", 2),
  ])
  func `text is measured as terminals draw it`(text: String, columns: Int) {
    #expect(DisplayWidth.columns(text) == columns)
  }

  @Test func `text is cut between characters, never beyond the width`() {
    #expect(DisplayWidth.prefix("日本語", 5) == "日本")
    #expect(DisplayWidth.prefix("e\u{301}tude", 2) == "e\u{301}t")
    #expect(DisplayWidth.prefix("👨‍👩‍👧‍👦🎵", 3) == "👨‍👩‍👧‍👦")
    #expect(DisplayWidth.prefix("abc", 0) == "")
    #expect(DisplayWidth.prefix("abc", -1) == "")
  }

  @Test func `a title cannot steer the terminal`() {
    #expect(DisplayWidth.printable("a\u{1B}[2Jb\u{7}\nc\u{9B}5m") == "a [2Jb  c5m")
    #expect(DisplayWidth.printable("abc\u{202E}def\u{2066}") == "abcdef")
    #expect(DisplayWidth.printable("Für 日本 שלום") == "Für 日本 שלום")
  }
}

@Suite struct WideTextTests {
  private let names = ["キッチン", "Wohnzimmer 🎵🎵", "מטבח", "Ku\u{308}che"]

  private var rooms: [RoomDocument] {
    names.map {
      var room = SampleRooms.kitchen
      room.name = $0
      return room
    }
  }

  @Test(arguments: [1, 2, 10, 20, 40, 80, 200])
  func `no line is wider than the terminal, in any script`(columns: Int) {
    let text = StatusText(columns: columns, ink: SampleRooms.full)
    for line in text.rooms(rooms) {
      #expect(DisplayWidth.columns(line) <= max(10, columns), "\(line)")
    }
    for line in wrap("長い文章 " + names.joined(separator: " "), to: columns) {
      #expect(DisplayWidth.columns(line) <= max(2, columns), "\(line)")
    }
    let bar = UploadBar.line("長い名前.flac", sent: 5, total: 10, columns: columns)
    #expect(DisplayWidth.columns(bar) < max(2, columns), "\(bar)")
  }

  @Test func `columns of a table stand under each other`() {
    let lines = StatusText(columns: 80, ink: Ink()).rooms(rooms)
    let starts = lines.dropFirst().compactMap { line in
      line.firstRange(of: "playing").map { DisplayWidth.columns(line[..<$0.lowerBound]) }
    }
    #expect(starts.count == names.count)
    #expect(Set(starts).count == 1)
  }

  @Test func `the environment's width wins, nonsense does not`() {
    #expect(Terminal.columns(["COLUMNS": "72"]) == 72)
    for word in ["", "0", "-5", "x", "99999999"] {
      #expect(Terminal.columns(["COLUMNS": word]) == nil)
    }
    #expect(Terminal.columns([:]) == nil)
  }

  @Test func `colour and bars are for terminals that can show them`() {
    #expect(Terminal.isInteractive(["TERM": "xterm"], isTerminal: true))
    #expect(!Terminal.isInteractive(["TERM": "dumb"], isTerminal: true))
    #expect(!Terminal.isInteractive(["TERM": "xterm"], isTerminal: false))
    #expect(!Terminal.ink(["TERM": "xterm", "NO_COLOR": "1"], isInteractive: true).usesColour)
    #expect(!Terminal.ink([:], isInteractive: false).usesColour)
  }

  @Test func `a bar says what is sent and how far`() {
    #expect(
      UploadBar.line("a.flac", sent: 1, total: 2, columns: 80)
        == "sending a.flac [===============               ] 50 %")
    #expect(UploadBar.line("a.flac", sent: 0, total: 0, columns: 40) == "sending a.flac 0 %")
  }
}
