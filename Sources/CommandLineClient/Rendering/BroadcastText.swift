// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// A radio station in words.
enum BroadcastText {
  /// So many titles are shown that were heard before.
  private static let mostBefore = 3

  /// "Artist - Title" as the rooms hear it, "" where the station says nothing; nil for anything but
  /// a station.
  static func now(_ playback: PlaybackDocument) -> String? {
    guard playback.state != .stopped, let broadcast = playback.broadcast else { return nil }
    return broadcast.titles.first.map(text) ?? ""
  }

  /// What goes behind the position: ", live, 128 kbit/s, Jazz".
  static func kind(_ playback: PlaybackDocument) -> String {
    guard let broadcast = playback.broadcast else { return "" }
    let rate = broadcast.kilobitsPerSecond.map { "\($0) kbit/s" }
    return ([", live", rate, broadcast.genre].compactMap { $0 }).joined(separator: ", ")
  }

  /// What was heard before, the latest first, one a line.
  static func before(_ playback: PlaybackDocument) -> [String] {
    guard playback.state != .stopped, let broadcast = playback.broadcast else { return [] }
    return broadcast.titles.dropFirst().filter { !text($0).isEmpty }.prefix(mostBefore)
      .map { "  \(localClock($0.sinceUnixSeconds).prefix(5))  \(text($0))" }
  }

  private static func text(_ title: HeardTitleDocument) -> String {
    StatusText.joined([title.artist, title.title])
  }
}
