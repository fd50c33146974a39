// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// `volume`, `mute` and `unmute`.
struct VolumeCommand {
  let context: CommandRun

  /// Shows or changes volumes: `volume`, `volume 40`, `volume -5`, `volume kitchen`, `volume kitchen +5`.
  func run() throws(ClientFailure) {
    let words = context.operands
    switch words.count {
    case 0: try show(nil)
    case 1:
      if let change = Self.change(words[0]) {
        try context.tell(.volume(change))
      } else {
        try show(words[0])
      }
    default:
      guard let change = Self.change(words[1]) else {
        throw .usage("'\(words[1])' is no volume; try 40, +5 or -5 (0 to 100)")
      }
      try set(words[0], change)
    }
  }

  /// Silences a room or the group, or ends that.
  func mute(_ isMuted: Bool) throws(ClientFailure) {
    guard let name = context.operands.first, name != "group" else {
      return try context.tell(.mute(isMuted))
    }
    let room = try context.house.room(name, of: try context.house.state())
    try finish(try context.house.send(RoomCommand.mute(isMuted), to: room))
  }

  /// Reads `40`, `+5` or `-5`; nil for anything else.
  static func change(_ word: String) -> VolumeChange? {
    guard let first = word.first else { return nil }
    if first == "+" || first == "-" {
      guard word.dropFirst().allSatisfy(\.isWholeNumber), let step = Int(word),
        abs(step) <= 100
      else { return nil }
      return .relative(step)
    }
    guard word.allSatisfy(\.isWholeNumber), let level = Int(word), level <= 100 else { return nil }
    return .absolute(level)
  }

  private func set(_ name: String, _ change: VolumeChange) throws(ClientFailure) {
    if name == "group" { return try context.tell(.volume(change)) }
    let room = try context.house.room(name, of: try context.house.state())
    try finish(try context.house.send(RoomCommand.volume(change), to: room))
  }

  private func finish(_ outcome: OutcomeDocument) throws(ClientFailure) {
    if context.wantsJSON { try context.printJSON(outcome) }
  }

  private func show(_ name: String?) throws(ClientFailure) {
    let state = try context.house.state()
    var rooms = try context.house.rooms(of: state)
    if let name, name != "group" { rooms = [try context.house.room(name, of: state)] }
    if context.wantsJSON { return try context.printJSON(RoomListDocument(rooms: rooms)) }
    var table = TextTable(head: ["ROOM", "VOLUME"])
    if name == nil || name == "group" {
      let group = try context.house.group(of: state)
      table.rows.append(["group", "\(group.volume)\(group.isMuted ? " muted" : "")"])
    }
    for room in rooms {
      table.rows.append([room.name, "\(room.volume)\(room.isMuted ? " muted" : "")"])
    }
    context.printLines(table.lines(columns: context.terminal.columns))
  }
}
