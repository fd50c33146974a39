// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// The house as the events change it, and how it looks.
struct LiveView {
  private(set) var state: StateDocument
  /// What `--group` says; the only group when nil.
  private let groupName: String?
  /// Events were missed: the state is to be asked for anew.
  private(set) var needsState = false
  /// The latest moment it was told, in seconds of a clock that does not step.
  private var now: Double
  /// When each room was told of last: one that is gone has no more events, but its absence grows.
  private var told: [String: Double] = [:]

  init(state: StateDocument, group: String?, at seconds: Double = 0) {
    self.state = state
    groupName = group
    now = seconds
    restart(with: state, at: seconds)
  }

  /// Takes in an event by its name and data; one that cannot be read is passed over.
  ///
  /// - Returns: Whether there is something new to show.
  mutating func take(_ name: String, _ data: [UInt8], at seconds: Double = 0) -> Bool {
    now = seconds
    guard let document = try? EventDocument(name: name, data: data) else { return false }
    if case .reset = document {
      needsState = true
      return false
    }
    if case .room(let room) = document { told[room.id] = seconds }
    state.apply(document)
    return true
  }

  /// Goes on with a state that was asked for.
  mutating func restart(with state: StateDocument, at seconds: Double = 0) {
    self.state = state
    needsState = false
    now = seconds
    told = [:]
    for room in state.rooms { told[room.id] = seconds }
  }

  /// The state with the time that has passed since it was told.
  private var aged: StateDocument {
    var aged = state
    for index in aged.rooms.indices {
      guard let age = aged.rooms[index].lastSeenSecondsAgo else { continue }
      aged.rooms[index].lastSeenSecondsAgo = age + now - (told[aged.rooms[index].id] ?? now)
    }
    return aged
  }

  private var group: GroupDocument? {
    guard let groupName else { return state.groups.first }
    return try? NameMatch(groupName, among: state.groups, name: \.name, id: \.id)
      .only(kind: "group")
  }

  /// The screen: at most `rows` lines, the rooms that do not fit counted in the last.
  func lines(columns: Int, rows: Int, ink: Ink) -> [String] {
    guard let group else { return ["there is no such group any more"] }
    let lines = StatusText(columns: columns, ink: ink).status(aged, group: group)
    guard lines.count > rows, rows > 1 else { return Array(lines.prefix(max(1, rows))) }
    let more = "... and \(lines.count - rows + 1) lines more"
    return lines.prefix(rows - 1) + [String(more.prefix(columns))]
  }

  /// One line for a log or a pipe: what plays, and each room with its sync error.
  func line(ink: Ink) -> String {
    guard let group else { return "there is no such group any more" }
    let playback = group.playback
    var words = [playback.state.rawValue]
    if let at = playback.positionSeconds { words[0] += " " + TimeText.clock(at) }
    if let item = playback.item, playback.state != .stopped { words.append(item.title) }
    if let now = BroadcastText.now(playback), !now.isEmpty { words.append(now) }
    let text = StatusText(columns: .max, ink: ink)
    for room in aged.rooms where group.roomIDs.contains(room.id) {
      let health = room.isConnected ? room.health : nil
      let error = health.flatMap { ErrorText(ink: ink).compact($0) }
      words.append("\(room.name) \(error ?? text.stateWord(room))")
    }
    return DisplayWidth.printable(words.joined(separator: " | "))
  }

  /// Whether two views differ in more than measurements, which come each second anyway.
  func isNews(after other: LiveView) -> Bool {
    state.groups != other.state.groups
      || state.rooms.map(Self.head) != other.state.rooms.map(Self.head)
  }

  private static func head(_ room: RoomDocument) -> RoomDocument {
    var head = room
    head.health = nil
    head.lastSeenSecondsAgo = nil
    return head
  }
}
