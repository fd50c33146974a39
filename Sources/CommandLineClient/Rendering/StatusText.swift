// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// The house in words: what `status` and `rooms` print.
struct StatusText {
  let columns: Int
  var ink = Ink()
  private var errors: ErrorText { ErrorText(ink: ink) }

  init(columns: Int, ink: Ink = Ink()) {
    self.columns = columns
    self.ink = ink
  }

  /// Track, position, and a line a room.
  func status(_ state: StateDocument, group: GroupDocument) -> [String] {
    playback(group) + [""] + rooms(state.rooms.filter { group.roomIDs.contains($0.id) })
  }

  /// The head: what plays.
  func playback(_ group: GroupDocument) -> [String] {
    var lines: [String] = []
    let playback = group.playback
    if let item = playback.item, playback.state != .stopped {
      lines.append(ink.paint(fitted(item.title), .bold))
      let by = BroadcastText.now(playback) ?? Self.joined([item.artist, item.album])
      if !by.isEmpty { lines.append(fitted(by)) }
    }
    lines.append(fitted(position(playback, in: group.queue)))
    lines += BroadcastText.before(playback).map(fitted)
    if let problem = playback.problem { lines += warning(problem) }
    return lines
  }

  /// A line of heads and one a room.
  func rooms(_ rooms: [RoomDocument]) -> [String] {
    guard !rooms.isEmpty else {
      return ["No rooms yet: start tutti-speaker in one, or name it with --speaker."]
    }
    var table = TextTable(head: ["ROOM", "STATE", "IN TIME", "VOLUME", "BUFFER", "PACKETS"])
    for room in rooms { table.rows.append(cells(room)) }
    table.ink = ink
    table.paint = { row, column in paint(rooms[row], column) }
    return table.lines(columns: columns) + rooms.flatMap(trouble)
  }

  /// Everything that is known of one room, what happened there lately last.
  func details(
    _ room: RoomDocument, hour: RoomSyncDocument? = nil, log: RoomLogDocument? = nil
  ) -> [String] {
    let health = room.isConnected ? room.health : nil
    var lines = [ink.paint(fitted(room.name), .bold)]
    if let health, let sentence = errors.sentence(health) {
      lines.append(ink.paint(fitted("  " + sentence), ErrorText.paint(ErrorText.current(health))))
    }
    var facts = [
      ("state", stateWord(room)), ("id", room.id), ("address", room.address),
      ("output", room.output), ("version", room.softwareVersion),
      ("volume", volumeWord(room)),
      ("latency setting", "\(number(room.latencySettingMilliseconds, 1)) ms"),
    ]
    if let health { facts += HealthText(ink: ink).facts(health, hour: hour) }
    lines += pairs(facts)
    if let log {
      lines.append("  what happened")
      lines += LogText(columns: columns - 4, ink: ink).lines(log, last: Self.lastIncidents)
        .map { "    " + $0 }
    }
    return lines
  }

  /// So many incidents are shown with everything else; `--log` shows all.
  private static let lastIncidents = 3

  /// Words on the left, what they mean on the right, broken to fit.
  private func pairs(_ facts: [(String, String)]) -> [String] {
    let width = facts.map(\.0.count).max() ?? 0
    return facts.flatMap { word, value in
      wrap(value, to: max(10, columns - width - 4)).enumerated().map { index, text in
        let left = index == 0 ? word : ""
        return fitted("  \(left)\(String(repeating: " ", count: width - left.count))  \(text)")
      }
    }
  }

  private func position(_ playback: PlaybackDocument, in queue: QueueDocument) -> String {
    let word: String =
      switch playback.state {
      case .playing: "playing"
      case .paused: "paused"
      case .stopped: "stopped"
      case .unknown: "unknown"
      }
    guard playback.state != .stopped, let at = playback.positionSeconds else {
      return "\(word), \(queue.count) in the queue"
    }
    guard let duration = playback.durationSeconds, duration > 0 else {
      return "\(word)  \(TimeText.clock(at))" + BroadcastText.kind(playback)
    }
    let width = min(40, max(10, columns - 30))
    let bar = ProgressBar(width: width).text(fraction: at / duration)
    return "\(word)  \(TimeText.clock(at)) \(bar) \(TimeText.clock(duration))"
  }

  private func cells(_ room: RoomDocument) -> [String] {
    let health = room.isConnected ? room.health : nil
    return [
      room.name, stateWord(room), health.flatMap(errors.compact) ?? "-", volumeWord(room),
      health.map { "\(number($0.bufferedMilliseconds / 1000, 2)) s" } ?? "-",
      health.map { "\($0.packets.received) (-\($0.packets.lost + $0.packets.late))" } ?? "-",
    ]
  }

  private func paint(_ room: RoomDocument, _ column: Int) -> Ink.Paint {
    switch column {
    case 1: !room.isConnected || room.state == .trouble ? .bad : .plain
    case 2: ErrorText.paint(room.isConnected ? room.health.flatMap(ErrorText.current) : nil)
    default: .plain
    }
  }

  private func trouble(_ room: RoomDocument) -> [String] {
    room.detail.isEmpty ? [] : warning("\(room.name): \(room.detail)")
  }

  /// Words that must be read: broken to fit, never cut.
  private func warning(_ text: String) -> [String] {
    wrap("! " + text, to: max(10, columns)).map { ink.paint($0, .bad) }
  }

  /// What there is of `parts`, with dashes between.
  static func joined(_ parts: [String?]) -> String {
    parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " - ")
  }

  private func fitted(_ text: String) -> String {
    DisplayWidth.prefix(DisplayWidth.printable(text), max(1, columns))
  }

  /// `playing`, `waiting for clock`, or since when it is gone.
  func stateWord(_ room: RoomDocument) -> String {
    guard room.isConnected else {
      let since = room.lastSeenSecondsAgo.map { ", last seen \(TimeText.clock($0)) ago" } ?? ""
      return "gone" + since
    }
    switch room.state {
    case .waitingForClock: return "waiting for clock"
    default: return room.state.rawValue
    }
  }

  private func volumeWord(_ room: RoomDocument) -> String {
    room.isMuted ? "\(room.volume) muted" : "\(room.volume)"
  }
}

/// A bar that fills from the left.
struct ProgressBar {
  let width: Int

  func text(fraction: Double) -> String {
    let bounded = fraction.isFinite ? min(1, max(0, fraction)) : 0
    let full = Int(bounded * Double(width))
    return "[" + String(repeating: "=", count: full) + String(repeating: " ", count: width - full)
      + "]"
  }
}

/// `value` with `digits` decimals, at most 3; plain digits, whatever the locale.
func number(_ value: Double, _ digits: Int) -> String {
  let scale = [1.0, 10, 100, 1000][min(max(digits, 0), 3)]
  let scaled = (value * scale).rounded()
  guard scaled.isFinite, abs(scaled) < 1e15 else { return "?" }
  let whole = Int64(scaled.magnitude)
  let sign = scaled < 0 ? "-" : ""
  guard digits > 0 else { return "\(sign)\(whole)" }
  let part = String(whole % Int64(scale))
  let zeros = String(repeating: "0", count: max(0, digits - part.count))
  return "\(sign)\(whole / Int64(scale)).\(zeros)\(part)"
}
