// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Foundation
import Testing

/// The queue from the command line, with the real programs.
@Suite(.serialized) struct QueueTests {
  private func titles(_ house: TestHouse) throws -> [String] {
    let text = try house.tutti("--json", "queue", "list").text
    let queue = try JSONDecoder().decode(QueueDocument.self, from: Data(text.utf8))
    return queue.items.map(\.title)
  }

  @Test func `a queue is made, ordered, saved and loaded`() throws {
    let house = try TestHouse(rooms: [])
    let tune = try house.music("a.wav", seconds: 1)
    for name in ["b", "c", "d"] {
      try FileManager.default.copyItem(atPath: tune, toPath: house.place.path("music/\(name).wav"))
    }
    #expect(house.untilRoomsAppear(0))
    let files = ["a", "b", "c", "d"].map { house.place.path("music/\($0).wav") }
    #expect(try house.tutti("queue", "add", files[0], files[1]).code == 0)
    #expect(try house.tutti("queue", "insert", files[2]).code == 0)
    #expect(try titles(house) == ["a", "c", "b"])
    #expect(try house.tutti("queue", "add", "--before", "2", files[3]).code == 0)
    #expect(try titles(house) == ["a", "d", "c", "b"])
    #expect(try house.tutti("queue", "move", "3-4", "1").code == 0)
    #expect(try titles(house) == ["c", "b", "a", "d"])
    #expect(try house.tutti("queue", "remove", "2", "4").code == 0)
    #expect(try titles(house) == ["c", "a"])
    #expect(try house.tutti("queue", "save", "Two").code == 0)
    let again = try house.tutti("queue", "save", "Two")
    #expect(again.code == 1 && again.text.contains("Two"), "\(again.text)")
    #expect(try house.tutti("queue", "clear").code == 0)
    #expect(try house.tutti("queue").text.contains("empty"))
    #expect(try house.tutti("queue", "load", "Two").code == 0)
    #expect(try titles(house) == ["c", "a"])
    #expect(try house.tutti("queue", "saved").text.contains("Two"))
    #expect(try house.tutti("queue", "delete", "Two").code == 0)
    #expect(try house.tutti("queue", "load", "Two").code == 1)
    #expect(try house.tutti("queue", "remove", "9").code == 1)
    #expect(try house.tutti("queue", "dance").code == 2)
  }

  @Test func `modes are shown and chosen, and playing begins where it is told`() throws {
    let house = try TestHouse(rooms: [])
    _ = try house.music("a.wav", seconds: 60)
    _ = try house.music("b.wav", seconds: 60)
    #expect(house.untilRoomsAppear(0))
    #expect(try house.tutti("repeat").text == "repeat is off")
    #expect(try house.tutti("repeat", "all").code == 0)
    #expect(try house.tutti("repeat").text == "repeat is all")
    #expect(try house.tutti("repeat", "twice").code == 2)
    #expect(try house.tutti("play", "--from", "2", house.place.path("music")).code == 0)
    let playing = try house.state { $0.groups.first?.playback.item?.title == "b" }
    #expect(playing.groups.first?.playback.item?.title == "b")
    #expect(try house.tutti("shuffle", "on").code == 0)
    let state = try house.state { $0.groups.first?.queue.shuffle == true }
    #expect(state.groups.first?.queue.items.map(\.title) == ["b", "a"])
    #expect(state.groups.first?.playback.item?.title == "b")
    #expect(try house.tutti("shuffle", "off").code == 0)
    #expect(try titles(house) == ["a", "b"])
    #expect(try house.tutti("queue", "play", "1").code == 0)
    let first = try house.state { $0.groups.first?.playback.item?.title == "a" }
    #expect(first.groups.first?.playback.item?.title == "a")
  }
}
