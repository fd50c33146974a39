// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DecoderProtocol
import House
import Testing

@testable import CoordinatorRuntime

@Suite struct CoordinatorBroadcastTests {
  private let item = ItemID(rawValue: 1)

  /// A house that hears a station.
  private func listening() async throws -> TestHouse {
    let house = try await TestHouse()
    let url = #"{"url":"http://127.0.0.1:9/radio"}"#
    _ = await house.command(#"{"command":"play","items":[\#(url),\#(url)]}"#)
    var info = MediaInfo()
    info.title = "Radio Loopback"
    info.isLive = true
    info.genre = "Jazz"
    info.kilobitsPerSecond = 128
    let run = PositionRun(itemID: item, firstFrame: MediaFrame(index: 1_000), sourceFrame: 0)
    house.player.stand(at: StreamPosition(itemID: item, sourceFrame: 90 * MediaFrame.rate))
    house.player.say(.trackStarted(run, info))
    house.player.say(.trackHeard(run))
    await house.eventually("it is live") { $0.broadcasts[ItemID(rawValue: 1)] != nil }
    return house
  }

  private func playback(of house: TestHouse) async throws -> [String: Any] {
    try #require(try await house.group["playback"] as? [String: Any])
  }

  @Test func `a station has no length, and tells what it plays and played`() async throws {
    let house = try await listening()
    for number in 1...12 {
      house.player.say(.titleHeard(item, StreamTitle(artist: "A", title: "Song \(number)")))
    }
    house.player.say(.titleHeard(item, StreamTitle(title: "News")))
    await house.eventually("the news") {
      $0.broadcasts[ItemID(rawValue: 1)]?.heard.first?.title.title == "News"
    }
    let playback = try await playback(of: house)
    #expect(playback["durationSeconds"] == nil && playback["problem"] as? String != "")
    #expect(playback["positionSeconds"] as? Double == 90)
    let broadcast = try #require(playback["broadcast"] as? [String: Any])
    #expect(broadcast["genre"] as? String == "Jazz")
    #expect(broadcast["connection"] as? String == "connected")
    let titles = try #require(broadcast["titles"] as? [[String: Any]])
    #expect(titles.count == Broadcast.mostTitles)
    #expect(titles[0]["title"] as? String == "News" && titles[0]["artist"] == nil)
    #expect(titles[1]["title"] as? String == "Song 12" && titles[1]["artist"] as? String == "A")
    await house.kill()
  }

  @Test func `a station that is away says so, and is waited for`() async throws {
    let house = try await listening()
    house.player.say(
      .connection(item, .lost(reason: "connection refused", nextTryMilliseconds: 8_000)))
    await house.eventually("it is lost") { $0.broadcasts[ItemID(rawValue: 1)]?.loss != nil }
    let problem = try #require(try await playback(of: house)["problem"] as? String)
    #expect(
      problem == "reconnecting to Radio Loopback: connection refused, next try in 8 s")
    #expect(await house.coordinator.transport.state == .playing)
    house.player.say(.connection(item, .lost(reason: "x", nextTryMilliseconds: 0)))
    await house.eventually("it tries") {
      $0.broadcastProblem(of: ItemID(rawValue: 1))?.hasSuffix("x, trying now") == true
    }
    house.player.say(.connection(item, .connected))
    await house.eventually("it is back") { $0.broadcastProblem(of: ItemID(rawValue: 1)) == nil }
    await house.kill()
  }

  @Test func `next leaves a station that is away`() async throws {
    let house = try await listening()
    house.player.say(.connection(item, .lost(reason: "x", nextTryMilliseconds: 8_000)))
    await house.eventually("it is lost") { $0.broadcasts[ItemID(rawValue: 1)]?.loss != nil }
    _ = await house.command(#"{"command":"next"}"#)
    #expect(await house.coordinator.transport.queue.current == ItemID(rawValue: 2))
    #expect(await house.coordinator.broadcasts[item]?.loss == nil)
    await house.kill()
  }

  @Test func `a station cannot be sought, and goes on at now after a pause`() async throws {
    let house = try await listening()
    let sought = await house.command(#"{"command":"seek","offsetSeconds":-10}"#)
    #expect(sought.status == 409 && sought.text.contains("Radio Loopback is heard as it comes"))
    _ = await house.command(#"{"command":"pause"}"#)
    #expect(house.player.calls.last == .stop)
    _ = await house.command(#"{"command":"resume"}"#)
    guard case .play(let request)? = house.player.calls.last else {
      Issue.record("no play")
      return
    }
    #expect(request.itemID == item && request.startFrame == 0)
    await house.kill()
  }
}
