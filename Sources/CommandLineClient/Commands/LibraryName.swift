// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI

/// Finds the one thing in the library that a person's words mean: `id:17`, its whole name, or enough
/// of its name that nothing else has it. Case, accents and a leading article do not matter.
struct LibraryName {
  private let house: HouseConnection
  /// Choices that a message lists.
  private static let mostListed = 10

  init(_ house: HouseConnection) { self.house = house }

  func album(_ name: String) throws(ClientFailure) -> Int64 {
    if let id = Self.number(name) { return id }
    let found = try search(name, "albums,audiobooks,podcasts")
    let albums =
      (found.albums?.items ?? []) + (found.audiobooks?.items ?? [])
      + (found.podcasts?.items ?? [])
    return try Self.choose(name, among: albums, kind: "album", name: \.title) { album in
      let artist = album.artist.map { " by \($0)" } ?? ""
      return "'\(album.title)'\(artist)\(album.year.map { " (\($0))" } ?? "") [id:\(album.id)]"
    }.id
  }

  func song(_ name: String) throws(ClientFailure) -> Int64 {
    if let id = Self.number(name) { return id }
    let songs = try search(name, "songs").songs?.items ?? []
    return try Self.choose(name, among: songs, kind: "song", name: \.title) { song in
      "'\(song.title)'\(song.artist.map { " by \($0)" } ?? "") [id:\(song.id)]"
    }.id
  }

  func heading(
    _ name: String, _ list: LibraryRoute.Headings
  ) throws(ClientFailure) -> Int64 {
    if let id = Self.number(name) { return id }
    let found = try search(name, list.rawValue)
    let headings =
      switch list {
      case .artists: found.artists?.items ?? []
      case .composers: found.composers?.items ?? []
      case .genres: found.genres?.items ?? []
      }
    let kind = String(list.rawValue.dropLast())
    return try Self.choose(name, among: headings, kind: kind, name: \.name) {
      "'\($0.name)' [id:\($0.id)]"
    }.id
  }

  func playlist(_ name: String) throws(ClientFailure) -> Int64 {
    if let id = Self.number(name) { return id }
    let lists = try search(name, "playlists").playlists?.items ?? []
    return try Self.choose(name, among: lists, kind: "playlist", name: \.name) {
      "'\($0.name)' (\($0.location)) [id:\($0.id)]"
    }.id
  }

  private func search(_ name: String, _ kinds: String) throws(ClientFailure) -> SearchDocument {
    try house.library(
      SearchDocument.self, .search, [("q", name), ("kinds", kinds), ("limit", "100")])
  }

  private static func number(_ name: String) -> Int64? {
    name.hasPrefix("id:") ? Int64(name.dropFirst(3)) : nil
  }

  /// The only thing of that name; else the only thing that was found; else the choices.
  static func choose<Thing>(
    _ word: String, among things: [Thing], kind: String, name: KeyPath<Thing, String>,
    describe: (Thing) -> String
  ) throws(ClientFailure) -> Thing {
    let wanted = SearchText.beginning(of: word)
    let exact = things.filter { SearchText.beginning(of: $0[keyPath: name]) == wanted }
    let found = exact.isEmpty ? things : exact
    if found.count == 1, let only = found.first { return only }
    guard !found.isEmpty else { throw .failed("no \(kind) in the library is called '\(word)'") }
    let more = found.count > mostListed ? ", and more" : ""
    let choices = found.prefix(mostListed).map(describe).joined(separator: ", ")
    throw .failed("'\(word)' may be several \(kind)s: \(choices)\(more); name one, or its id")
  }
}
