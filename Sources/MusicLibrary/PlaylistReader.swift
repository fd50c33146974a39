// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// Finds what the entries of a playlist name, lists within lists included.
enum PlaylistReader {
  /// How deep lists may lie within lists.
  static let deepest = 4
  /// How many files of one name are compared by their folders.
  private static let mostNamesakes = 200

  /// An entry, not looked up yet.
  struct Entry {
    var name: String
    var url: String?
    var paths: [String]
    var tail: [String]
  }

  /// The entries of a list in order, with those of lists in it in their place.
  static func entries(
    of playlist: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Entry] {
    var all: [Entry] = []
    try collect(playlist, depth: 0, open: [playlist], into: &all, database)
    return all
  }

  private static func collect(
    _ playlist: Int64, depth: Int, open: Set<Int64>, into all: inout [Entry],
    _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    for entry in try own(playlist, database) {
      guard all.count < PlaylistParser.mostEntries else { return }
      let nested = try entry.paths.isEmpty ? nil : list(among: entry.paths, database)
      if let nested {
        // A list that contains itself has said all by then.
        guard depth < deepest, !open.contains(nested) else { continue }
        try collect(
          nested, depth: depth + 1, open: open.union([nested]), into: &all, database)
      } else {
        all.append(entry)
      }
    }
  }

  private static func own(
    _ playlist: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Entry] {
    var entries: [Entry] = []
    try database.rows(
      "SELECT name, url, paths, tail FROM playlist_entries WHERE playlist = ? ORDER BY place",
      [.integer(playlist)]
    ) { row in
      let paths = (row.bytes(2) ?? []).split(separator: 0).map {
        String(decoding: $0, as: UTF8.self)
      }
      let tail = (row.text(3) ?? "").split(separator: "/").map(String.init)
      entries.append(
        Entry(name: row.text(0) ?? "", url: row.text(1), paths: paths, tail: tail))
    }
    return entries
  }

  private static func list(
    among paths: [String], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    for path in paths where PlaylistParser.endings.contains(FilePath.ending(of: path)) {
      if let id = try database.number("SELECT id FROM playlists WHERE path = ?", [.text(path)]) {
        return id
      }
    }
    return nil
  }

  /// The song that an entry names, if the library has it.
  static func song(
    _ entry: Entry, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    for path in entry.paths {
      let id = try database.number(
        "SELECT s.id FROM files f JOIN songs s ON s.id = f.id WHERE f.path = ?", [.text(path)])
      if let id { return id }
    }
    guard let name = entry.tail.last else { return nil }
    var namesakes: [(id: Int64, path: String)] = []
    try database.rows(
      """
      SELECT f.id, f.path FROM files f JOIN songs s ON s.id = f.id WHERE f.name = ?
        ORDER BY f.path LIMIT ?
      """, [.text(name), .integer(Int64(mostNamesakes))]
    ) { row in namesakes.append((row.integer(0) ?? 0, row.text(1) ?? "")) }
    return best(of: namesakes, for: entry.tail)
  }

  /// The file that has most of the folders above it in common; "01.mp3" alone is not enough.
  private static func best(of files: [(id: Int64, path: String)], for tail: [String]) -> Int64? {
    var best: (id: Int64, common: Int)?
    for file in files {
      let folders = file.path.split(separator: "/").map {
        TextFolding.fold(PathText.display(String($0)))
      }
      let common = zip(folders.reversed(), tail.reversed()).prefix { $0 == $1 }.count
      if common > best?.common ?? 0 { best = (file.id, common) }
    }
    guard let best, best.common > 1 || files.count == 1 || tail.count == 1 else { return nil }
    return best.id
  }
}
