// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import SQLiteDatabase

/// Lists of songs.
enum SongQueries {
  /// The list of a selection, by title.
  static func list(_ selection: Selection) -> ListQuery {
    var query = ListQuery(
      list: "songs \(selection)", columns: SongReader.columns,
      from: "songs s \(SongReader.joins)", filter: "s.kind = 0", key: "s.title_key", id: "s.id",
      countFrom: "songs s")
    switch selection {
    case .artist(let heading), .composer(let heading), .genre(let heading):
      query.from = "credits c JOIN songs s ON s.id = c.song \(SongReader.joins)"
      query.filter = "c.heading = ?"
      query.values = [.integer(heading)]
      (query.key, query.id, query.countFrom) = ("c.title_key", "c.song", "credits c")
    case .year(let year):
      query.filter = "s.kind = 0 AND s.year = ?"
      query.values = [.integer(Int64(year))]
    case .all, .song, .album, .playlist: break
    }
    return query
  }

  static func songs(
    _ ids: [Int64], _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [Song] {
    var songs: [Song] = []
    for id in ids {
      try database.rows(
        "SELECT \(SongReader.columns) FROM songs s \(SongReader.joins) WHERE s.id = ?",
        [.integer(id)]
      ) { row in songs.append(SongReader.song(row)) }
    }
    return songs
  }

  static func details(
    _ id: Int64, _ database: borrowing SQLiteConnection
  ) throws(SQLiteError) -> SongDetails? {
    var found: SongDetails?
    try database.rows(
      """
      SELECT \(SongReader.columns), d.lyrics, d.track_gain, d.track_peak, d.album_gain,
        d.album_peak, d.gain_source, s.codec, s.sample_rate, s.channels, s.bit_rate, f.size
      FROM songs s \(SongReader.joins) LEFT JOIN details d ON d.song = s.id WHERE s.id = ?
      """, [.integer(id)]
    ) { row in
      let next = SongReader.columnCount
      var details = SongDetails()
      details.song = SongReader.song(row)
      details.lyrics = row.text(next) ?? ""
      details.replayGain = SongReader.gain(row, from: next + 1)
      details.codec = row.text(next + 6) ?? ""
      details.sampleRate = Int(row.integer(next + 7) ?? 0)
      details.channels = Int(row.integer(next + 8) ?? 0)
      details.bitRate = Int(row.integer(next + 9) ?? 0)
      details.size = row.integer(next + 10) ?? 0
      found = details
    }
    found?.chapters = try SongReader.chapters(of: id, database)
    return found
  }
}
