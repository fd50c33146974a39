// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DecoderProtocol
internal import SQLiteDatabase

/// Lists of names in one column.
enum StoredNames {
  private static let separator: Character = "\u{1F}"

  static func text(_ names: [String]) -> String { names.joined(separator: String(separator)) }

  static func names(_ text: String?) -> [String] {
    guard let text, !text.isEmpty else { return [] }
    return text.split(separator: separator).map(String.init)
  }
}

/// What songs are listed under.
enum HeadingRole: Int64, Sendable, CaseIterable {
  case artist = 1
  case composer = 2
  case genre = 3

  /// The word that search has for it.
  var word: String { "r\(rawValue)" }
}

extension TrackTags.Kind {
  /// The word that search has for it.
  var word: String { "k\(rawValue)" }

  init(stored: Int64?) {
    self = stored.flatMap { UInt8(exactly: $0) }.flatMap(Self.init(rawValue:)) ?? .song
  }
}

extension String {
  /// Nil when there is nothing in it: NULL costs a byte.
  var orNil: String? { isEmpty ? nil : self }
}
