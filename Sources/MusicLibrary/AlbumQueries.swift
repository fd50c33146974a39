// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import DecoderProtocol
internal import SQLiteDatabase

/// Lists of albums.
enum AlbumQueries {
  static let columns = """
    a.id, a.title, a.artist, a.year, a.kind, a.songs, a.duration_ms, a.artwork_song, a.available
    """

  static func list(_ selection: Selection, kind: TrackTags.Kind) -> ListQuery {
    var query = ListQuery(
      list: "albums \(kind.rawValue) \(selection)", columns: columns, from: "albums a",
      filter: "a.kind = ?", values: [.integer(Int64(kind.rawValue))], key: "a.title_key",
      id: "a.id")
    switch selection {
    case .artist(let heading), .composer(let heading), .genre(let heading):
      query.from = "heading_albums c JOIN albums a ON a.id = c.album"
      query.filter += " AND c.heading = ?"
      query.values.append(.integer(heading))
    case .year(let year):
      query.filter += " AND a.year = ?"
      query.values.append(.integer(Int64(year)))
    case .album(let id):
      query.filter += " AND a.id = ?"
      query.values.append(.integer(id))
    case .all, .song, .playlist: break
    }
    return query
  }

  static func album(_ row: borrowing SQLiteRow, from column: Int32 = 0) -> Album {
    var album = Album()
    album.id = row.integer(column) ?? 0
    album.title = row.text(column + 1) ?? ""
    album.artist = row.text(column + 2)
    album.year = row.integer(column + 3).map(Int.init)
    album.kind = TrackTags.Kind(stored: row.integer(column + 4))
    album.songCount = Int(row.integer(column + 5) ?? 0)
    album.durationMilliseconds = row.integer(column + 6) ?? 0
    album.hasArtwork = !row.isNull(column + 7)
    album.isAvailable = row.integer(column + 8) == 1
    return album
  }

  static func albums(
    _ ids: [Int64], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Album] {
    var albums: [Album] = []
    for id in ids {
      try database.rows("SELECT \(columns) FROM albums a WHERE a.id = ?", [.integer(id)]) { row in
        albums.append(album(row))
      }
    }
    return albums
  }
}

/// Lists of artists, composers and genres.
enum HeadingQueries {
  static let columns = """
    h.id, h.name,
    (SELECT count(*) FROM heading_albums c WHERE c.heading = h.id AND c.album > 0),
    (SELECT sum(c.songs) FROM heading_albums c WHERE c.heading = h.id)
    """

  static func heading(_ row: borrowing SQLiteRow, from column: Int32 = 0) -> Heading {
    Heading(
      id: row.integer(column) ?? 0, name: row.text(column + 1) ?? "",
      albumCount: Int(row.integer(column + 2) ?? 0), songCount: Int(row.integer(column + 3) ?? 0))
  }

  static func headings(
    _ ids: [Int64], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Heading] {
    var headings: [Heading] = []
    for id in ids {
      try database.rows("SELECT \(columns) FROM headings h WHERE h.id = ?", [.integer(id)]) { row in
        headings.append(heading(row))
      }
    }
    return headings
  }
}
