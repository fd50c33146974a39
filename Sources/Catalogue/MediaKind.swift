// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

/// What a file is played as: what it says itself, else what its folder is called.
public enum MediaKind {
  private static let folders: [String: TrackTags.Kind] = [
    "audiobook": .audiobook, "audiobooks": .audiobook, "audio books": .audiobook,
    "books": .audiobook, "horbucher": .audiobook, "hoerbuecher": .audiobook,
    "livres audio": .audiobook, "audiolivres": .audiobook, "audiolibros": .audiobook,
    "audiolibri": .audiobook, "luisterboeken": .audiobook, "ljudbocker": .audiobook,
    "podcast": .podcast, "podcasts": .podcast,
  ]

  /// What a file is played as.
  ///
  /// - Parameters:
  ///   - tags: What the file says.
  ///   - path: Where it is.
  ///   - root: The music folder it was found in; its own name counts, those above it do not.
  /// - Returns: The kind; the lowest folder decides.
  public static func kind(_ tags: TrackTags, path: String, root: String) -> TrackTags.Kind {
    guard tags.kind == .song else { return tags.kind }
    var folder = FilePath.folder(of: path)
    while folder.utf8.count >= root.utf8.count, folder != "/" {
      let name = SearchText.words(of: FilePath.name(of: folder)).joined(separator: " ")
      if let kind = folders[name] { return kind }
      folder = FilePath.folder(of: folder)
    }
    return .song
  }
}
