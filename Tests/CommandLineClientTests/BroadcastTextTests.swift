// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct BroadcastTextTests {
  private func station(_ titles: [(String?, String)]) -> GroupDocument {
    var broadcast = BroadcastDocument()
    broadcast.genre = "Jazz"
    broadcast.kilobitsPerSecond = 128
    broadcast.titles = titles.map {
      HeardTitleDocument(artist: $0.0, title: $0.1, sinceUnixSeconds: 1_000_000)
    }
    var playback = PlaybackDocument(
      state: .playing,
      item: QueueItemDocument(id: 1, title: "Radio Loopback", location: "http://localhost/"),
      positionSeconds: 754)
    playback.broadcast = broadcast
    return GroupDocument(
      id: "house", name: "House", roomIDs: [], volume: 20, isMuted: false, playback: playback,
      queue: QueueDocument(revision: 1, items: []))
  }

  @Test func `a station is shown with what it plays and what it played`() {
    let titles = [("Miles Davis", "So What"), (nil, "News"), (nil, ""), ("A", "B"), ("C", "D")]
    let lines = StatusText(columns: 80).playback(station(titles))
    #expect(
      lines[..<3] == [
        "Radio Loopback", "Miles Davis - So What", "playing  12:34, live, 128 kbit/s, Jazz",
      ])
    #expect(lines[3...].map { $0.dropFirst(9) } == ["News", "A - B", "C - D"])
  }

  @Test func `a station that says nothing is live all the same`() {
    let group = station([])
    #expect(StatusText(columns: 80).playback(group).count == 2)
    #expect(BroadcastText.now(group.playback) == "")
  }
}
