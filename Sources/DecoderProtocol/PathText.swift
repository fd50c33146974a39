// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// File names of Linux are bytes; texts of Swift are Unicode. A name that is valid UTF-8 is its own
// text. Every other byte b (0x80...0xFF) becomes the scalar U+10FF00 + b, so that text and bytes can
// be told from each other everywhere: in pipes, documents and SQLite. Those scalars belong to a
// private plane that no font or keyboard has; where a name really contains one, its four bytes are
// escaped one by one, so that the way back is always unique.
//
// No two names have the same text, though Swift compares texts by canonical equivalence: "é" as one
// scalar and "e" with an accent are equal Strings and two files. Compare `utf8` where that matters.

/// The texts of file names, whatever their bytes.
public enum PathText {
  /// The scalar that stands for byte 0.
  private static let escapeBase: UInt32 = 0x10_FF00

  /// The text of a file name or path.
  ///
  /// - Parameter bytes: As the system gives them, without the NUL at the end.
  /// - Returns: A text that `bytes(of:)` turns into the very same bytes.
  public static func text(ofBytes bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self), !hasEscapes(text) { return text }
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      if let scalar = leadingScalar(of: rest), !isEscape(scalar) {
        text.unicodeScalars.append(scalar)
        rest = rest.dropFirst(UTF8.width(scalar))
      } else {
        text.unicodeScalars.append(escape(first))
        rest = rest.dropFirst()
      }
    }
    return text
  }

  /// The bytes of a path, for system calls.
  ///
  /// Only a NUL in the text gives a NUL here: check texts that come from people, not from folders.
  public static func bytes(of text: String) -> [UInt8] {
    guard hasEscapes(text) else { return Array(text.utf8) }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if isEscape(scalar) {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value - escapeBase))
      } else {
        bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
    }
    return bytes
  }

  /// The text as people should see it: what is no text is a replacement character.
  public static func display(_ text: String) -> String {
    guard hasEscapes(text) else { return text }
    return String(decoding: bytes(of: text), as: UTF8.self)
  }

  /// An escape begins with the byte 0xF4; hardly any other name has that.
  private static func hasEscapes(_ text: String) -> Bool {
    text.utf8.contains(0xF4) && text.unicodeScalars.contains(where: isEscape)
  }

  /// ASCII is never escaped: no text can smuggle in a slash or a NUL.
  private static func isEscape(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= escapeBase + 0x80
  }

  private static func escape(_ byte: UInt8) -> Unicode.Scalar {
    Unicode.Scalar(escapeBase + UInt32(byte)) ?? "\u{FFFD}"
  }

  /// The scalar that the bytes begin with, unless they are no UTF-8 there.
  private static func leadingScalar(of bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    var iterator = bytes.prefix(4).makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
    return scalar
  }
}
