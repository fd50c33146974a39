// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// The main job, with the real programs: files in, music in two rooms.
@Suite(.serialized) struct PlayingTests {
  @Test func `two rooms appear, play, pause, go on and stop`() throws {
    let house = try TestHouse(rooms: ["Kitchen", "Living room"])
    let tune = try house.music("tune.flac", seconds: 30)
    try #require(house.untilRoomsAppear(2))
    #expect(try house.tutti("play", tune).code == 0)
    let playing = try house.state { state in
      state.rooms.allSatisfy { $0.state == .playing }
        && state.groups.first?.playback.state == .playing
    }
    #expect(playing.groups.first?.playback.item?.location.contains("tune.flac") == true)
    #expect(playing.rooms.allSatisfy { $0.state == .playing }, "\(playing.rooms)")

    #expect(try house.tutti("pause").code == 0)
    let paused = try house.state { $0.groups.first?.playback.state == .paused }
    let place = paused.groups.first?.playback.positionSeconds ?? -1
    #expect(place > 0)
    #expect(try house.tutti("resume").code == 0)
    let resumed = try house.state {
      ($0.groups.first?.playback.positionSeconds ?? 0) > place + 0.2
    }
    #expect(resumed.groups.first?.playback.state == .playing)

    #expect(try house.tutti("seek", "20").code == 0)
    let sought = try house.state { ($0.groups.first?.playback.positionSeconds ?? 0) >= 20 }
    #expect((sought.groups.first?.playback.positionSeconds ?? 0) < 28)
    #expect(try house.tutti("stop").code == 0)
    let stopped = try house.state { $0.groups.first?.playback.state == .stopped }
    #expect(stopped.groups.first?.playback.state == .stopped)
  }

  @Test func `a bad file is named and the queue goes on`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let good = try house.music("good.wav", seconds: 5)
    let bad = house.place.path("music/bad.flac")
    try Data("this is not audio".utf8).write(to: URL(filePath: bad))
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", bad, good).code == 0)
    let state = try house.state {
      $0.groups.first?.playback.item?.location.contains("good.wav") == true
        && $0.groups.first?.playback.state == .playing
    }
    let items = state.groups.first?.queue.items ?? []
    #expect(items.first?.problem?.isEmpty == false, "\(items)")
    #expect(state.groups.first?.playback.item?.location.contains("good.wav") == true)
  }

  @Test func `when nothing is playable playback stops and says why`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let bad = house.place.path("music/empty.mp3")
    try Data().write(to: URL(filePath: bad))
    try #require(house.untilRoomsAppear(1))
    _ = try house.tutti("play", bad)
    let state = try house.state {
      $0.groups.first?.playback.state == .stopped && $0.groups.first?.playback.problem != nil
    }
    #expect(state.groups.first?.playback.problem?.contains("empty.mp3") == true, "\(state.groups)")
  }

  @Test func `a file that is not there changes nothing`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    try #require(house.untilRoomsAppear(1))
    let answer = try house.tutti("play", house.place.path("absent.flac"))
    #expect(answer.code == 1)
    #expect(answer.text.contains("absent.flac"), "\(answer.text)")
    let state = try house.state { _ in true }
    #expect(state.groups.first?.queue.items.isEmpty == true)
  }

  @Test func `a file from outside the music folders is sent along`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("mine.mp3", seconds: 8, inLibrary: false)
    try #require(house.untilRoomsAppear(1))
    let answer = try house.tutti("play", tune)
    #expect(answer.code == 0, "\(answer.text)")
    let state = try house.state { $0.rooms.first?.state == .playing }
    #expect(state.rooms.first?.state == .playing)
  }

  @Test func `volumes are kept and a first one is gentle`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    try #require(house.untilRoomsAppear(1))
    #expect(try house.state { _ in true }.rooms.first.map { $0.volume <= 25 } == true)
    #expect(try house.tutti("volume", "kitchen", "40").code == 0)
    #expect(try house.tutti("volume", "kitchen", "-5").code == 0)
    let state = try house.state { $0.rooms.first?.volume == 35 }
    #expect(state.rooms.first?.volume == 35)
    try house.restartCoordinator(with: SIGKILL)
    try #require(house.untilRoomsAppear(1))
    #expect(try house.state { $0.rooms.first?.volume == 35 }.rooms.first?.volume == 35)
  }

  @Test func `a coordinator killed while playing goes on at the same place`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("long.flac", seconds: 60)
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", tune).code == 0)
    let before = try house.state { ($0.groups.first?.playback.positionSeconds ?? 0) > 2 }
    let place = before.groups.first?.playback.positionSeconds ?? 0
    try house.restartCoordinator(with: SIGKILL)
    let after = try house.state {
      $0.groups.first?.playback.state == .playing
        && ($0.groups.first?.playback.positionSeconds ?? 0) > place
    }
    #expect(after.groups.first?.playback.state == .playing)
    #expect((after.groups.first?.playback.positionSeconds ?? 99) < place + 15)
  }

  @Test func `a speaker that comes back plays on`() throws {
    let house = try TestHouse(rooms: ["Kitchen", "Living room"])
    let tune = try house.music("long.wav", seconds: 60)
    try #require(house.untilRoomsAppear(2))
    #expect(try house.tutti("play", tune).code == 0)
    _ = try house.state { $0.rooms.allSatisfy { $0.state == .playing } }
    try house.killSpeaker("Kitchen")
    let gone = try house.state { $0.rooms.contains { !$0.isConnected } }
    #expect(gone.rooms.contains { $0.name == "Living room" && $0.state == .playing })
    try house.startSpeaker("Kitchen")
    let back = try house.state { $0.rooms.allSatisfy { $0.state == .playing } }
    #expect(back.rooms.allSatisfy { $0.state == .playing }, "\(back.rooms)")
  }

  @Test(arguments: ["group", "scene", "sleep", "announce", "pair"])
  func `what is not built yet says so`(command: String) throws {
    let house = try TestHouse(rooms: [])
    #expect(house.untilRoomsAppear(0))
    let answer = try house.tutti(command)
    #expect(answer.code == 1)
    #expect(answer.text.contains("not yet"), "\(answer.text)")
  }

  @Test func `the daemons stop cleanly on SIGTERM`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    try #require(house.untilRoomsAppear(1))
    #expect(house.coordinator?.stop() == 0)
    #expect(house.speakers["Kitchen"]?.stop() == 0)
  }
}
