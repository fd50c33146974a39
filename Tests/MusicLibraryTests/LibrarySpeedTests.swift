// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Catalogue
import DecoderProtocol
import Foundation
import MusicLibrary
import Testing

// Not run with the others: tools/bench library sets TUTTI_BENCH_SONGS, and prints what is printed here.
// The figures and the machine are in docs/measurements.md.

/// How fast a large library answers.
@Suite(.enabled(if: MadeUpLibrary.songs > 0)) struct LibrarySpeedTests {
  @Test func `a large library answers while one types`() throws {
    let path = MadeUpLibrary.path
    let library = try MusicLibrary(path: path)
    if try library.counts().songs < MadeUpLibrary.songs { try MadeUpLibrary.fill(library) }
    try measureTyping(library)
    try measurePages(library)
  }

  private func measureTyping(_ library: MusicLibrary) throws {
    var times: [Duration] = []
    var slowest: (Duration, String) = (.zero, "")
    for query in MadeUpLibrary.queries {
      for length in 1...query.count {
        let text = String(query.prefix(length))
        let time = try ContinuousClock().measure {
          _ = try library.search(text, PageRequest(limit: 20))
        }
        times.append(time)
        if time > slowest.0 { slowest = (time, text) }
      }
    }
    print("library search \(words(times)) slowest \(slowest.1)")
  }

  private func measurePages(_ library: MusicLibrary) throws {
    let lists: [(String, (PageRequest) throws -> String?)] = [
      ("songs", { try library.songs(.all, $0).nextCursor }),
      ("albums", { try library.albums(.all, $0).nextCursor }),
      ("artists", { try library.artists($0).nextCursor }),
      ("genre", { try library.songs(.genre(try library.genres().items[0].id), $0).nextCursor }),
    ]
    for (name, page) in lists {
      var times: [Duration] = []
      var cursor: String?
      repeat {
        let request = PageRequest(cursor: cursor, limit: 100)
        times.append(try ContinuousClock().measure { cursor = try page(request) })
      } while cursor != nil && times.count < 1_000
      print("library page \(name) \(words(times))")
    }
    let once: [(String, () throws -> Void)] = [
      ("counts", { _ = try library.counts() }), ("years", { _ = try library.years() }),
      ("letters", { _ = try library.letters(of: .songs) }),
      ("genres", { _ = try library.genres() }),
      ("all files", { _ = try library.files(of: .all, limit: .max) }),
    ]
    for (name, body) in once {
      let times = try (0..<20).map { _ in try ContinuousClock().measure { try body() } }
      print("library once \(name) \(words(times))")
    }
  }

  private func words(_ times: [Duration]) -> String {
    let sorted = times.sorted()
    func at(_ share: Double) -> String {
      let time = sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
      return String(format: "%.2f", Double(time.components.attoseconds) / 1e15)
    }
    return "n \(times.count) ms p50 \(at(0.5)) p99 \(at(0.99)) max \(at(1))"
  }
}

/// Songs with made-up names: words of syllables, a few of them in very many names.
private enum MadeUpLibrary {
  static let songs =
    ProcessInfo.processInfo.environment["TUTTI_BENCH_SONGS"].flatMap { Int($0) } ?? 0
  static var path: String {
    ProcessInfo.processInfo.environment["TUTTI_BENCH_LIBRARY"] ?? "/tmp/library.sqlite"
  }

  private static let common = [
    "Love", "The", "Night", "You", "Me", "Song", "Blue", "Time", "Heart",
  ]

  private static func pick(_ words: [String], _ random: inout SeededRandom) -> String {
    words[Int.random(in: words.indices, using: &random)]
  }

  private static func word(_ random: inout SeededRandom) -> String {
    let onsets = ["b", "d", "f", "g", "h", "k", "l", "m", "n", "r", "s", "st", "t", "v", "z"]
    let vowels = ["a", "e", "i", "o", "u", "é", "ö"]
    var word = ""
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      word +=
        pick(onsets, &random) + pick(vowels, &random)
    }
    return word.capitalized
  }

  private static func name(_ random: inout SeededRandom) -> String {
    (0..<Int.random(in: 1...4, using: &random)).map { _ in
      Int.random(in: 0..<3, using: &random) == 0
        ? pick(common, &random) : word(&random)
    }.joined(separator: " ")
  }

  static func fill(_ library: MusicLibrary) throws {
    var random = SeededRandom(seed: 7)
    let artists = (0..<songs / 40).map { _ in name(&random) }
    let genres = ["Rock", "Pop", "Jazz", "Classical", "Electronic"]
    let start = ContinuousClock.now
    var number = 0
    while number < songs {
      var batch = ScanBatch()
      while batch.read.count < 1_000 {
        let artist = pick(artists, &random)
        let album = name(&random)
        for track in 1...12 {
          number += 1
          batch.read.append(
            file(
              "/m/\(artist)/\(album) \(number / 12)/\(track).flac", title: name(&random),
              artists: [artist], album: album, albumArtist: artist, track: track,
              year: Int.random(in: 1960...2025, using: &random),
              genres: [genres[number % 7 % 5]], size: Int64(number)
            ) {
              $0.composers = [artists[number % 97]]
            })
        }
      }
      try library.apply(batch)
    }
    print("library filled \(number) songs in \(ContinuousClock.now - start)")
  }

  static var queries: [String] {
    var random = SeededRandom(seed: 11)
    return ["the love song", "blue night", "time of me", "a", "xyzzy", "sé"]
      + (0..<200).map { _ in name(&random).lowercased() }
  }
}
