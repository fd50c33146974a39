// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import MusicLibrary

/// Finds what a person names. Case and accents do not matter; the whole name goes before a part of it.
struct LibraryNames {
  /// Something that a name may mean.
  struct Choice: Equatable {
    var id: Int64
    var name: String
    /// What tells it from others of the same name.
    var detail = ""
  }

  /// Things that an ambiguous name lists.
  static let listed = 10

  let library: MusicLibrary

  init(_ library: MusicLibrary) { self.library = library }

  /// The one thing that is meant.
  ///
  /// - Parameters:
  ///   - kind: What is meant.
  ///   - name: Its name, or words of it.
  /// - Returns: Its id.
  /// - Throws: `MusicFolders.Refusal` when nothing or several things fit; `LibraryError`.
  func only(_ kind: LibraryReference.Kind, named name: String) throws -> Int64 {
    let choices = try found(kind, name)
    let wanted = TextFolding.fold(name)
    let whole = choices.filter { TextFolding.fold($0.name) == wanted }
    let fitting = whole.isEmpty ? choices : whole
    if fitting.count == 1 { return fitting[0].id }
    let asked = "\(kind.rawValue):\(name)"
    guard !fitting.isEmpty else {
      throw MusicFolders.Refusal(reason: "\(asked): the library has no such \(kind.rawValue)")
    }
    let lines = fitting.prefix(Self.listed).map {
      "  \(kind.rawValue):id:\($0.id)  \($0.name)\($0.detail.isEmpty ? "" : " (\($0.detail))")"
    }
    let more = fitting.count > Self.listed ? ["  ... and more"] : []
    throw MusicFolders.Refusal(
      reason: (["\(asked) may be several:"] + lines + more).joined(separator: "\n"))
  }

  private func found(_ kind: LibraryReference.Kind, _ name: String) throws -> [Choice] {
    func search(_ kinds: Set<SearchKind>) throws -> SearchResults {
      try library.search(name, kinds: kinds, PageRequest(limit: PageRequest.usualLimit))
    }
    func headings(_ page: Page<Heading>) -> [Choice] {
      page.items.map { Choice(id: $0.id, name: $0.name, detail: "\($0.songCount) songs") }
    }
    switch kind {
    case .songs, .year: return []
    case .song:
      return try search([.songs]).songs.items.map { song in
        let detail = [song.artist ?? "", song.album].filter { !$0.isEmpty }.joined(separator: ", ")
        return Choice(id: song.id, name: song.title, detail: detail)
      }
    case .album:
      let results = try search([.albums, .audiobooks, .podcasts])
      return (results.albums.items + results.audiobooks.items + results.podcasts.items).map {
        Choice(id: $0.id, name: $0.title, detail: $0.artist ?? "")
      }
    case .artist: return headings(try search([.artists]).artists)
    case .composer: return headings(try search([.composers]).composers)
    case .genre: return headings(try search([.genres]).genres)
    case .playlist:
      return try search([.playlists]).playlists.items.map { Choice(id: $0.id, name: $0.name) }
    case .station:
      return try search([.stations]).stations.items.map {
        Choice(id: $0.id, name: $0.name, detail: $0.url)
      }
    }
  }
}
