// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// 64 bits that stand for a path or a name: FNV-1a over its bytes.
///
/// Not `String`'s own hash: that takes "e" with a combining accent for the one-character form, and
/// to Linux they are two files. With a million files the chance that any two share a digest is
/// 3 in 100 million.
struct PathDigest: Sendable, Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The digest of a text.
  init(_ text: some StringProtocol) { combine(text) }

  /// The digest of a name within what another digest stands for.
  init(_ name: some StringProtocol, in folder: PathDigest) {
    value = folder.value
    combine("/")
    combine(name)
  }

  private mutating func combine(_ text: some StringProtocol) {
    for byte in text.utf8 { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }
}
