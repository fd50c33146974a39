// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Catalogue

/// Files that are read as a whole: playlists and lyrics.
enum SmallFile {
  /// Some ten thousand entries.
  static let longestPlaylist = 1 << 20
  /// No song has more words; as much as embedded lyrics may have.
  static let longestLyrics = 65_535

  /// What a regular file holds; blocks on the disk.
  ///
  /// - Parameters:
  ///   - path: A `PathText`.
  ///   - limit: The most bytes that are read.
  /// - Returns: Its first bytes; nil when it cannot be read or is no regular file.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = tutti_read_regular(CPath.of(path), &bytes, UInt64(limit))
    guard count >= 0 else { return nil }
    return Array(bytes[..<Int(count)])
  }

  /// The text of a file of lyrics.
  static func lyrics(_ path: String) -> String? {
    read(path, limit: longestLyrics).map(PlainText.text(ofBytes:)).flatMap { $0.isEmpty ? nil : $0 }
  }
}
