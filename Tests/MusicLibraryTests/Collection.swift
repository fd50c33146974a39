// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import MusicLibrary

/// A library in a directory of its own, filled without a disk full of music.
struct Collection {
  let scratch: ScratchDirectory
  let library: MusicLibrary

  init() throws {
    scratch = try ScratchDirectory()
    library = try MusicLibrary(path: scratch.file("library.sqlite"))
  }

  func add(_ files: ReadFile...) throws { try add(files) }

  func add(_ files: [ReadFile]) throws {
    var batch = ScanBatch()
    batch.read = files
    try library.apply(batch)
  }

  func change(_ body: (inout ScanBatch) -> Void) throws {
    var batch = ScanBatch()
    body(&batch)
    try library.apply(batch)
  }

  /// The number of the file at a path.
  func id(_ path: String) throws -> Int64 {
    var found: Int64?
    try library.knownFiles(root: "/m") { if $0.path == path { found = $0.id } }
    struct NotThere: Error {}
    guard let found else { throw NotThere() }
    return found
  }
}

/// A file as a scan reads it, said briefly.
func file(
  _ path: String, title: String = "", artists: [String] = [], album: String = "",
  albumArtist: String? = nil, track: Int? = nil, disc: Int? = nil, year: Int? = nil,
  genres: [String] = [], size: Int64 = 1_000, edit: (inout TrackTags) -> Void = { _ in }
) -> ReadFile {
  var tags = TrackTags()
  tags.title = title
  tags.artists = artists
  tags.album = album
  tags.albumArtists = albumArtist.map { [$0] } ?? []
  tags.trackNumber = track
  tags.discNumber = disc
  tags.year = year
  tags.genres = genres
  tags.durationMilliseconds = 180_000
  edit(&tags)
  return ReadFile(path: path, root: "/m", stamp: look(at: path, size: size), tags: tags)
}

/// A stamp that is a path's own.
func look(at path: String, size: Int64 = 1_000) -> FileStamp {
  let inode = path.utf8.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }
  return FileStamp(size: size, modified: 5, device: 1, inode: inode)
}

extension MovedFile {
  init(_ id: Int64, to path: String) {
    self.init(id: id, path: path, root: "/m", stamp: look(at: path))
  }
}

/// Every item of a list, read in pages.
func all<Item>(
  limit: Int, _ page: (PageRequest) throws -> Page<Item>
) throws -> [Item] {
  var items: [Item] = []
  var cursor: String?
  repeat {
    let part = try page(PageRequest(cursor: cursor, limit: limit))
    items += part.items
    cursor = part.nextCursor
  } while cursor != nil
  return items
}
