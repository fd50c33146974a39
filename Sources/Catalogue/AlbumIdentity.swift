// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

// Files know nothing of each other: which of them make an album has to be told from what each says.
//
//   album artist + title                    the usual case; wherever the files lie
//   compilation + title                     flagged as such, no album artist; wherever they lie
//   title + folder                          no album artist: so the "Greatest Hits" of two bands are
//                                           two, and a folder of songs by many is one album
//
// "CD 1", "Disc 2" are not folders of their own here. Without an album's title there is no album,
// except that a book is one by its title, and episodes without a show make one with their folder.

/// What tells which album a file belongs to.
public struct AlbumIdentity: Sendable, Hashable {
  /// Equal for the files of one album, whatever their case and accents.
  public var key: String
  /// The album's title as this file has it.
  public var title: String

  /// The album of a file; nil when it belongs to none.
  ///
  /// - Parameters:
  ///   - tags: What the file says.
  ///   - kind: What it is played as.
  ///   - title: Its title as listed.
  ///   - path: Where it is, as a `PathText`.
  public init?(_ tags: TrackTags, kind: TrackTags.Kind, title: String, path: String) {
    let folder = FilePath.folder(of: path)
    switch kind {
    case _ where !tags.album.isEmpty: self.title = tags.album
    case .song: return nil
    case .audiobook: self.title = title
    case .podcast: self.title = PathText.display(FilePath.name(of: folder))
    }
    let place =
      if !tags.albumArtists.isEmpty {
        "a" + tags.albumArtists.map(TextFolding.fold).joined(separator: Self.separator)
      } else if tags.isCompilation {
        "c"
      } else {
        "f" + Self.withoutDisc(folder)
      }
    key = [TextFolding.fold(self.title), "\(kind.rawValue)", place]
      .joined(separator: Self.separator)
  }

  /// No tag holds it: the decoder makes control characters spaces.
  private static let separator = "\u{1F}"

  /// The folder that the folders of discs lie in, when it is one of those.
  static func withoutDisc(_ folder: String) -> String {
    let words = SearchText.words(of: PathText.display(FilePath.name(of: folder)))
    guard let first = words.first else { return folder }
    for word in ["cd", "disc", "disk", "disque", "disco"] where first.hasPrefix(word) {
      let number =
        first == word ? words.dropFirst().first ?? "" : String(first.dropFirst(word.count))
      if Int(number) != nil { return FilePath.folder(of: folder) }
    }
    return folder
  }
}

/// Parts of paths.
public enum FilePath {
  /// What lies before the last slash.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: The folder; "/" for what lies directly there.
  public static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  /// What lies behind the last slash.
  ///
  /// - Parameter path: A path.
  /// - Returns: The name.
  public static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }

  /// The longest ending that is one, with its dot: ".m3u8", ".audio".
  private static let longestEnding = 6

  /// The name without its ending, for people.
  ///
  /// - Parameter path: A path, as a `PathText`.
  /// - Returns: The name without ".mp3"; never empty for a path with a name.
  public static func title(of path: String) -> String {
    let name = PathText.display(name(of: path))
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex,
      name.utf8.distance(from: dot, to: name.endIndex) <= longestEnding
    else { return name }
    return String(name[..<dot])
  }

  /// The ending without its dot, in lower case; empty when there is none.
  ///
  /// - Parameter path: A path.
  /// - Returns: The ending: "mp3".
  public static func ending(of path: String) -> String {
    let name = name(of: path)
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return ""
    }
    return name[name.utf8.index(after: dot)...].lowercased()
  }
}
