// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// That each room is in time is measured, kept and shown, and so is what happened to it.
@Suite(.serialized) struct RoomProofTests {
  @Test func `a playing room says how well it is in time, over every window`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("tune.flac", seconds: 40)
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", tune).code == 0)
    let state = try house.state { state in
      (state.rooms.first?.health?.syncErrorTenSeconds?.soundingSeconds ?? 0) > 3
    }
    let health = try #require(state.rooms.first?.health)
    let ten = try #require(health.syncErrorTenSeconds)
    let five = try #require(health.syncErrorFiveMinutes)
    #expect(ten.p50Microseconds <= ten.p99Microseconds)
    #expect(ten.p99Microseconds <= ten.maxMicroseconds)
    #expect(abs(ten.meanMicroseconds) <= ten.maxMicroseconds)
    // A timed output on a busy machine: in time at all, not how well.
    #expect(ten.p50Microseconds < 2_000, "\(ten)")
    #expect(five.soundingSeconds >= ten.soundingSeconds)
    #expect(health.syncErrorP99Microseconds != nil)
    let rooms = try house.tutti("rooms").text
    #expect(rooms.contains("IN TIME") && rooms.contains("s  "), "\(rooms)")
    let details = try house.tutti("rooms", "--verbose").text
    #expect(details.contains("in time within"), "\(details)")
    #expect(details.contains("bound") && details.contains("what happened"), "\(details)")
    let kept = try house.records { ($0.sync.first?.samples.count ?? 0) > 0 }
    let sample = try #require(kept.sync.first?.samples.first)
    #expect(sample.clockSigmaMicroseconds != nil)
    #expect(abs(sample.endedUnixSeconds - Date().timeIntervalSince1970) < 60)
    #expect(kept.sync.first?.intervalSeconds == 10)
  }

  @Test func `a room that does not play has no sync error`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    try #require(house.untilRoomsAppear(1))
    let state = try house.state { $0.rooms.first?.health != nil }
    let health = try #require(state.rooms.first?.health)
    #expect(health.syncErrorTenSeconds == nil)
    #expect(health.syncErrorP99Microseconds == nil)
    #expect(try house.tutti("rooms", "--log", "kitchen").text.contains("nothing has happened"))
  }

  @Test func `a speaker that was killed is in its room's log, with how long it was away`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    try #require(house.untilRoomsAppear(1))
    _ = try house.state { $0.rooms.first?.health != nil }
    try house.killSpeaker("Kitchen")
    _ = try house.state { $0.rooms.first?.isConnected == false }
    let away = try house.log("Kitchen")
    #expect(away.incidents.map(\.kind) == [.link])
    #expect(away.incidents.first?.durationSeconds == nil)
    try house.startSpeaker("Kitchen")
    try #require(house.untilRoomsAppear(1))
    let back = try #require(try house.log("Kitchen").incidents.first)
    #expect(back.durationSeconds != nil)
    #expect(back.cause.contains("the speaker's program began anew"))
    let words = try house.tutti("rooms", "--log", "kitchen").text
    #expect(words.contains("the control link broke"), "\(words)")
  }

  @Test func `a speaker that is held up runs dry, and its log says so`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("tune.flac", seconds: 40)
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", tune).code == 0)
    _ = try house.state { $0.rooms.first?.state == .playing }
    let process = try #require(house.speakers["Kitchen"]?.process)
    kill(process.processIdentifier, SIGSTOP)
    poll(nil, 0, 700)
    kill(process.processIdentifier, SIGCONT)
    let state = try house.state { ($0.rooms.first?.health?.underruns ?? 0) > 0 }
    let health = try #require(state.rooms.first?.health)
    #expect(health.underruns > 0)
    let kept = try house.records {
      $0.logs.first?.incidents.contains { $0.kind == .device } == true
    }
    let incident = try #require(kept.logs.first?.incidents.first { $0.kind == .device })
    #expect(incident.counted.underruns > 0)
    #expect(incident.cause.contains("ran dry"), "\(incident)")
  }

  @Test func `watching outlives the coordinator, and Ctrl-C ends it well`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("tune.flac", seconds: 60)
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", tune).code == 0)
    let watch = try RunningProgram(
      "tutti",
      ["--server", "unix:\(house.place.path("coordinator/control.sock"))", "status", "--watch"],
      environment: ["LC_ALL": "C.UTF-8"])
    #expect(watch.line(containing: "Kitchen \u{B1}") != nil, "\(watch.text)")
    try house.restartCoordinator(with: SIGKILL)
    #expect(watch.line(containing: "waiting for it") != nil, "\(watch.text)")
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("pause").code == 0)
    #expect(watch.line(containing: "paused") != nil, "\(watch.text)")
    #expect(!watch.text.contains("\u{1B}"), "no escapes in a pipe")
    watch.process.interrupt()
    #expect(watch.exitCode() == 0)
  }
}

extension TestHouse {
  /// What happened in a room.
  func log(_ room: String) throws -> RoomLogDocument {
    let answer = try tutti("--json", "rooms", "--log", room)
    return try JSONDecoder().decode(RoomLogDocument.self, from: Data(answer.text.utf8))
  }

  /// The rooms' last hour, asked for until it satisfies `wanted` or the time is up.
  func records(
    within seconds: Double = 25, _ wanted: (RoomRecordsDocument) -> Bool
  ) throws -> RoomRecordsDocument {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      let answer = try tutti("--json", "rooms", "--verbose")
      let text = Data(answer.text.utf8)
      let records = try? JSONDecoder().decode(RoomRecordsDocument.self, from: text)
      if let records, wanted(records) || Date() > deadline { return records }
      if Date() > deadline { throw NoState(answer: answer.text) }
      poll(nil, 0, 200)
    }
  }
}
