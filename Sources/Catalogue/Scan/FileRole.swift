// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a scan takes a file for, by its name alone.
public enum FileRole: Sendable, Hashable {
  /// Sound; whether it plays is for the decoder to say.
  case music
  /// A list of songs or stations.
  case playlist
  /// The picture of the folder's album; the lowest rank of a folder is the one.
  case picture(rank: Int)
  /// The words of the song with the same name before the ending.
  case lyrics
  /// Says that the folder holds nothing to be listed, in the manner of Android.
  case folderMark
  /// Nothing of ours.
  case other

  /// Endings of sound. Some formats among them cannot be played: they are listed with that reason,
  /// so that nobody looks for them in vain.
  public static let musicEndings: Set<String> = [
    "aac", "aif", "aifc", "aiff", "ape", "caf", "dff", "dsf", "flac", "m4a", "m4b", "mka", "mp2",
    "mp3", "mp4", "mpc", "oga", "ogg", "opus", "tta", "wav", "wave", "webm", "wma", "wv",
  ]
  private static let playlistEndings: Set<String> = ["m3u", "m3u8", "pls"]
  private static let pictureEndings = ["jpg", "jpeg", "png", "webp", "gif", "bmp"]
  /// Names that players and shops give the picture of an album, best first.
  private static let pictureNames = ["cover", "folder", "front", "albumart", "album", "artwork"]

  /// The role of a name. Hidden names have none.
  ///
  /// - Parameter name: The file's name within its folder, a `PathText`.
  public init(name: String) {
    self = Self.role(of: name)
  }

  private static func role(of name: String) -> FileRole {
    guard !name.utf8.starts(with: ".".utf8) else {
      return name == ".nomedia" ? .folderMark : .other
    }
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return .other }
    let ending = name[name.utf8.index(after: dot)...].lowercased()
    if musicEndings.contains(ending) { return .music }
    if playlistEndings.contains(ending) { return .playlist }
    if ending == "lrc" { return .lyrics }
    guard let type = pictureEndings.firstIndex(of: ending),
      let rank = pictureRank(name[..<dot].lowercased())
    else { return .other }
    return .picture(rank: rank * pictureEndings.count + type)
  }

  /// Windows Media Player's "AlbumArt_{…}_Large" goes after the plain names, its small ones last.
  private static func pictureRank(_ stem: String) -> Int? {
    if let rank = pictureNames.firstIndex(of: stem) { return rank }
    guard stem.hasPrefix("albumart") else { return nil }
    return pictureNames.count + (stem.hasSuffix("small") ? 1 : 0)
  }

  /// A name without its ending.
  ///
  /// - Parameter name: A file's name.
  /// - Returns: What is before the last dot.
  public static func stem(_ name: String) -> Substring {
    name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
  }
}
