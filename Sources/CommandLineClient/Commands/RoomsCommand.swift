// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI

/// `rooms`: a line a room, all that is known, or what happened in one.
struct RoomsCommand {
  let context: CommandRun

  func run() throws(ClientFailure) {
    let state = try context.house.state()
    if let name = context.arguments[TuttiCommandLine.log] {
      return try showLog(try context.house.room(name, of: state))
    }
    let isVerbose = context.arguments[TuttiCommandLine.verbose]
    let rooms = try context.house.rooms(of: state)
    if context.wantsJSON, isVerbose {
      try context.printJSON(try records(of: rooms))
    } else if context.wantsJSON {
      try context.printJSON(RoomListDocument(rooms: rooms))
    } else if isVerbose, !rooms.isEmpty {
      try showDetails(rooms)
    } else {
      context.printLines(context.text.rooms(rooms))
    }
  }

  private func records(of rooms: [RoomDocument]) throws(ClientFailure) -> RoomRecordsDocument {
    var document = RoomRecordsDocument(rooms: rooms)
    for room in rooms {
      if let sync = try context.house.sync(room) { document.sync.append(sync) }
      if let log = try context.house.log(room) { document.logs.append(log) }
    }
    return document
  }

  private func showDetails(_ rooms: [RoomDocument]) throws(ClientFailure) {
    var lines: [String] = []
    for room in rooms {
      if !lines.isEmpty { lines.append("") }
      lines += context.text.details(
        room, hour: try context.house.sync(room), log: try context.house.log(room))
    }
    context.printLines(lines)
  }

  private func showLog(_ room: RoomDocument) throws(ClientFailure) {
    guard let log = try context.house.log(room) else {
      throw .failed("this coordinator keeps no log; it needs an update")
    }
    if context.wantsJSON { return try context.printJSON(log) }
    let text = LogText(columns: context.terminal.columns, ink: context.terminal.ink)
    context.printLines(text.lines(log))
  }
}
