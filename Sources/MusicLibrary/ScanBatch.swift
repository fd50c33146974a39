// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import Catalogue
public import DecoderProtocol

// What a scan knows and learns. Paths are `PathText`s: reversible texts of bytes.

/// A file that the library knows from an earlier scan, whether it could be read or not.
public struct KnownFile: Sendable, Hashable {
  /// Names the file; the song in it has the same number.
  public var id: Int64
  /// Where it is.
  public var path: String
  /// What one look told, when it was read.
  public var stamp: FileStamp
  /// Why it could not be read; nil when it could.
  public var failure: String?
  /// Whether it was there at the last scan: false while its disk is away.
  public var isAvailable: Bool

  /// A known file.
  public init(
    id: Int64, path: String, stamp: FileStamp, failure: String? = nil, isAvailable: Bool = true
  ) {
    (self.id, self.path, self.stamp) = (id, path, stamp)
    (self.failure, self.isAvailable) = (failure, isAvailable)
  }
}

/// A file whose tags were read.
public struct ReadFile: Sendable, Hashable {
  /// Where it is.
  public var path: String
  /// The music folder it was found in.
  public var root: String
  /// What one look told, before it was read.
  public var stamp: FileStamp
  /// What it says about itself.
  public var tags: TrackTags
  /// A picture in its folder.
  public var folderArtwork: String?
  /// What a file of lyrics beside it holds; goes before embedded lyrics.
  public var lyricsFile: String?

  /// A read file.
  public init(
    path: String, root: String, stamp: FileStamp, tags: TrackTags, folderArtwork: String? = nil,
    lyricsFile: String? = nil
  ) {
    (self.path, self.root, self.stamp, self.tags) = (path, root, stamp, tags)
    (self.folderArtwork, self.lyricsFile) = (folderArtwork, lyricsFile)
  }
}

/// A file that cannot be played.
public struct FailedFile: Sendable, Hashable {
  /// Where it is.
  public var path: String
  /// The music folder it was found in.
  public var root: String
  /// What one look told.
  public var stamp: FileStamp
  /// Why not, in words that follow the file's name.
  public var reason: String

  /// A failed file.
  public init(path: String, root: String, stamp: FileStamp, reason: String) {
    (self.path, self.root, self.stamp, self.reason) = (path, root, stamp, reason)
  }
}

/// A known file that has another name or place now, or is there again.
public struct MovedFile: Sendable, Hashable {
  /// Which file.
  public var id: Int64
  /// Where it is now.
  public var path: String
  /// The music folder that is in.
  public var root: String
  /// What one look told.
  public var stamp: FileStamp

  /// A moved file.
  public init(id: Int64, path: String, root: String, stamp: FileStamp) {
    (self.id, self.path, self.root, self.stamp) = (id, path, root, stamp)
  }
}

/// A playlist's file, to be read here.
public struct PlaylistFile: Sendable, Hashable {
  /// Where it is.
  public var path: String
  /// The music folder it was found in.
  public var root: String
  /// When it was changed last, in nanoseconds since 1970.
  public var modified: Int64
  /// What it holds.
  public var bytes: [UInt8]

  /// A playlist's file.
  public init(path: String, root: String, modified: Int64, bytes: [UInt8]) {
    (self.path, self.root, self.modified, self.bytes) = (path, root, modified, bytes)
  }
}

/// A playlist's file that the library knows.
public struct KnownPlaylist: Sendable, Hashable {
  /// Names the playlist.
  public var id: Int64
  /// Where it is.
  public var path: String
  /// When it was changed last, in nanoseconds since 1970.
  public var modified: Int64

  /// A known playlist.
  public init(id: Int64, path: String, modified: Int64) {
    (self.id, self.path, self.modified) = (id, path, modified)
  }
}

/// What a scan has learned since its last batch; taken over as a whole or not at all.
public struct ScanBatch: Sendable {
  /// Files that are new or have changed.
  public var read: [ReadFile] = []
  /// Files that cannot be played.
  public var failed: [FailedFile] = []
  /// Known files that are elsewhere, or there again, with the same contents.
  public var moved: [MovedFile] = []
  /// Known files whose disk is away: they stay, marked.
  public var missing: [Int64] = []
  /// Known files that are gone for good; rating and place are kept for their return.
  public var gone: [Int64] = []
  /// Playlists that are new or have changed.
  public var playlists: [PlaylistFile] = []
  /// Playlists that are gone for good.
  public var gonePlaylists: [Int64] = []

  /// A batch with nothing in it.
  public init() {}

  /// Whether there is nothing in it.
  public var isEmpty: Bool {
    read.isEmpty && failed.isEmpty && moved.isEmpty && missing.isEmpty && gone.isEmpty
      && playlists.isEmpty && gonePlaylists.isEmpty
  }
}

/// What the queue needs to know of a song.
public struct SongFile: Sendable, Hashable, Identifiable {
  /// The song.
  public var id: Int64
  /// Its file, as a `PathText`.
  public var path: String
  /// The title, or the file's name when there is none.
  public var title: String
  /// The artists in one line; empty when nobody is named.
  public var artist: String
  /// The album's title; empty when there is none.
  public var album: String
  /// The length.
  public var durationMilliseconds: Int?

  /// A song's file.
  public init(
    id: Int64, path: String, title: String, artist: String, album: String,
    durationMilliseconds: Int?
  ) {
    (self.id, self.path, self.title, self.artist) = (id, path, title, artist)
    (self.album, self.durationMilliseconds) = (album, durationMilliseconds)
  }
}

/// How much the library holds.
public struct LibraryCounts: Sendable, Hashable {
  /// Songs, without audiobooks and podcasts.
  public var songs = 0
  /// Albums of songs.
  public var albums = 0
  /// Artists of songs, and those that albums are filed under.
  public var artists = 0
  /// Composers.
  public var composers = 0
  /// Genres.
  public var genres = 0
  /// Playlists.
  public var playlists = 0
  /// Books.
  public var audiobooks = 0
  /// Podcasts.
  public var podcasts = 0
  /// Radio stations.
  public var stations = 0
  /// Files that cannot be played.
  public var failedFiles = 0
  /// Files whose disk is away.
  public var missingFiles = 0
  /// The length of everything.
  public var durationMilliseconds: Int64 = 0

  /// Nothing.
  public init() {}
}
