// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The addresses of the library, below `/api/v1/library`.
///
/// Lists take `cursor` and `limit`; ``songs`` and ``albums`` also one of `artist`, `composer`, `genre`,
/// `year` (songs: `album`, `playlist` too).
public enum LibraryRoute: Sendable, Hashable {
  /// A list of things that have pages of their own.
  public enum Headings: String, Sendable, Hashable, CaseIterable {
    /// Each is a part of the address.
    case artists, composers, genres
  }

  /// What a picture is of.
  public enum Pictured: String, Sendable, Hashable, CaseIterable {
    /// Each is a part of the address.
    case songs, albums, artists, playlists, stations
  }

  /// `GET …`: ``LibraryDocument``.
  case counts
  /// `GET …/songs`: ``PageDocument`` of ``SongDocument``.
  case songs
  /// `GET …/songs/{id}`: ``SongDetailsDocument``.
  case song(id: String)
  /// `PUT …/songs/{id}/rating`: ``RatingDocument``; 204.
  case rating(id: String)
  /// `GET …/albums`: ``PageDocument`` of ``AlbumDocument``.
  case albums
  /// `GET …/albums/{id}`: ``AlbumPageDocument``.
  case album(id: String)
  /// `GET …/artists`, `composers`, `genres`: ``PageDocument`` of ``HeadingDocument``.
  case headings(Headings)
  /// `GET …/artists/{id}` and so on: ``HeadingDocument``.
  case heading(Headings, id: String)
  /// `GET …/years`: ``PageDocument`` of ``YearDocument``, all of them.
  case years
  /// `GET …/playlists`: ``PageDocument`` of ``LibraryPlaylistDocument``.
  case playlists
  /// `GET …/playlists/{id}`: ``PageDocument`` of ``PlaylistEntryDocument``.
  case playlist(id: String)
  /// `GET …/audiobooks`: ``PageDocument`` of ``AlbumDocument``.
  case audiobooks
  /// `GET …/podcasts`: ``PageDocument`` of ``AlbumDocument``.
  case podcasts
  /// `GET …/stations`: ``PageDocument`` of ``StationDocument``.
  case stations
  /// `GET …/search?q=…&kinds=songs,albums`: ``SearchDocument``.
  case search
  /// `GET …/letters/{list}`: ``LettersDocument``.
  case letters(list: String)
  /// `GET …/artwork/{kind}/{id}?size=small|large`: a picture.
  case artwork(Pictured, id: String)

  /// The methods that the address answers to.
  public var methods: [String] {
    if case .rating = self { ["PUT"] } else { ["GET"] }
  }

  /// The address below `/library`, as it is sent; with its slash.
  public var path: String {
    switch self {
    case .counts: ""
    case .songs: "/songs"
    case .song(let id): "/songs/" + PercentCoding.encode(id)
    case .rating(let id): "/songs/" + PercentCoding.encode(id) + "/rating"
    case .albums: "/albums"
    case .album(let id): "/albums/" + PercentCoding.encode(id)
    case .headings(let list): "/" + list.rawValue
    case .heading(let list, let id): "/" + list.rawValue + "/" + PercentCoding.encode(id)
    case .years: "/years"
    case .playlists: "/playlists"
    case .playlist(let id): "/playlists/" + PercentCoding.encode(id)
    case .audiobooks: "/audiobooks"
    case .podcasts: "/podcasts"
    case .stations: "/stations"
    case .search: "/search"
    case .letters(let list): "/letters/" + PercentCoding.encode(list)
    case .artwork(let kind, let id): "/artwork/\(kind.rawValue)/" + PercentCoding.encode(id)
    }
  }

  /// Reads the parts of an address behind `/library`; nil when there is no such one.
  ///
  /// - Parameter parts: The decoded parts, none empty.
  init?(_ parts: some Collection<String>) {
    let parts = Array(parts)
    guard let route = Self.route(parts) else { return nil }
    self = route
  }

  private static func route(_ parts: [String]) -> LibraryRoute? {
    guard let first = parts.first else { return .counts }
    if let list = Headings(rawValue: first) {
      return parts.count == 1
        ? .headings(list) : parts.count == 2 ? .heading(list, id: parts[1]) : nil
    }
    switch (parts.count, first) {
    case (1, "songs"): return .songs
    case (1, "albums"): return .albums
    case (1, "years"): return .years
    case (1, "playlists"): return .playlists
    case (1, "audiobooks"): return .audiobooks
    case (1, "podcasts"): return .podcasts
    case (1, "stations"): return .stations
    case (1, "search"): return .search
    case (2, "songs"): return .song(id: parts[1])
    case (2, "albums"): return .album(id: parts[1])
    case (2, "playlists"): return .playlist(id: parts[1])
    case (2, "letters"): return .letters(list: parts[1])
    case (3, "songs") where parts[2] == "rating": return .rating(id: parts[1])
    case (3, "artwork"): return Pictured(rawValue: parts[1]).map { .artwork($0, id: parts[2]) }
    default: return nil
    }
  }
}
