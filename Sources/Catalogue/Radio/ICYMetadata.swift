// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

// What Shoutcast put into MP3 radio, and everybody has copied since. A listener who sends
// "Icy-MetaData: 1" is answered with "icy-metaint: N", and then gets
//
//   N bytes of sound | 1 byte n | 16 n bytes of metadata, padded with zeros | N bytes of sound | ...
//
// in which n = 0 means that nothing has changed. The metadata is
//
//   StreamTitle='Artist - Title';StreamUrl='http://...';
//
// without any escape for a quote inside, so that a value ends where "';" does.

/// Metadata of Shoutcast and Icecast.
public enum ICYMetadata {
  /// The longest block: 255 units of 16 bytes.
  public static let maximumLength = 255 * 16

  /// What plays, as one block says.
  ///
  /// - Parameter block: The bytes of a block, with or without its padding.
  /// - Returns: The title, empty between two pieces; nil when the block does not speak of it.
  public static func title(in block: [UInt8]) -> StreamTitle? {
    let block = block.prefix(maximumLength).prefix { $0 != 0 }
    guard let start = range(of: "StreamTitle='", in: block)?.upperBound else { return nil }
    return StationText.split(StationText.decode(value(in: block[start...])))
  }

  /// The bytes before the quote that ends a value: the one before a semicolon behind which there is
  /// nothing, or another field. A block cut short ends somewhere.
  private static func value(in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    for quote in rest.indices where rest[quote...].starts(with: "';".utf8) {
      let behind = rest[(quote + 2)...].drop { $0 == 0x20 }
      let field = behind.prefix(while: isName)
      let isField = !field.isEmpty && behind[field.endIndex...].starts(with: "='".utf8)
      if behind.isEmpty || isField { return rest[..<quote] }
    }
    return rest.last == UInt8(ascii: "'") ? rest.dropLast() : rest
  }

  private static func isName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased(byte))
  }

  /// Where an ASCII word is, its case aside.
  private static func range(of word: StaticString, in bytes: ArraySlice<UInt8>) -> Range<Int>? {
    let word = "\(word)".utf8.map(lowercased)
    guard bytes.count >= word.count else { return nil }
    for start in bytes.startIndex...(bytes.endIndex - word.count) {
      let range = start..<start + word.count
      if bytes[range].lazy.map(lowercased).elementsEqual(word) { return range }
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }
}

/// What a station says about itself before it plays.
public struct StationHeaders: Sendable, Hashable {
  /// Its name; "" when it does not say.
  public var name = ""
  /// What it plays, such as "Jazz".
  public var genre = ""
  /// Kilobits a second; 0 when it does not say.
  public var kilobitsPerSecond = 0

  /// Reads the `icy-` headers of an answer.
  ///
  /// - Parameter lines: "icy-name: Radio", one a line; others are passed over.
  public init(_ lines: [UInt8]) {
    for line in lines.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).prefix(64) {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
      let value = StationText.decode(line[(colon + 1)...])
      switch String(decoding: line[..<colon], as: UTF8.self).lowercased() {
      case "icy-name": name = value
      case "icy-genre": genre = value
      // Several numbers ("128, 128") have been seen.
      case "icy-br": kilobitsPerSecond = Int(value.prefix { ("0"..."9").contains($0) }) ?? 0
      default: continue
      }
    }
    // Nothing on this planet sends more; a wrong number is none.
    if !(0...100_000).contains(kilobitsPerSecond) { kilobitsPerSecond = 0 }
  }
}
