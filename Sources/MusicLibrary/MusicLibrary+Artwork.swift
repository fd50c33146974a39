// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// Where a picture is.
public struct ArtworkSource: Sendable, Hashable {
  /// A file of music that a picture is embedded in, or a picture's file: a `PathText`.
  public var path: String
  /// What tells this picture from others and from what it was before.
  public var key: UInt64

  init(path: String, stamp: [Int64]) {
    self.path = path
    let words = [path] + stamp.map { "\($0)" }
    // FNV-1a, 64 bits.
    key = words.joined(separator: "\0").utf8.reduce(0xcbf2_9ce4_8422_2325) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01b3
    }
  }
}

/// What a picture may be of.
public enum Pictured: Sendable, Hashable {
  /// A song: its own picture, its folder's, or its album's.
  case song(Int64)
  /// An album: that of its first song that has one.
  case album(Int64)
  /// An artist: that of the first of their albums that has one.
  case artist(Int64)
  /// A playlist: that of the first of its first songs that has one.
  case playlist(Int64)
}

extension MusicLibrary {
  /// Songs of a playlist that are asked for a picture.
  private static let mostAsked = 20

  /// Where the picture of something is.
  ///
  /// - Parameter subject: What the picture is of.
  /// - Returns: Nil when it has none: the default picture stands for it.
  /// - Throws: `LibraryError`; `unknown` when there is no such thing.
  public func artwork(of subject: Pictured) throws(LibraryError) -> ArtworkSource? {
    switch subject {
    case .song(let id): try check(.song(id))
    case .album(let id): try check(.album(id))
    case .artist(let id): try check(.artist(id))
    case .playlist(let id): try check(.playlist(id))
    }
    return try read { database throws(SQLiteError) in
      for song in try Self.candidates(subject, database) {
        if let source = try Self.source(song, database) { return source }
      }
      return nil
    }
  }

  private static func candidates(
    _ subject: Pictured, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Int64] {
    switch subject {
    case .song(let id):
      let ofAlbum = try database.number(
        "SELECT a.artwork_song FROM songs s JOIN albums a ON a.id = s.album WHERE s.id = ?",
        [.integer(id)])
      return [id] + (ofAlbum.map { [$0] } ?? [])
    case .album(let id):
      let song = try database.number("SELECT artwork_song FROM albums WHERE id = ?", [.integer(id)])
      return song.map { [$0] } ?? []
    case .artist(let id):
      let song = try database.number(
        """
        SELECT a.artwork_song FROM heading_albums c JOIN albums a ON a.id = c.album
          WHERE c.heading = ? AND a.artwork_song IS NOT NULL ORDER BY a.year, a.id LIMIT 1
        """, [.integer(id)])
      return song.map { [$0] } ?? []
    case .playlist(let id):
      var songs: [Int64] = []
      for entry in try PlaylistReader.entries(of: id, database).prefix(mostAsked) {
        if let song = try PlaylistReader.song(entry, database) { songs.append(song) }
      }
      return songs
    }
  }

  private static func source(
    _ song: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> ArtworkSource? {
    var found: ArtworkSource?
    try database.rows(
      """
      SELECT s.artwork, f.path, d.folder_artwork, f.modified, f.size FROM songs s
        JOIN files f ON f.id = s.id LEFT JOIN details d ON d.song = s.id WHERE s.id = ?
      """, [.integer(song)]
    ) { row in
      let isEmbedded = row.integer(0) == SongRow.Artwork.embedded
      guard row.integer(0) != SongRow.Artwork.none, let path = row.text(isEmbedded ? 1 : 2) else {
        return
      }
      // All songs of a folder share its picture: their own stamps say nothing of it.
      let stamp = isEmbedded ? [row.integer(3) ?? 0, row.integer(4) ?? 0] : []
      found = ArtworkSource(path: path, stamp: stamp)
    }
    return found
  }
}
