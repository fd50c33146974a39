// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI

/// Names of the library's music for a word that is being typed: `album:ki` becomes `album:Kind of Blue`.
struct LibraryCompletion {
  /// Asks a coordinator for a path with its query; nil for whatever goes wrong.
  let ask: (_ path: String) -> [UInt8]?

  /// As many names as still can be looked through.
  static let limit = 50

  /// What a word may begin with, and the list of the library that it names.
  static let kinds: [(prefix: String, list: String)] = [
    ("album:", "albums"), ("artist:", "artists"), ("composer:", "composers"), ("genre:", "genres"),
    ("playlist:", "playlists"), ("song:", "songs"), ("station:", "stations"),
  ]

  /// The words that fit; the kinds themselves until one is typed.
  func candidates(for word: String) -> [Completion.Candidate] {
    guard let kind = Self.kinds.first(where: { word.hasPrefix($0.prefix) }) else {
      return Self.kinds.map { Completion.Candidate($0.prefix, help: "by its name") }
    }
    return names(of: String(word.dropFirst(kind.prefix.count)), in: kind.list)
      .map { Completion.Candidate(kind.prefix + $0) }
  }

  /// With nothing typed the list from its start; else a search, which knows the beginnings of words.
  private func names(of text: String, in list: String) -> [String] {
    if text.isEmpty {
      let bytes = ask("\(APIRoute.prefix)/library/\(list)?limit=\(Self.limit)")
      return bytes.flatMap { try? JSONDocument.decode(Page.self, from: $0) }?.names ?? []
    }
    let bytes = ask(
      "\(APIRoute.prefix)/library/search?q=\(QueryText.encode(text))&kinds=\(list)&limit=\(Self.limit)"
    )
    let found = bytes.flatMap { try? JSONDocument.decode([String: Page?].self, from: $0) }
    return (found?[list] ?? nil)?.names ?? []
  }

  /// What is needed of any list.
  private struct Page: Decodable {
    struct Item: Decodable {
      var name: String?
      var title: String?
    }
    var items: [Item]

    var names: [String] { items.compactMap { $0.name ?? $0.title }.filter { !$0.isEmpty } }
  }
}
