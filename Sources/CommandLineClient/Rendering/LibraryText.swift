// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// The library's lists as lines that fit the terminal.
struct LibraryText {
  let columns: Int
  let ink: Ink

  /// What a search shows of each kind.
  static let searchLimit = 20

  func songs(_ songs: [SongDocument]) -> [String] {
    table(
      ["TITLE", "ARTIST", "ALBUM", "LENGTH"],
      songs.map { [mark($0), $0.artist ?? "", $0.album ?? "", length($0.durationSeconds)] },
      fixed: [3])
  }

  func albums(_ albums: [AlbumDocument]) -> [String] {
    table(
      ["ALBUM", "ARTIST", "YEAR", "SONGS", "LENGTH"],
      albums.map { album in
        [
          album.title + (album.isAvailable ? "" : " (away)"), album.artist ?? "",
          album.year.map { "\($0)" } ?? "", "\(album.songCount)", length(album.durationSeconds),
        ]
      }, fixed: [2, 3, 4])
  }

  func headings(_ headings: [HeadingDocument], head: String) -> [String] {
    table(
      [head, "ALBUMS", "SONGS"],
      headings.map { [$0.name, "\($0.albumCount)", "\($0.songCount)"] }, fixed: [1, 2])
  }

  func years(_ years: [YearDocument]) -> [String] {
    table(
      ["YEAR", "ALBUMS", "SONGS"],
      years.map { ["\($0.year)", "\($0.albumCount)", "\($0.songCount)"] }, fixed: [0, 1, 2])
  }

  func playlists(_ lists: [LibraryPlaylistDocument]) -> [String] {
    table(
      ["PLAYLIST", "ENTRIES", "FILE"], lists.map { [$0.name, "\($0.entryCount)", $0.location] },
      fixed: [1])
  }

  func stations(_ stations: [StationDocument]) -> [String] {
    table(["STATION", "ADDRESS"], stations.map { [$0.name, $0.url] }, fixed: [])
  }

  func entries(_ entries: [PlaylistEntryDocument]) -> [String] {
    table(
      ["", "TITLE", "ARTIST", "LENGTH"],
      entries.enumerated().map { index, entry in
        let isMissing = entry.song == nil && entry.url == nil
        return [
          "\(index + 1)", (entry.song.map(mark) ?? entry.title) + (isMissing ? " (not there)" : ""),
          entry.song?.artist ?? entry.url ?? "", length(entry.song?.durationSeconds),
        ]
      }, fixed: [0, 3])
  }

  /// An album's head and its tracks; discs are told where there are several.
  func album(_ page: AlbumPageDocument) -> [String] {
    let year = page.album.year.map { ", \($0)" } ?? ""
    let head = [page.album.title, page.artist + year, page.summary, ""]
      .map { DisplayWidth.prefix(DisplayWidth.printable($0), columns) }
    let discs = Set(page.tracks.map { $0.song.discNumber ?? 1 })
    let hasArtists = page.tracks.contains { $0.artist != nil }
    var rows: [[String]] = []
    var disc: Int?
    for track in page.tracks {
      let number = track.song.discNumber ?? 1
      if discs.count > 1, number != disc { rows.append(["Disc \(number)", "", ""]) }
      disc = number
      let away = track.song.isAvailable ? "" : " (away)"
      rows.append([track.label + away, track.artist ?? "", length(track.song.durationSeconds)])
    }
    let lines =
      hasArtists
      ? table(["TRACK", "ARTIST", "LENGTH"], rows, fixed: [2])
      : table(["TRACK", "LENGTH"], rows.map { [$0[0], $0[2]] }, fixed: [1])
    return head + lines
  }

  /// A song with what is known of it, a line each.
  func song(_ details: SongDetailsDocument) -> [String] {
    let song = details.song
    let facts: [(String, String?)] = [
      ("artist", song.artist), ("album", song.album), ("album artist", song.albumArtist),
      ("composer", song.composer), ("genre", song.genre), ("year", song.year.map { "\($0)" }),
      ("disc", song.discNumber.map { "\($0)" }), ("track", song.trackNumber.map { "\($0)" }),
      ("length", song.durationSeconds.map(TimeText.clock)),
      ("rating", song.rating.map { "\($0) of 5" }),
      ("position", song.positionSeconds.map(TimeText.clock)),
      ("format", format(details)), ("file", song.location),
    ]
    var lines = [song.title]
    for case (let name, let value?) in facts { lines.append("  \(name): \(value)") }
    for chapter in details.chapters {
      lines.append("  \(TimeText.clock(chapter.startSeconds)) \(chapter.title)")
    }
    if let lyrics = details.lyrics {
      lines.append("")
      lines += lyrics.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.map(DisplayWidth.printable)
  }

  private func format(_ details: SongDetailsDocument) -> String? {
    let parts: [String?] = [
      details.codec, details.sampleRate.map { "\($0) Hz" },
      details.channels.map { $0 == 1 ? "mono" : $0 == 2 ? "stereo" : "\($0) channels" },
      details.bitRate.map { "\($0 / 1_000) kb/s" },
    ]
    let known = parts.compactMap { $0 }
    return known.isEmpty ? nil : known.joined(separator: ", ")
  }

  /// What was found, a table for each kind that something was found of.
  func search(_ found: SearchDocument) -> [String] {
    var lines: [String] = []
    func add<Item>(_ name: String, _ page: PageDocument<Item>?, _ rows: ([Item]) -> [String]) {
      guard let page, !page.items.isEmpty else { return }
      if !lines.isEmpty { lines.append("") }
      let more = page.total > page.items.count ? " (the first of \(page.total))" : ""
      lines.append(ink.paint(name + more, .bold))
      lines += rows(page.items)
    }
    add("Songs", found.songs, songs)
    add("Albums", found.albums, albums)
    add("Artists", found.artists) { headings($0, head: "ARTIST") }
    add("Composers", found.composers) { headings($0, head: "COMPOSER") }
    add("Genres", found.genres) { headings($0, head: "GENRE") }
    add("Audiobooks", found.audiobooks, albums)
    add("Podcasts", found.podcasts, albums)
    add("Playlists", found.playlists, playlists)
    add("Stations", found.stations, stations)
    return lines
  }

  /// `1,204 songs …`, a line for each kind there is.
  static func counts(_ library: LibraryDocument) -> [String] {
    let counts = [
      (library.songCount, "song"), (library.albumCount, "album"),
      (library.artistCount, "artist"), (library.composerCount, "composer"),
      (library.genreCount, "genre"), (library.playlistCount, "playlist"),
      (library.audiobookCount, "audiobook"), (library.podcastCount, "podcast"),
      (library.stationCount, "station"),
    ]
    let files = [
      (library.failedFileCount, "cannot be played"),
      (library.missingFileCount, "on a disk that is away"),
    ]
    let lines =
      counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
      + files.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? "file" : "files") \($0.1)" }
    return lines.isEmpty
      ? ["The library is empty: start the coordinator with --music DIR, then 'tutti library scan'."]
      : lines
  }

  private func mark(_ song: SongDocument) -> String {
    song.title + (song.isAvailable ? "" : " (away)")
  }

  private func length(_ seconds: Double?) -> String { seconds.map(TimeText.clock) ?? "" }

  // MARK: - Width

  /// A table in which words give way to each other: no column is left out because a title is long.
  private func table(_ head: [String], _ rows: [[String]], fixed: Set<Int>) -> [String] {
    var table = TextTable(head: head)
    let limits = Self.limits(head, rows, fixed: fixed, columns: columns)
    table.rows = rows.map { cells in
      cells.enumerated().map { column, cell in
        shortened(DisplayWidth.printable(cell), to: limits[column])
      }
    }
    table.ink = ink
    return table.lines(columns: columns)
  }

  private func shortened(_ text: String, to limit: Int) -> String {
    guard DisplayWidth.columns(text) > limit else { return text }
    let sign = ink.usesUnicode ? "…" : "~"
    return DisplayWidth.prefix(text, max(0, limit - 1)) + sign
  }

  /// How wide each column may be: fixed ones as wide as they are, the others fair shares of the rest.
  static func limits(
    _ head: [String], _ rows: [[String]], fixed: Set<Int>, columns: Int
  ) -> [Int] {
    var widths = head.indices.map { column in
      rows.reduce(DisplayWidth.columns(head[column])) {
        max($0, DisplayWidth.columns(DisplayWidth.printable($1[column])))
      }
    }
    let gaps = 2 * (head.count - 1)
    var room = columns - gaps - fixed.reduce(0) { $0 + widths[$1] }
    // The narrowest first: what it does not need is there for the others.
    let words = head.indices.filter { !fixed.contains($0) }.sorted { widths[$0] < widths[$1] }
    for (index, column) in words.enumerated() {
      let share = max(4, room / (words.count - index))
      widths[column] = min(widths[column], share)
      room -= widths[column]
    }
    return widths
  }
}
