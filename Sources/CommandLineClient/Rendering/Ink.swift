// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What the terminal can show: colours, and letters beyond ASCII.
struct Ink: Equatable {
  /// How a piece of text is to look.
  enum Paint: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case good = "32"
    case fair = "33"
    case bad = "31"
  }

  var usesColour = false
  var usesUnicode = false

  /// The text, with what the terminal needs around it; nothing where there are no colours.
  func paint(_ text: String, _ paint: Paint) -> String {
    guard usesColour, paint != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m"
  }

  /// Microseconds: "µs", or "us" where only ASCII is known.
  var micro: String { usesUnicode ? "\u{B5}s" : "us" }
  /// Plus or minus.
  var plusMinus: String { usesUnicode ? "\u{B1}" : "+-" }
}
