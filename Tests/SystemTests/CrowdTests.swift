// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// Many who watch, and one who does not read what it asked for.
@Suite(.serialized) struct CrowdTests {
  @Test func `two hundred listeners and a slow one do not disturb the music`() throws {
    let house = try TestHouse(rooms: ["Kitchen"])
    let tune = try house.music("tune.flac", seconds: 60)
    try #require(house.untilRoomsAppear(1))
    #expect(try house.tutti("play", tune).code == 0)
    let before = try health(of: house) { $0.packets.received > 100 }
    let socket = ControlSocket(path: house.place.path("coordinator/control.sock"))
    var listeners: [Int32] = []
    defer { for listener in listeners { close(listener) } }
    for _ in 0..<201 {
      let listener = try #require(socket.send("GET", "/api/v1/events"))
      listeners.append(listener)
    }
    // The first never reads; the others do, for a while in which each volume is an event for all.
    var heard = [Int](repeating: 0, count: listeners.count)
    let commands = "/api/v1/rooms/Kitchen/commands"
    let began = Date()
    var level = 0
    while Date().timeIntervalSince(began) < 5 {
      level = (level + 1) % 25
      let answer = socket.ask("POST", commands, #"{"command":"volume","level":\#(level)}"#)
      #expect(answer?.status == 200)
      drain(listeners, into: &heard)
    }
    #expect(heard.dropFirst().allSatisfy { $0 > 1_000 }, "\(heard.min() ?? 0)")
    let after = try health(of: house) { $0.packets.received > before.packets.received + 200 }
    #expect(after.packets.lost == before.packets.lost)
    #expect(after.packets.late == before.packets.late)
    #expect(after.packets.concealed == before.packets.concealed)
    #expect(after.underruns == before.underruns)
  }

  private func health(
    of house: TestHouse, _ wanted: (RoomHealthDocument) -> Bool
  ) throws -> RoomHealthDocument {
    let state = try house.state { $0.rooms.first?.health.map(wanted) ?? false }
    return try #require(state.rooms.first?.health)
  }

  /// Reads what is there, without waiting, from all but the first.
  private func drain(_ listeners: [Int32], into heard: inout [Int]) {
    var chunk = [UInt8](repeating: 0, count: 65_536)
    for (index, listener) in listeners.enumerated().dropFirst() {
      let count = recv(listener, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      if count > 0 { heard[index] += count }
    }
  }
}
