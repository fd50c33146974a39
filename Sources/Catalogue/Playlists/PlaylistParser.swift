// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// M3U has no standard: one entry per line, lines with "#" are remarks, of which Winamp's "#EXTINF:
// seconds,title" before an entry is the one that everybody writes. M3U8 is M3U in UTF-8. PLS is an
// INI file: [playlist], File1=, Title1=, Length1=. An .m3u8 of HTTP Live Streaming (RFC 8216) looks
// like an M3U, but names the pieces of one stream.

/// Reads playlists: .m3u, .m3u8, .pls.
public enum PlaylistParser {
  /// The most entries of one file; what comes behind is passed over.
  public static let mostEntries = 10_000
  /// The most bytes of a file that are worth reading.
  public static let mostBytes = 4 << 20
  /// Endings of playlists' files, in lower case.
  public static let endings: Set<String> = ["m3u", "m3u8", "pls"]

  /// Reads a file. Never fails: what is no entry is passed over.
  ///
  /// - Parameters:
  ///   - bytes: What the file holds; at most ``mostBytes`` of it count.
  ///   - path: Where it is, as a `PathText`: entries are relative to its folder.
  /// - Returns: The list.
  public static func parse(_ bytes: [UInt8], path: String) -> ParsedPlaylist {
    // A remark and an entry are two lines; an entry of a PLS file has three.
    let text = PlaylistText(Array(bytes.prefix(mostBytes)), mostLines: 4 * mostEntries)
    let location = PlaylistLocation(folder: FilePath.folder(of: path))
    let first = text.lines.first?.text.lowercased() ?? ""
    return first == "[playlist]" || FilePath.ending(of: path) == "pls"
      ? pls(text, location) : m3u(text, location)
  }

  private static func m3u(
    _ text: PlaylistText, _ location: PlaylistLocation
  ) -> ParsedPlaylist {
    var playlist = ParsedPlaylist()
    var info: (title: String, seconds: Int?) = ("", nil)
    for line in text.lines {
      if line.bytes.first == UInt8(ascii: "#") {
        let remark = line.text
        if remark.hasPrefix("#EXTINF:") {
          info = extendedInfo(remark.dropFirst("#EXTINF:".count))
        } else if remark.hasPrefix("#PLAYLIST:") {
          playlist.name = trimmed(remark.dropFirst("#PLAYLIST:".count))
        } else if remark.hasPrefix("#EXT-X-TARGETDURATION")
          || remark.hasPrefix("#EXT-X-STREAM-INF")
        {
          playlist.isStream = true
          playlist.entries = []
          return playlist
        }
      } else {
        if let target = location.target(of: line.bytes) {
          playlist.entries.append(
            PlaylistEntry(target: target, title: info.title, durationSeconds: info.seconds))
        }
        info = ("", nil)
        guard playlist.entries.count < mostEntries else { break }
      }
    }
    return playlist
  }

  /// `123,Artist - Title`, `-1 tvg-logo="a,b",Title`: seconds, attributes, a comma, the title.
  private static func extendedInfo(_ text: Substring) -> (title: String, seconds: Int?) {
    var isQuoted = false
    let comma = text.firstIndex { character in
      if character == "\"" { isQuoted.toggle() }
      return character == "," && !isQuoted
    }
    let number = text.prefix { $0.isASCII && ($0.isWholeNumber || $0 == "-") }
    let seconds = Int(number).flatMap { $0 > 0 ? $0 : nil }
    guard let comma else { return ("", seconds) }
    return (trimmed(text[text.index(after: comma)...]), seconds)
  }

  private static func pls(
    _ text: PlaylistText, _ location: PlaylistLocation
  ) -> ParsedPlaylist {
    var targets: [Int: PlaylistEntry.Target] = [:]
    var titles: [Int: String] = [:]
    var lengths: [Int: Int] = [:]
    for line in text.lines {
      guard let equals = line.bytes.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = PlaylistText.trimmed(line.bytes[..<equals])
      let key = String(decoding: name, as: UTF8.self).lowercased()
      let value = PlaylistText.trimmed(line.bytes[(equals + 1)...])
      let word = key.prefix { !$0.isASCII || !$0.isWholeNumber }
      guard let number = Int(key.dropFirst(word.count)) else { continue }
      switch word {
      case "file" where targets.count < mostEntries:
        targets[number] = location.target(of: value)
      case "title": titles[number] = trimmed(Substring(PlaylistText.decoded(value)))
      case "length":
        lengths[number] = Int(PlaylistText.decoded(value)).flatMap { $0 > 0 ? $0 : nil }
      default: continue
      }
    }
    var playlist = ParsedPlaylist()
    playlist.entries = targets.sorted { $0.key < $1.key }.map { number, target in
      PlaylistEntry(
        target: target, title: titles[number] ?? "", durationSeconds: lengths[number])
    }
    return playlist
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text.drop { $0.isWhitespace }
    while let last = text.last, last.isWhitespace { text = text.dropLast() }
    return String(text)
  }
}
