// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DecoderProtocol

/// Writes playlists that every player reads: extended M3U in UTF-8, LF, absolute paths.
public enum PlaylistWriter {
  /// The bytes of a list's file (`.m3u8`).
  ///
  /// A path that a line cannot hold as it is (a line end, white space at an end) is written as a
  /// `file:` address.
  ///
  /// - Parameters:
  ///   - entries: What to write; of several paths the first.
  ///   - name: The list's own name; nil for none.
  /// - Returns: What `PlaylistParser.parse` reads as the same entries.
  public static func m3u8(_ entries: [PlaylistEntry], name: String? = nil) -> [UInt8] {
    var bytes = Array("#EXTM3U\n".utf8)
    if let name { bytes += Array("#PLAYLIST:\(oneLine(name))\n".utf8) }
    for entry in entries {
      if !entry.title.isEmpty || entry.durationSeconds != nil {
        bytes += Array("#EXTINF:\(entry.durationSeconds ?? -1),\(oneLine(entry.title))\n".utf8)
      }
      switch entry.target {
      case .url(let url): bytes += Array(url.utf8)
      case .file(let file): bytes += line(file.paths.first ?? "/")
      }
      bytes.append(0x0A)
    }
    return bytes
  }

  private static func line(_ path: String) -> [UInt8] {
    let bytes = PathText.bytes(of: path)
    let isPlain =
      bytes.first == UInt8(ascii: "/") && bytes.last != 0x20 && bytes.last != 0x09
      && !bytes.contains { $0 == 0x0A || $0 == 0x0D || $0 == UInt8(ascii: "\\") }
      && String(validating: bytes, as: UTF8.self) != nil
    guard !isPlain else { return bytes }
    // A folder "/c:" is not to be taken for a disk of Windows.
    let start = PlaylistLocation.isWindows(bytes.dropFirst()) ? "file:///." : "file://"
    return Array(start.utf8) + bytes.flatMap(percentEncoded)
  }

  private static func percentEncoded(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
      return [byte]
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      return Array("%\(byte < 16 ? "0" : "")\(digits)".utf8)
    }
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
