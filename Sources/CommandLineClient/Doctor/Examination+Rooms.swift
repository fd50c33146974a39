// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

extension Examination {
  /// A clock that is known worse than this is worth a look, in us: the promise is 100 us between rooms.
  private static let poorSigma = 100.0
  /// Half a round trip beyond this is no local network, in us.
  private static let poorBound = 5_000.0

  /// One line a room that is well, one for each thing that is not.
  func rooms(_ state: StateDocument) -> [Finding] {
    guard !state.rooms.isEmpty else {
      return [
        .warning(
          "rooms", "no room is known yet", "start tutti-speaker in one, or name it with --speaker")
      ]
    }
    return state.rooms.flatMap { room in
      let troubles = troubles(of: room, coordinator: state.coordinator.version)
      return troubles.isEmpty ? [.ok(room.name, wellness(room))] : troubles
    }
  }

  private func troubles(of room: RoomDocument, coordinator version: String) -> [Finding] {
    guard room.isConnected else {
      let since = room.lastSeenSecondsAgo.map { " for \(Self.duration($0))" } ?? ""
      return [
        .problem(
          room.name, "not connected\(since)",
          "switch it on; check its network, and that TCP and UDP port 7701 pass its firewall")
      ]
    }
    return update(of: room, coordinator: version) + trouble(of: room) + clock(of: room)
      + time(of: room)
  }

  private func update(of room: RoomDocument, coordinator version: String) -> [Finding] {
    guard !room.softwareVersion.isEmpty, room.softwareVersion != version else { return [] }
    return [
      .warning(
        room.name, "its speaker is \(room.softwareVersion), the coordinator \(version)",
        "update the older of the two; it plays meanwhile if it can")
    ]
  }

  private func trouble(of room: RoomDocument) -> [Finding] {
    guard room.state == .trouble || !room.detail.isEmpty else { return [] }
    let text = room.detail.isEmpty ? "its device or stream fails" : room.detail
    let advice = "tutti rooms --log '\(room.name)' says what happened"
    return [
      room.state == .trouble
        ? .problem(room.name, text, advice) : .warning(room.name, text, advice)
    ]
  }

  private func clock(of room: RoomDocument) -> [Finding] {
    guard let health = room.health else { return [] }
    let errors = ErrorText(ink: ink)
    guard let sigma = health.clockSigmaMicroseconds else {
      // Before the first music a room does not ask for the time.
      guard room.state == .waitingForClock else { return [] }
      return [
        .problem(
          room.name, "connected by TCP, but no time arrives by UDP",
          "let UDP pass between the coordinator's port 7700 and the speaker's 7701")
      ]
    }
    let bound = health.clockBoundMicroseconds ?? 0
    guard sigma > Self.poorSigma || bound > Self.poorBound else { return [] }
    return [
      .warning(
        room.name,
        "its clock is known to \(errors.time(sigma)), and cannot be off by more than \(errors.time(bound))",
        "a cable, or a less busy radio channel; power saving of its Wi-Fi off")
    ]
  }

  private func time(of room: RoomDocument) -> [Finding] {
    guard let health = room.health, let error = ErrorText.current(health),
      error >= ErrorText.goodLimit
    else { return [] }
    let errors = ErrorText(ink: ink)
    let advice = "tutti rooms --log '\(room.name)' says what happened"
    return [
      error < ErrorText.badLimit
        ? .warning(room.name, "in time only within \(errors.time(error))", advice)
        : .problem(room.name, "out of time by up to \(errors.time(error))", advice)
    ]
  }

  private func wellness(_ room: RoomDocument) -> String {
    let errors = ErrorText(ink: ink)
    var words = [room.state == .waitingForClock ? "waiting for clock" : room.state.rawValue]
    if let health = room.health {
      if let error = ErrorText.current(health) {
        words.append("in time within \(errors.time(error))")
      }
      if let sigma = health.clockSigmaMicroseconds {
        words.append("clock known to \(errors.time(sigma))")
      }
    }
    return words.joined(separator: ", ")
  }
}
