// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct TimeTextTests {
  @Test(arguments: [
    ("0", 0.0), ("90", 90), ("1:30", 90), ("1:02:03", 3_723), ("12.5", 12.5), ("0:00.5", 0.5),
  ])
  func `a time is read`(text: String, seconds: Double) {
    #expect(TimeText.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", ":", "1:", ":30", "1:75", "-5", "+5", "1:2:3:4", "abc", "1.2.3", "nan", "1e9",
  ])
  func `what is no time is refused`(text: String) {
    #expect(TimeText.seconds(text) == nil)
  }

  @Test(arguments: [(0.0, "0:00"), (59.9, "0:59"), (61, "1:01"), (3_723, "1:02:03"), (-3, "0:00")])
  func `a time is shown as clocks do`(seconds: Double, text: String) {
    #expect(TimeText.clock(seconds) == text)
  }

  @Test func `a time that is none is shown as none`() {
    #expect(TimeText.clock(.nan) == "-:--")
    #expect(TimeText.clock(.infinity) == "-:--")
  }
}

@Suite struct VolumeWordTests {
  @Test func `volumes are absolute or relative`() {
    #expect(VolumeCommand.change("40") == .absolute(40))
    #expect(VolumeCommand.change("+5") == .relative(5))
    #expect(VolumeCommand.change("-5") == .relative(-5))
    #expect(VolumeCommand.change("0") == .absolute(0))
  }

  @Test(arguments: ["", "101", "+101", "5.5", "kitchen", "+", "-", "--5", "1e2"])
  func `what is no volume is refused`(word: String) {
    #expect(VolumeCommand.change(word) == nil)
  }
}

@Suite struct NameMatchTests {
  let rooms = ["Kitchen", "Kitchen 2", "Living room", "Loft"].enumerated().map {
    RoomDocument(id: "id\($0.offset)", name: $0.element, state: .idle, groupID: "house")
  }

  private func match(_ word: String) throws -> String {
    try NameMatch(word, among: rooms, name: \.name, id: \.id).only(kind: "room").name
  }

  @Test func `a room is known by name, id, or the start of its name`() throws {
    #expect(try match("kitchen") == "Kitchen")
    #expect(try match("LIV") == "Living room")
    #expect(try match("id3") == "Loft")
  }

  @Test(arguments: ["l", "bath"])
  func `an ambiguous or unknown name lists the choices`(word: String) {
    let failure = #expect(throws: ClientFailure.self) { try match(word) }
    #expect(failure?.description.contains("'Living room'") == true)
    #expect(failure?.exitCode == 1)
  }

  @Test func `a near miss is answered with what was meant`() {
    let failure = #expect(throws: ClientFailure.self) { try match("lofft") }
    #expect(failure?.description.contains("did you mean 'Loft'?") == true)
  }
}

@Suite struct StatusTextTests {
  private func room(_ name: String, connected: Bool = true) -> RoomDocument {
    var room = RoomDocument(id: name, name: name, state: .playing, groupID: "house")
    room.isConnected = connected
    room.volume = 25
    room.lastSeenSecondsAgo = connected ? nil : 75
    var health = RoomHealthDocument()
    health.bufferedMilliseconds = 5_980
    health.syncErrorP99Microseconds = 17.4
    health.packets.received = 300
    room.health = health
    return room
  }

  private let text = StatusText(columns: 80)

  @Test func `a playing room shows buffer and sync error`() {
    let lines = text.rooms([room("Kitchen")])
    #expect(lines[1].contains("Kitchen"))
    #expect(lines[1].contains("5.98 s"))
    #expect(lines[1].contains("17 us"))
  }

  @Test func `a vanished room says since when`() {
    #expect(text.rooms([room("Kitchen", connected: false)])[1].contains("last seen 1:15 ago"))
  }

  @Test func `the position has a bar`() {
    let playback = PlaybackDocument(
      state: .playing, item: QueueItemDocument(id: 1, title: "Tune", location: "/tune.flac"),
      positionSeconds: 30, durationSeconds: 60)
    let group = GroupDocument(
      id: "house", name: "House", roomIDs: [], volume: 25, isMuted: false, playback: playback,
      queue: QueueDocument(revision: 1, items: []))
    let lines = text.playback(group)
    #expect(lines[0] == "Tune")
    #expect(lines[1].contains("0:30 [====="))
    #expect(lines[1].contains("] 1:00"))
  }

  @Test func `no line is wider than the terminal`() {
    let narrow = StatusText(columns: 30)
    #expect(narrow.rooms([room("A very long name of a room")]).allSatisfy { $0.count <= 30 })
  }

  @Test(arguments: [(1.005, 2, "1.00"), (-0.5, 0, "-1"), (12.345, 1, "12.3"), (0.05, 2, "0.05")])
  func `numbers are rounded to their digits`(value: Double, digits: Int, text: String) {
    #expect(number(value, digits) == text)
  }

  @Test func `numbers that are none do not trap`() {
    #expect(number(.nan, 1) == "?")
    #expect(number(.infinity, 0) == "?")
  }
}
