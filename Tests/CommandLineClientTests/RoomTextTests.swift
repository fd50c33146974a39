// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ControlAPI
import Testing

@testable import CommandLineClient

@Suite struct ErrorTextTests {
  private let text = ErrorText(ink: SampleRooms.full)

  @Test(arguments: [
    (0.04, "0.0 µs"), (4.26, "4.3 µs"), (9.94, "9.9 µs"), (9.96, "10 µs"), (999.4, "999 µs"),
    (999.6, "1.0 ms"), (1_240, "1.2 ms"), (99_940, "99.9 ms"), (250_000, "250 ms"),
    (2_500_000, "2.5 s"),
  ])
  func `times are in microseconds below one millisecond`(microseconds: Double, shown: String) {
    #expect(text.time(microseconds) == shown)
  }

  @Test func `a room is in time within what 99 of 100 blocks are`() {
    #expect(
      text.sentence(SampleRooms.health)
        == "in time within 12 µs (99 % of the last 5 min: 31 µs)")
    #expect(text.compact(SampleRooms.health) == "±12 µs")
    var short = SampleRooms.health
    short.syncErrorFiveMinutes?.soundingSeconds = 41.3
    #expect(text.sentence(short) == "in time within 12 µs (99 % of 41 s: 31 µs)")
  }

  @Test func `a room that is far off is not called in time`() {
    var health = SampleRooms.health
    health.syncErrorTenSeconds = SampleRooms.window(2_100, sounding: 10)
    #expect(text.sentence(health)?.hasPrefix("out of time by up to 2.1 ms") == true)
  }

  @Test func `silence has no figure, and an older speaker has its own`() {
    var health = SampleRooms.health
    health.syncErrorTenSeconds = nil
    #expect(text.compact(health) == nil)
    health.syncErrorFiveMinutes = nil
    #expect(text.compact(health) == "±9.0 µs")
    #expect(text.sentence(health) == "in time within 9.0 µs")
  }

  @Test func `where only ASCII is known nothing else is written`() {
    let plain = ErrorText(ink: Ink())
    #expect(plain.compact(SampleRooms.health) == "+-12 us")
    #expect(SyncPlot(ink: Ink()).line(SampleRooms.hour).allSatisfy { $0.isASCII })
  }

  @Test func `UTF-8 and colour are taken from the environment`() {
    func ink(_ environment: [String: String], _ isInteractive: Bool = true) -> Ink {
      Terminal.ink(environment, isInteractive: isInteractive)
    }
    #expect(ink(["LANG": "de_DE.UTF-8"]) == Ink(usesColour: true, usesUnicode: true))
    #expect(ink(["LANG": "de_DE.UTF-8", "LC_ALL": "C"]).usesUnicode == false)
    #expect(ink(["LANG": "C.utf8", "LC_ALL": ""]).usesUnicode)
    #expect(ink(["NO_COLOR": "1"]).usesColour == false)
    #expect(ink([:], false).usesColour == false)
  }
}

@Suite struct RoomTextTests {
  private let rooms = [SampleRooms.kitchen, SampleRooms.old, SampleRooms.gone]

  @Test func `a line a room at 80 columns`() {
    let lines = StatusText(columns: 80, ink: SampleRooms.full).rooms(rooms)
    #expect(lines[0] == "ROOM         STATE                     IN TIME  VOLUME  BUFFER  PACKETS")
    #expect(lines[1] == "Kitchen      playing                   ±12 µs   40      5.98 s  1000 (-4)")
    #expect(lines[2] == "Living room  playing                   ±2.3 ms  40      5.98 s  1000 (-4)")
    #expect(lines[3] == "Loft         gone, last seen 1:15 ago  -        40      -       -")
  }

  @Test func `what does not fit is left out column by column, the sync error late`() {
    let lines = StatusText(columns: 40, ink: SampleRooms.full).rooms([SampleRooms.kitchen])
    #expect(lines[0] == "ROOM     STATE    IN TIME  VOLUME")
  }

  @Test(arguments: [20, 40, 80, 200])
  func `nothing is wider than the terminal, colours not counted`(columns: Int) {
    let ink = Ink(usesColour: true, usesUnicode: true)
    let text = StatusText(columns: columns, ink: ink)
    var lines = text.rooms(rooms)
    for room in rooms {
      lines += text.details(room, hour: SampleRooms.hour, log: SampleRooms.log)
    }
    lines += LiveView(state: SampleRooms.state, group: nil)
      .lines(columns: columns, rows: 30, ink: ink)
    #expect(lines.allSatisfy { plain($0).count <= columns }, "\(lines.map(plain))")
  }

  @Test func `all that is known of a room`() {
    let text = StatusText(columns: 80, ink: SampleRooms.full)
    let lines = text.details(SampleRooms.kitchen, hour: SampleRooms.hour, log: SampleRooms.log)
    #expect(lines[0] == "Kitchen")
    #expect(lines[1] == "  in time within 12 µs (99 % of the last 5 min: 31 µs)")
    for expected in [
      "error, 10 s      p50 4.0 µs, p99 12 µs, max 24 µs, mean 2.5 µs early",
      "5 min            p50 10 µs, p99 31 µs, max 62 µs, mean 2.0 µs late",
      "1 hour           p50 4.0 µs, worst p99 500 µs, max 1.0 ms, mean 2.0 µs early",
      "clock            sigma 1.5 µs, bound 90 µs",
      "frequency        host -12.50 ppm, card 40.25 ppm",
      "output latency   42.0 ms",
      "device           0 underruns, 0 resyncs",
      "                 6 asked for again, 1 sent again for nothing",
      "latest packet    12.3 ms after it was sent; repaired -",
    ] {
      #expect(lines.contains("  " + expected), "\(expected) in \(lines)")
    }
    #expect(lines.contains { $0.contains("bound: how far off it could be") })
    #expect(lines.contains("  what happened"))
    #expect(lines.filter { $0.contains("4 packets lost") }.count == 3)
  }

  @Test func `the plot has a bar a minute, and a worse one where it was worse`() {
    let line = SyncPlot(ink: SampleRooms.full).line(SampleRooms.hour)
    #expect(line.count == 30)
    #expect(Set(line) == ["▂", "▆"])
    #expect(line.count { $0 == "▆" } == 1)
  }

  @Test func `a log says when, why, what was heard and what mended it`() {
    var text = LogText(columns: 200, ink: Ink())
    text.clock = { "\(Int($0) % 3_600)" }
    let log = RoomLogDocument(
      roomID: "a", roomName: "Kitchen",
      incidents: [SampleRooms.incident(1), SampleRooms.incident(2, duration: nil)])
    let words =
      "4 packets lost on the way, 80 ms in all; heard: 80 ms covered up; "
      + "mended: none: the music went on"
    #expect(text.lines(log) == ["860  " + words, "920  " + words])
    text = LogText(columns: 40, ink: Ink(), clock: { _ in "12:00:00" })
    #expect(
      text.lines(log, last: 1) == [
        "12:00:00  4 packets lost on the way, 80",
        "          ms in all",
        "          heard: 80 ms covered up",
        "          mended: none: the music went",
        "          on",
      ])
  }

  @Test func `an empty log says so`() {
    let log = RoomLogDocument(roomID: "a", roomName: "Kitchen", incidents: [])
    #expect(
      LogText(columns: 80, ink: Ink()).lines(log) == ["nothing has happened in the last hour"])
  }

  private func plain(_ line: String) -> String {
    var text = ""
    var isEscape = false
    for letter in line {
      if letter == "\u{1B}" { isEscape = true }
      if !isEscape { text.append(letter) }
      if isEscape, letter.isLetter { isEscape = false }
    }
    return text
  }
}

@Suite struct LiveViewTests {
  private func take(_ document: EventDocument, _ view: inout LiveView) throws -> Bool {
    view.take(document.name, try document.data())
  }

  @Test func `a line for a pipe names what plays and each room's error`() {
    let view = LiveView(state: SampleRooms.state, group: nil)
    #expect(view.line(ink: Ink()) == "playing 0:12 | Waltz | Kitchen +-12 us")
  }

  @Test func `a room's event changes its figure, and is no news for a pipe`() throws {
    var view = LiveView(state: SampleRooms.state, group: nil)
    let before = view
    var room = SampleRooms.kitchen
    room.health?.syncErrorTenSeconds = SampleRooms.window(77, sounding: 10)
    let isNew = try take(.room(room), &view)
    #expect(isNew)
    #expect(view.line(ink: Ink()).contains("+-77 us"))
    #expect(!view.isNews(after: before))
    _ = try take(.room(SampleRooms.gone), &view)
    #expect(view.isNews(after: before))
    #expect(view.line(ink: Ink()).hasSuffix("Loft gone, last seen 1:15 ago"))
  }

  @Test func `the absence of a room that is gone grows while one watches`() throws {
    var view = LiveView(state: SampleRooms.state, group: nil)
    _ = view.take("room", try EventDocument.room(SampleRooms.gone).data(), at: 100)
    _ = view.take("room", try EventDocument.room(SampleRooms.other).data(), at: 130)
    #expect(view.line(ink: Ink()).contains("Loft gone, last seen 1:45 ago"))
  }

  @Test func `events that were missed are asked for`() throws {
    var view = LiveView(state: SampleRooms.state, group: nil)
    let isNew = try take(.reset, &view)
    #expect(!isNew)
    #expect(view.needsState)
    view.restart(with: SampleRooms.state)
    #expect(!view.needsState)
    let broken = view.take("room", Array("{".utf8))
    let later = view.take("later", Array("{}".utf8))
    #expect(!broken && !later)
  }

  @Test func `a house larger than the terminal says how much is missing`() {
    var state = SampleRooms.state
    for number in 0..<20 {
      var room = SampleRooms.kitchen
      room.id = "\(number)"
      state.rooms.append(room)
      state.groups[0].roomIDs.append(room.id)
    }
    let lines = LiveView(state: state, group: nil).lines(columns: 80, rows: 10, ink: Ink())
    #expect(lines.count == 10)
    #expect(lines.last == "... and 17 lines more")
  }
}
