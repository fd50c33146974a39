// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DecoderProtocol
import Foundation
import HTTPService
import House
import Testing
import WireProtocol

@testable import CoordinatorRuntime

private func playing(_ paths: [String]) -> String {
  let items = paths.map { #"{"path":"\#($0)"}"# }.joined(separator: ",")
  return #"{"command":"play","items":[\#(items)]}"#
}

private func announcement() -> StreamAnnounce {
  StreamAnnounce(
    groupID: "house", ssrc: SSRC(session: 5, generation: 1), clockID: ClockID(rawValue: 9),
    clockPort: 7_700, lookAheadFrames: 312, firstAudible: MediaFrame(index: 1_000),
    delayRamp: DelayRamp(constant: .seconds(6)))
}

private func info(_ title: String, seconds: Int64) -> MediaInfo {
  var info = MediaInfo()
  info.title = title
  info.durationFrames = seconds * MediaFrame.rate
  return info
}

extension TestHouse {
  /// Has the engine begin the current track and be `second` into it.
  func hear(_ title: String, at second: Int64, of length: Int64 = 100) async throws {
    let id = try #require(await coordinator.transport.queue.current)
    let run = PositionRun(itemID: id, firstFrame: MediaFrame(index: 1_000), sourceFrame: 0)
    player.stand(at: StreamPosition(itemID: id, sourceFrame: second * MediaFrame.rate))
    player.say(.generationStarted(announcement()))
    player.say(.trackStarted(run, info(title, seconds: length)))
    player.say(.trackHeard(run))
    await eventually("the track is heard") { $0.media[id]?.title == title }
  }

  var state: [String: Any] {
    get async throws {
      let response = await api.respond(to: HTTPRequest(method: "GET", path: "/api/v1/state"))
      let json = try JSONSerialization.jsonObject(with: Data(response.text.utf8))
      return try #require(json as? [String: Any])
    }
  }

  var group: [String: Any] {
    get async throws {
      let groups = try #require(try await state["groups"] as? [[String: Any]])
      return try #require(groups.first)
    }
  }
}

@Suite struct CoordinatorPlaybackTests {
  @Test func `play replaces the queue, and its follower is offered when asked for`() async throws {
    let house = try await TestHouse()
    let files = try house.addFiles("a.flac", "b.flac")
    let answer = await house.command(playing(files))
    #expect(answer.status == 200)
    #expect(
      house.player.calls == [
        .play(TrackRequest(itemID: ItemID(rawValue: 1), location: .file(path: files[0])))
      ])
    house.player.say(.needsNext(after: ItemID(rawValue: 1)))
    let follower = TrackRequest(itemID: ItemID(rawValue: 2), location: .file(path: files[1]))
    await house.eventually("b is offered") { _ in
      house.player.calls.last == .setNext(follower, after: nil)
    }
    await house.kill()
  }

  @Test func `what is heard, where and how long it is, is told`() async throws {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac")))
    try await house.hear("Aria", at: 12, of: 200)
    let playback = try #require(try await house.group["playback"] as? [String: Any])
    #expect(playback["state"] as? String == "playing")
    #expect(playback["positionSeconds"] as? Double == 12)
    #expect(playback["durationSeconds"] as? Double == 200)
    #expect((playback["item"] as? [String: Any])?["title"] as? String == "Aria")
    await house.kill()
  }

  @Test func `previous restarts a track after three seconds`() async throws {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac", "b.flac")))
    _ = await house.command(#"{"command":"next"}"#)
    try await house.hear("B", at: 5)
    _ = await house.command(#"{"command":"previous"}"#)
    #expect(await house.coordinator.transport.queue.current == ItemID(rawValue: 2))
    house.player.stand(at: nil)
    _ = await house.command(#"{"command":"previous"}"#)
    #expect(await house.coordinator.transport.queue.current == ItemID(rawValue: 1))
    await house.kill()
  }

  @Test func `a seek goes to its frame, and past the end to the next track`() async throws {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac", "b.flac")))
    try await house.hear("A", at: 50, of: 60)
    _ = await house.command(#"{"command":"seek","offsetSeconds":-10}"#)
    guard case .play(let request) = try #require(house.player.calls.last) else {
      Issue.record("no play")
      return
    }
    #expect(request.startFrame == 40 * MediaFrame.rate)
    let beyond = await house.command(#"{"command":"seek","seconds":61}"#)
    #expect(beyond.status == 422)
    _ = await house.command(#"{"command":"seek","offsetSeconds":30}"#)
    #expect(await house.coordinator.transport.queue.current == ItemID(rawValue: 2))
    await house.kill()
  }

  @Test func `a broken track is skipped, and a broken queue says why it stopped`() async throws {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac", "b.flac")))
    for id in UInt64(1)...2 {
      house.player.say(
        .trackFailed(ItemID(rawValue: id), DecoderFailure(.notAudio, "is not audio")))
    }
    await house.eventually("it has stopped") { $0.transport.state == .stopped }
    #expect(house.player.calls.last == .stop)
    let playback = try #require(try await house.group["playback"] as? [String: Any])
    let problem = try #require(playback["problem"] as? String)
    #expect(problem.contains("b.flac: is not audio"))
    await house.kill()
  }

  @Test func `the end of the music before is not the end of what was just asked for`() async throws
  {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac")))
    house.player.say(.finished(at: MediaFrame(index: 5)))
    try await house.hear("A", at: 0)
    #expect(await house.coordinator.transport.state == .playing)
    house.player.say(.finished(at: MediaFrame(index: 50_000)))
    await house.eventually("now it has") { $0.transport.state == .stopped }
    await house.kill()
  }

  @Test func `commands of later versions are answered with not yet`() async throws {
    let house = try await TestHouse()
    #expect(await house.command(#"{"command":"sleep","minutes":10}"#).status == 501)
    #expect(await house.command(#"{"command":"scene","name":"dinner"}"#).status == 501)
    #expect(await house.command(#"{"command":"dance"}"#).status == 400)
    #expect(await house.command("nonsense").status == 400)
    let empty = await house.command(#"{"command":"resume"}"#)
    #expect(empty.status == 409)
    #expect(empty.text.contains("nothing in the queue"))
    await house.kill()
  }

  @Test func `unknown addresses, groups and methods are told apart`() async throws {
    let house = try await TestHouse()
    func status(_ method: String, _ path: String) async -> Int {
      await house.api.respond(to: HTTPRequest(method: method, path: path)).status
    }
    #expect(await status("GET", "/api/v1/nothing") == 404)
    #expect(await status("POST", "/api/v1/state") == 405)
    #expect(await status("GET", "/api/v1/groups/attic") == 404)
    #expect(await status("GET", "/api/v1/groups/house") == 200)
    #expect(await status("GET", "/api/v1/rooms") == 200)
    #expect(await status("GET", "/healthz") == 200)
    await house.kill()
  }

  @Test func `tracks added next stand behind the one that plays`() async throws {
    let house = try await TestHouse()
    let files = try house.addFiles("a.flac", "b.flac", "c.flac")
    _ = await house.command(playing([files[0], files[1]]))
    let add =
      #"{"command":"queueAdd","place":"next","items":[{"path":"\#(files[2])"},{"path":"/etc/passwd"}]}"#
    let answer = await house.command(add)
    #expect(answer.status == 200)
    #expect(answer.text.contains(#""addedItemIDs":[3]"#))
    #expect(answer.text.contains("is not in a music folder"))
    let labels = await house.coordinator.transport.queue.items.map(\.label)
    #expect(labels == ["a", "c", "b"])
    await house.kill()
  }
}

@Suite struct CoordinatorRestartTests {
  @Test func `killed while playing, the next one takes up the stream by itself`() async throws {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac", "b.flac")))
    // The run was laid out so that ten seconds of it have been heard by now, six seconds after it was
    // stamped.
    let now = MediaFrame(house.parts.clock.now())
    let run = PositionRun(
      itemID: ItemID(rawValue: 1), firstFrame: now - 16 * MediaFrame.rate, sourceFrame: 0)
    house.player.stand { $0.timeline.begin(run) }
    try await house.hear("A", at: 10)
    await house.kill()
    let next = try await TestHouse(reusing: house)
    guard case .resumeAfterRestart(let request, let first) = try #require(next.player.calls.first)
    else {
      Issue.record("it did not take up the stream")
      return
    }
    #expect(request.itemID == ItemID(rawValue: 1))
    #expect(request.startFrame == run.sourceFrame(at: first))
    let heardSeconds = Double(request.startFrame) / Double(MediaFrame.rate)
    #expect((10...15).contains(heardSeconds))
    #expect(await next.coordinator.transport.state == .playing)
    await next.kill()
  }

  @Test func `ended on purpose, it comes back paused at its place`() async throws {
    let house = try await TestHouse()
    _ = await house.command(playing(try house.addFiles("a.flac")))
    try await house.hear("A", at: 42)
    await house.coordinator.shutDown()
    await house.kill()
    let next = try await TestHouse(reusing: house)
    #expect(next.player.calls.isEmpty)
    #expect(await next.coordinator.transport.state == .paused)
    _ = await next.command(#"{"command":"resume"}"#)
    guard case .play(let request) = try #require(next.player.calls.first) else {
      Issue.record("no play")
      return
    }
    #expect(request.startFrame == 42 * MediaFrame.rate)
    await next.kill()
  }

  @Test func `speakers are told goodbye`() async throws {
    let speaker = try TestSpeaker(id: 7, name: "Kitchen")
    let house = try await TestHouse(speakers: ["127.0.0.1:\(speaker.port)"])
    await house.eventually("the room is there") { !$0.live.isEmpty }
    await house.coordinator.shutDown()
    await house.eventually("goodbye has come") { _ in
      speaker.heard.contains { message in
        if case .goodbye(let goodbye) = message { goodbye.reason == .shuttingDown } else { false }
      }
    }
    await house.kill()
    speaker.die()
  }
}
