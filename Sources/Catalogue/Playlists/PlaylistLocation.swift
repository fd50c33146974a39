// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DecoderProtocol

// What a line of a playlist may mean:
//
//   http://host/stream        an address
//   file:///music/a%20b.mp3   a path, percent-encoded
//   /music/a.mp3              a path of this machine, or of the one that wrote the list
//   Sub/a.mp3, ../b.mp3       a path from the list's folder
//   C:\Music\Sub\a.mp3        a path of a Windows machine: its end is looked for in the library
//   \\nas\music\Sub\a.mp3     likewise
//   Sub\a.mp3                 a path from the list's folder, written on Windows
//   mms://…, rtsp://…         what Tutti does not play: passed over

/// Reads what an entry names.
struct PlaylistLocation {
  /// The list's folder, as a `PathText`.
  let folder: String

  /// The longest address, as for the queue.
  static let longestAddress = 4_096
  /// How many folders of another machine's path are compared.
  static let longestTail = 8

  /// What the bytes of a line name; nil for what Tutti does not play.
  func target(of line: ArraySlice<UInt8>) -> PlaylistEntry.Target? {
    if let scheme = Self.scheme(of: line) {
      switch scheme {
      case "http", "https": return Self.address(line)
      case "file": return fileURL(line)
      default: return nil
      }
    }
    return path(line)
  }

  /// The letters before "://".
  private static func scheme(of line: ArraySlice<UInt8>) -> String? {
    guard let colon = line.prefix(12).firstIndex(of: UInt8(ascii: ":")),
      line[colon...].starts(with: "://".utf8), colon > line.startIndex
    else { return nil }
    return String(decoding: line[..<colon], as: UTF8.self).lowercased()
  }

  private static func address(_ line: ArraySlice<UInt8>) -> PlaylistEntry.Target? {
    guard line.count <= longestAddress, line.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      return nil
    }
    let text = String(decoding: line, as: UTF8.self)
    let host = text.drop { $0 != ":" }.dropFirst(3).prefix { !"/?#".contains($0) }
    return host.isEmpty ? nil : .url(text)
  }

  private func fileURL(_ line: ArraySlice<UInt8>) -> PlaylistEntry.Target? {
    // An authority ("file://localhost/") names this machine or none.
    let rest = line.dropFirst("file://".utf8.count)
    guard let slash = rest.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let bytes = Self.percentDecoded(rest[slash...])
    guard !bytes.contains(0) else { return nil }
    // "file:///C:/Music" is a Windows path behind its slash.
    let path = bytes[...].dropFirst()
    if Self.isWindows(path) { return self.path(path) }
    let text = PathText.text(ofBytes: bytes)
    return .file(.init(paths: [absolute(text)], tail: Self.tail(PlaylistText.decoded(bytes[...]))))
  }

  private func path(_ line: ArraySlice<UInt8>) -> PlaylistEntry.Target? {
    let slash = UInt8(ascii: "/")
    let backslash = UInt8(ascii: "\\")
    let isForeign = Self.isWindows(line) || line.first == backslash
    let turned = line.map { $0 == backslash ? slash : $0 }
    var readings: [[UInt8]] = []
    if !isForeign {
      readings.append(Array(line))
      if line.contains(backslash) { readings.append(turned) }
      // Names that were Latin-1 on the machine that wrote the list are UTF-8 here.
      if String(validating: line, as: UTF8.self) == nil {
        readings += readings.map { bytes in
          Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
        }
      }
    }
    let paths = readings.map { absolute(PathText.text(ofBytes: $0)) }
    let isAbsolute = isForeign || line.first == slash
    let tail = isAbsolute ? Self.tail(PlaylistText.decoded(turned[...])) : []
    guard !paths.isEmpty || !tail.isEmpty else { return nil }
    return .file(.init(paths: paths, tail: tail))
  }

  /// Whether a path begins with the letter of a disk.
  static func isWindows(_ path: ArraySlice<UInt8>) -> Bool {
    guard path.count > 2, let first = path.first else { return false }
    let isLetter = (0x61...0x7A).contains(first | 0x20)
    let third = path[path.startIndex + 2]
    return isLetter && path[path.startIndex + 1] == UInt8(ascii: ":")
      && (third == UInt8(ascii: "\\") || third == UInt8(ascii: "/"))
  }

  /// The last folders and the name, folded, for comparing with what the library has.
  static func tail(_ path: String) -> [String] {
    let parts = path.split(separator: "/").filter { $0 != "." && $0 != ".." && $0.last != ":" }
    return parts.suffix(longestTail).map { TextFolding.fold(String($0)) }
  }

  /// The path from the root, without `.` and `..`; nobody climbs higher than that.
  private func absolute(_ path: String) -> String {
    let start = path.utf8.first == UInt8(ascii: "/") ? "" : folder
    var parts: [Substring] = []
    for part in (start + "/" + path).split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// A `%` that two digits do not follow stays one.
  static func percentDecoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
