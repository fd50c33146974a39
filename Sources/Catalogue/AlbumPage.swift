// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// An album opened: its head and its tracks in order, by the rules of the classic player.
public struct AlbumPage: Sendable, Hashable {
  /// A line of the page.
  public struct Row: Sendable, Hashable {
    /// The song.
    public var song: Song
    /// `3. Title` when the song has a number, else its title.
    public var label: String
    /// Who plays; nil when all of the album's songs share one artist.
    public var artist: String?
  }

  /// The album.
  public var album: Album
  /// The album artist for the head; never empty.
  public var artist: String
  /// `12 songs, 47 min`.
  public var summary: String
  /// The song whose picture stands for the album; nil: the default picture.
  public var artworkSong: Int64?
  /// The songs by disc and number.
  public var rows: [Row]

  /// The page of an album.
  ///
  /// - Parameters:
  ///   - album: The album.
  ///   - songs: All of its songs, in any order.
  public init(_ album: Album, songs: [Song]) {
    let songs = songs.sorted(by: AlbumRules.precedes)
    self.album = album
    artist = AlbumRules.artist(of: songs) ?? AlbumRules.unknownArtist
    summary = AlbumRules.summary(
      songCount: songs.count,
      milliseconds: songs.reduce(0) { $0 + Int64($1.durationMilliseconds ?? 0) })
    artworkSong = songs.first { $0.hasArtwork }?.id
    let showsArtists = !AlbumRules.shareOneArtist(songs)
    rows = songs.map { song in
      Row(
        song: song, label: AlbumRules.label(of: song),
        artist: showsArtists ? song.artist ?? AlbumRules.unknownArtist : nil)
    }
  }
}

/// The rules of an album's page.
public enum AlbumRules {
  /// What stands where nobody is named.
  public static let unknownArtist = "Unknown artist"
  /// What an album is filed under when its songs have several artists and name none for the album.
  public static let variousArtists = "Various artists"

  /// Whether one song of an album comes before another: by disc, number, and file name.
  ///
  /// A song without a disc is on the first; one without a number comes after the numbered.
  ///
  /// - Parameters:
  ///   - first: A song.
  ///   - second: Another one of the album.
  /// - Returns: Whether `first` comes before `second`.
  public static func precedes(_ first: Song, _ second: Song) -> Bool {
    let (disc, otherDisc) = (first.discNumber ?? 1, second.discNumber ?? 1)
    guard disc == otherDisc else { return disc < otherDisc }
    let (number, otherNumber) = (first.trackNumber ?? .max, second.trackNumber ?? .max)
    guard number == otherNumber else { return number < otherNumber }
    let (key, otherKey) = (SortKey.key(ofFile: first.path), SortKey.key(ofFile: second.path))
    guard key == otherKey else { return key.utf8.lexicographicallyPrecedes(otherKey.utf8) }
    return first.path.utf8.lexicographicallyPrecedes(second.path.utf8)
  }

  /// The album artist: of the first song that names one.
  ///
  /// When none does, the artist that all songs share stands for it, or ``variousArtists``.
  ///
  /// - Parameter songs: The songs of an album in order.
  /// - Returns: Nil when nobody is named at all.
  public static func artist(of songs: [Song]) -> String? {
    if let named = songs.first(where: { !$0.albumArtists.isEmpty }) {
      return Names.joined(named.albumArtists)
    }
    let artists = songs.filter { !$0.artists.isEmpty }
    guard let first = artists.first else { return nil }
    return shareOneArtist(artists) ? first.artist : variousArtists
  }

  /// Whether the songs all have the same artist, or all none.
  ///
  /// - Parameter songs: The songs of an album.
  /// - Returns: True for a list of one or none too. Case and accents do not matter.
  public static func shareOneArtist(_ songs: [Song]) -> Bool {
    guard let first = songs.first else { return true }
    let artists = first.artists.map(TextFolding.fold)
    return songs.dropFirst().allSatisfy { song in
      song.artists == first.artists || song.artists.map(TextFolding.fold) == artists
    }
  }

  /// A song's line on its album's page.
  ///
  /// - Parameter song: The song.
  /// - Returns: `3. Title`, or the title.
  public static func label(of song: Song) -> String {
    song.trackNumber.map { "\($0). \(song.title)" } ?? song.title
  }

  /// From here on hours are told, in minutes. Below, minutes say it as the back of a record does.
  static let hoursFrom: Int64 = 120

  /// How much there is: `12 songs, 47 min`.
  ///
  /// Full minutes; whatever is shorter than two is `1 min`. From two hours on `2 h 5 min`, `3 h`.
  ///
  /// - Parameters:
  ///   - songCount: How many songs.
  ///   - milliseconds: The length of all of them; 0 when no length is known, which is left out.
  /// - Returns: The words.
  public static func summary(songCount: Int, milliseconds: Int64) -> String {
    let songs = songCount == 1 ? "1 song" : "\(songCount) songs"
    guard milliseconds > 0 else { return songs }
    let minutes = max(1, milliseconds / 60_000)
    guard minutes >= hoursFrom else { return "\(songs), \(minutes) min" }
    let rest = minutes % 60
    return "\(songs), \(minutes / 60) h" + (rest == 0 ? "" : " \(rest) min")
  }
}
