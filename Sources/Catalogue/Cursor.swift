// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// A cursor says after which item a page begins, by what the list is sorted by, so that items which
// come or go meanwhile neither repeat nor hide others. For whoever holds one it is an opaque word:
// base64url (RFC 4648 section 5) without padding of
//
//   byte 0     1, the version of this form
//   bytes 1-4  which list it belongs to, little-endian
//   byte 5     the section of the list (lists of search results have several)
//   bytes 6-13 the number of the item, little-endian
//   then       the sort key, UTF-8, at most 4,096 bytes

/// Where a page of a list begins.
public struct Cursor: Sendable, Hashable {
  private static let version: UInt8 = 1
  private static let headLength = 14
  /// The longest key; those of `SortKey` are shorter.
  static let longestKey = 4_096

  /// Which list it belongs to.
  public var list: UInt32
  /// The section of the list.
  public var section: UInt8
  /// The number of the item before the page.
  public var id: Int64
  /// The sort key of that item.
  public var key: String

  /// A cursor.
  ///
  /// - Parameters:
  ///   - list: What tells the list from others, in any words.
  ///   - section: The section of the list.
  ///   - key: The sort key of the item before the page.
  ///   - id: The number of that item.
  public init(list: String, section: UInt8 = 0, key: String, id: Int64) {
    self.list = Self.digest(list)
    (self.section, self.key, self.id) = (section, key, id)
  }

  /// The cursor as a word.
  public var text: String {
    var bytes: [UInt8] = [Self.version]
    for shift in stride(from: 0, to: 32, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: list >> shift))
    }
    bytes.append(section)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: id >> shift))
    }
    bytes += key.utf8.prefix(Self.longestKey)
    return Base64URL.encode(bytes)
  }

  /// Reads a word; nil when it is none, or of another list.
  ///
  /// - Parameters:
  ///   - text: The word.
  ///   - list: The list that it must belong to.
  public init?(_ text: String, list: String) {
    guard text.utf8.count <= 2 * Self.longestKey, let bytes = Base64URL.decode(text),
      bytes.count >= Self.headLength, bytes.count <= Self.headLength + Self.longestKey,
      bytes[0] == Self.version
    else { return nil }
    self.list = bytes[1..<5].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    section = bytes[5]
    id = bytes[6..<14].reversed().reduce(0) { $0 << 8 | Int64($1) }
    key = String(decoding: bytes[14...], as: UTF8.self)
    guard self.list == Self.digest(list) else { return nil }
  }

  private static func digest(_ list: String) -> UInt32 {
    let value = PathDigest(list).value
    return UInt32(truncatingIfNeeded: value ^ value >> 32)
  }
}

/// Base64 with the alphabet for addresses, without padding (RFC 4648 section 5).
enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt32($0)) })

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let group = rest.prefix(3)
      rest = rest.dropFirst(3)
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
      for place in 0...group.count {
        text.append(alphabet[Int(bits >> (18 - 6 * place) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for other letters, and for a length that no bytes have.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let group = rest.prefix(4)
      rest = rest.dropFirst(4)
      guard group.count > 1 else { return nil }
      var bits: UInt32 = 0
      for letter in group {
        guard let value = values[letter] else { return nil }
        bits = bits << 6 | value
      }
      bits <<= 6 * UInt32(4 - group.count)
      for place in 0..<group.count - 1 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(place))))
      }
    }
    return bytes
  }
}
