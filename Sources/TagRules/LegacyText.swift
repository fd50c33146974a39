// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// 8-bit texts of files, whose encoding nothing tells or what tells it is wrong.
///
/// Text in another encoding is hardly ever valid UTF-8, so: UTF-8 if it is that, else Windows-1252,
/// which is ISO 8859-1 with letters where that has control characters. `CTagLib` does the same.
public enum LegacyText {
  /// The most likely text.
  public static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let letter = (0x80..<0xA0).contains(byte) ? letters[Int(byte) - 0x80] : Unicode.Scalar(byte)
      if letter != "\0" { text.append(letter) }
    }
    return String(text)
  }

  /// What 0x80 to 0x9F are in Windows-1252 (unicode.org, CP1252.TXT; NUL where it has nothing).
  private static let letters: [Unicode.Scalar] = [
    "€", "\0", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\0", "Ž", "\0",
    "\0", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\0", "ž", "Ÿ",
  ]
}
