// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// A word such as `album:Abbey Road`, `album:id:12` or `songs:`, which names something of the library.
enum LibraryWord {
  /// What such words begin with.
  static let prefixes = LibraryReference.Kind.allCases.map { $0.rawValue + ":" }

  /// What a word names; nil when it is none of these words.
  static func reference(_ word: String) -> LibraryReference? {
    for kind in LibraryReference.Kind.allCases where word.hasPrefix(kind.rawValue + ":") {
      let rest = word.dropFirst(kind.rawValue.count + 1)
      if kind == .songs { return rest.isEmpty ? LibraryReference(.songs) : nil }
      if rest.hasPrefix("id:"), let id = Int64(rest.dropFirst(3)) {
        return LibraryReference(kind, .id(id))
      }
      return rest.isEmpty ? nil : LibraryReference(kind, .name(String(rest)))
    }
    return nil
  }
}
