// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

extension RawTags {
  /// The chapters in order of time: the container's list, else fields CHAPTER001=00:01:30.500 and
  /// CHAPTER001NAME=Title (the convention of Ogg).
  var orderedChapters: [Chapter] {
    let found = chapters.isEmpty ? fieldChapters : chapters
    return found.filter { $0.startMilliseconds >= 0 }
      .map {
        Chapter(
          startMilliseconds: $0.startMilliseconds,
          title: TagText.line($0.title, limit: TrackTags.maximumChapterTitle))
      }
      .sorted { $0.startMilliseconds < $1.startMilliseconds }
  }

  private var fieldChapters: [Chapter] {
    let keys = keys(prefix: "CHAPTER").filter { key in
      let number = key.dropFirst("CHAPTER".count)
      return (2...3).contains(number.count) && number.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return keys.sorted().prefix(TrackTags.maximumChapters).compactMap { key in
      guard let start = Self.milliseconds(value(key)) else { return nil }
      return Chapter(startMilliseconds: start, title: value(key + "NAME"))
    }
  }

  /// A time as "hh:mm:ss.fff".
  static func milliseconds(_ text: String) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]),
      let seconds = Double(parts[2]), (0..<10_000).contains(hours), (0..<60).contains(minutes),
      (0..<60).contains(seconds)
    else { return nil }
    return (hours * 60 + minutes) * 60_000 + Int((seconds * 1_000).rounded())
  }
}
