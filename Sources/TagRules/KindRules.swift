// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

extension RawTags {
  /// Genres that name a kind, as iTunes and others write them, in small letters.
  private static let audiobookGenres: Set<String> = [
    "audiobook", "audiobooks", "audio book", "hörbuch", "hörbücher", "livre audio", "audiolibro",
  ]
  private static let podcastGenres: Set<String> = ["podcast", "podcasts"]

  /// What the file says it is: iTunes' media kind first (2 is an audiobook, 21 a podcast; 1 is
  /// music, whatever the genre), then the podcast flag, the file name's ending, the genre.
  func kind(genres: [String], fileName: String) -> TrackTags.Kind {
    switch Int(value("STIK")) {
    case 1: return .song
    case 2: return .audiobook
    case 21: return .podcast
    default: break
    }
    let small = Set(genres.map { $0.lowercased() })
    if TagNumbers.flag(value("PODCAST")) || !small.isDisjoint(with: Self.podcastGenres) {
      return .podcast
    }
    let isBook = fileName.lowercased().hasSuffix(".m4b")
    return isBook || !small.isDisjoint(with: Self.audiobookGenres) ? .audiobook : .song
  }
}
