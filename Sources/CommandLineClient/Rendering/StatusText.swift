// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// The house in words: what `status` and `rooms` print.
struct StatusText {
  let columns: Int
  let usesColour: Bool

  /// Track, position, and a line a room.
  func status(_ state: StateDocument, group: GroupDocument) -> [String] {
    playback(group) + [""] + rooms(state.rooms.filter { group.roomIDs.contains($0.id) })
  }

  /// The head: what plays.
  func playback(_ group: GroupDocument) -> [String] {
    var lines: [String] = []
    let playback = group.playback
    if let item = playback.item, playback.state != .stopped {
      lines.append(bold(item.title))
      let by = [item.artist, item.album].compactMap { $0 }.filter { !$0.isEmpty }
      if !by.isEmpty { lines.append(by.joined(separator: " - ")) }
    }
    lines.append(position(playback, in: group.queue))
    if let problem = playback.problem { lines.append("! " + problem) }
    return lines.map { String($0.prefix(max(columns, 20) + 8)) }
  }

  /// A line of heads and one a room.
  func rooms(_ rooms: [RoomDocument]) -> [String] {
    guard !rooms.isEmpty else {
      return ["No rooms yet: start tutti-speaker in one, or name it with --speaker."]
    }
    var table = TextTable(head: ["ROOM", "STATE", "VOLUME", "BUFFER", "SYNC p99", "PACKETS"])
    for room in rooms { table.rows.append(cells(room)) }
    return table.lines(columns: columns) + rooms.compactMap(trouble)
  }

  /// Everything that is known of one room.
  func details(_ room: RoomDocument) -> [String] {
    var facts = [
      ("state", stateWord(room)), ("id", room.id), ("address", room.address),
      ("output", room.output), ("version", room.softwareVersion),
      ("volume", volumeWord(room)),
      ("latency setting", "\(number(room.latencySettingMilliseconds, 1)) ms"),
    ]
    if let health = room.health { facts += HealthText.facts(health) }
    let width = facts.map(\.0.count).max() ?? 0
    return [bold(room.name)]
      + facts.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
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
      return "\(word), \(queue.items.count) in the queue"
    }
    guard let duration = playback.durationSeconds, duration > 0 else {
      return "\(word)  \(TimeText.clock(at))"
    }
    let width = min(40, max(10, columns - 30))
    let bar = ProgressBar(width: width).text(fraction: at / duration)
    return "\(word)  \(TimeText.clock(at)) \(bar) \(TimeText.clock(duration))"
  }

  private func cells(_ room: RoomDocument) -> [String] {
    let health = room.isConnected ? room.health : nil
    return [
      room.name, stateWord(room), volumeWord(room),
      health.map { "\(number($0.bufferedMilliseconds / 1000, 2)) s" } ?? "-",
      health?.syncErrorP99Microseconds.map { "\(number($0, 0)) us" } ?? "-",
      health.map { "\($0.packets.received) (-\($0.packets.lost + $0.packets.late))" } ?? "-",
    ]
  }

  private func trouble(_ room: RoomDocument) -> String? {
    room.detail.isEmpty ? nil : "! \(room.name): \(room.detail)"
  }

  private func stateWord(_ room: RoomDocument) -> String {
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

  private func bold(_ text: String) -> String {
    usesColour ? "\u{1B}[1m\(text)\u{1B}[0m" : text
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
