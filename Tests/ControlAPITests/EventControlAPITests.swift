// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@Suite struct EventControlAPITests {
  @Test(arguments: [
    EventDocument.room(SampleHouse.kitchen), .roomForgotten(id: "ab12"),
    .group(SampleHouse.group), .playback(groupID: "house", SampleHouse.playback),
    .playback(groupID: "house", SampleHouse.station),
    .queue(groupID: "house", SampleHouse.queue), .job(SampleHouse.job), .library(revision: 7),
    .reset,
  ])
  func `each event survives a round trip in one line`(event: EventDocument) throws {
    let data = try event.data()
    #expect(!data.contains(UInt8(ascii: "\n")))
    #expect(try EventDocument(name: event.name, data: data) == event)
  }

  @Test func `an event of a later version is passed over`() throws {
    #expect(try EventDocument(name: "lyrics", data: []) == nil)
  }

  @Test func `events bring a state up to date`() {
    var state = SampleHouse.state
    var room = SampleHouse.kitchen
    room.volume = 3
    state.apply(.room(room))
    #expect(state.rooms == [room])

    let other = RoomDocument(id: "ef56", name: "Bath", state: .idle, groupID: "house")
    state.apply(.room(other))
    state.apply(.roomForgotten(id: room.id))
    #expect(state.rooms == [other])

    state.apply(.playback(groupID: "house", PlaybackDocument(state: .stopped)))
    state.apply(.queue(groupID: "house", QueueDocument(revision: 4, items: [])))
    state.apply(.playback(groupID: "nowhere", SampleHouse.playback))
    #expect(state.groups[0].playback.state == .stopped)
    #expect(state.groups[0].queue.revision == 4)
  }
}

@Suite struct RouteControlAPITests {
  @Test(arguments: [
    APIRoute.state, .rooms, .room(id: "a/b c%"), .roomCommands(id: "é"), .group(id: "house"),
    .groupCommands(id: "house"), .uploads, .events, .health,
    .queue(id: "house"), .queueItem(id: "house", item: "12"), .savedQueues,
    .savedQueue(name: "a/b ü"), .metrics, .libraryScan, .libraryFailures, .jobs, .job(id: "scan-1"),
  ])
  func `each address survives a round trip`(route: APIRoute) {
    #expect(APIRoute(path: route.path) == route)
  }

  @Test(arguments: [
    "", "/", "/api", "/api/v1", "/api/v1/", "/api/v1/state/", "/api/v1/rooms//commands",
    "/api/v1/rooms/%zz", "/api/v1/rooms/%ff", "/api/v2/state", "/api/v1/rooms/a/b",
    "/api/v1/rooms/a/commands/b",
  ])
  func `other addresses are none`(path: String) {
    #expect(APIRoute(path: path) == nil)
  }

  @Test func `every text survives percent coding`() {
    for text in ["", "a", "ä b/c?d=e&f#g%", "\u{1F3B5}\n"] {
      #expect(PercentCoding.decode(PercentCoding.encode(text)) == text)
    }
    #expect(PercentCoding.encode("a b/é~") == "a%20b%2F%C3%A9~")
  }
}
