// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ControlAPI
internal import House

/// The commands of the API.
extension Coordinator {
  /// A group command whose items have been looked at.
  struct GroupOrder: Sendable {
    var command: GroupCommand
    var intake = MediaIntake.Outcome()
    var clientSequence: UInt64?
    /// Which queue it is meant for; nil: whichever there is.
    var ifMatch: RevisionMatch?
  }

  /// Carries out a command for the group.
  ///
  /// - Parameter order: The command.
  /// - Returns: What became of it.
  /// - Throws: `ProblemDocument`; nothing has changed then.
  func carryOut(_ order: GroupOrder) throws(ProblemDocument) -> OutcomeDocument {
    try check(order.ifMatch)
    switch order.command {
    case .volume, .mute: guard !live.isEmpty else { throw .noRoomOnline() }
    default: break
    }
    let before = transport.queue.nextID
    do throws(TransportRefusal) {
      try carryOutInHouse(order)
    } catch {
      throw ProblemDocument(error)
    }
    settle()
    let added = (before.rawValue..<transport.queue.nextID.rawValue).map(ItemID.init(rawValue:))
    return outcome(
      of: order, added: added.filter { transport.queue.index(of: $0) != nil }.map(\.rawValue))
  }

  /// What became of a command that was carried out.
  func outcome(of order: GroupOrder, added: [UInt64] = []) -> OutcomeDocument {
    var document = OutcomeDocument(
      revision: bulletin.revision, clientSequence: order.clientSequence, addedItemIDs: added,
      refused: order.intake.refused)
    document.queueRevision = transport.queue.revision
    return document
  }

  /// Whether an edit is meant for the queue that there is.
  func check(_ match: RevisionMatch?) throws(ProblemDocument) {
    guard let match, !match.matches(transport.queue.revision) else { return }
    throw .queueChanged(queueDocument())
  }

  private func carryOutInHouse(_ order: GroupOrder) throws(TransportRefusal) {
    switch order.command {
    case .play(let items, let start, _):
      try play(order.intake, isResume: items.isEmpty, startSeconds: start)
    case .playItem(let id): try perform(.playItem(ItemID(rawValue: id)))
    case .pause: try perform(.pause)
    case .resume: try perform(.resume)
    case .toggle: try perform(.toggle)
    case .stop: try perform(.stop)
    case .next: try perform(.next)
    case .previous:
      try perform(.previous(elapsed: Nanoseconds(seconds: Self.seconds(currentFrame() ?? 0))))
    case .seek(let target): try seek(target)
    case .volume(let change): obey(rooms.requestGroup(VolumeRequest(change)))
    case .mute(let isMuted): obey(rooms.setGroupMuted(isMuted))
    case .queueAdd(_, let place):
      try perform(.add(order.intake.additions, to: QueuePosition(place)))
    case .queueMove(let ids, let place):
      try perform(.move(ids.map(ItemID.init(rawValue:)), to: QueuePosition(place)))
    case .queueRemove(let ids): try perform(.remove(ids.map(ItemID.init(rawValue:))))
    case .queueClear: try perform(.clear)
    case .queueLoad: try perform(.replace(order.intake.additions))
    case .shuffle(let isOn): try perform(.setShuffled(isOn))
    case .setRepeat(let mode): try perform(.setRepeat(House.RepeatMode(mode)))
    // Written to a file, which is not done on this thread.
    case .queueSave: break
    case .arm: armRooms()
    }
  }

  private func play(
    _ intake: MediaIntake.Outcome, isResume: Bool, startSeconds: Double?
  ) throws(TransportRefusal) {
    let frame = (startSeconds ?? intake.startSeconds).map(Self.frames)
    guard isResume else {
      return try perform(
        .playTracks(intake.additions, startingAt: intake.startIndex, fromFrame: frame ?? 0))
    }
    try perform(.resume)
    if let frame { try perform(.seek(toFrame: frame)) }
  }

  private func seek(_ target: SeekTarget) throws(TransportRefusal) {
    let duration = transport.queue.currentItem.flatMap(durationFrames)
    switch target {
    case .absolute(let seconds): try perform(.seek(toFrame: Self.frames(seconds)))
    case .relative(let offset):
      let now = currentFrame() ?? 0
      let wanted = now + Self.frames(abs(offset)) * (offset < 0 ? -1 : 1)
      // Forward past the end is the next track, as when it had played there.
      if let duration, wanted >= duration, transport.state == .playing {
        return try perform(.next)
      }
      try perform(.seek(toFrame: max(0, min(wanted, duration ?? wanted))))
    }
  }

  /// How long the current track is, in seconds, when that is known.
  func currentDuration() -> Double? {
    transport.queue.currentItem.flatMap(durationFrames).map(Self.seconds)
  }

  /// Carries out a command for one room.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - name: The room, by its id or name.
  ///   - clientSequence: The client's own number, given back.
  /// - Returns: What became of it.
  /// - Throws: `ProblemDocument`.
  func carryOut(
    _ command: RoomCommand, in name: String, clientSequence: UInt64?
  ) throws(ProblemDocument) -> OutcomeDocument {
    let room = try knownRoom(name)
    let order =
      switch command {
      case .volume(let change): rooms.request(VolumeRequest(change), in: room.id)
      case .mute(let isMuted): rooms.setMuted(isMuted, in: room.id)
      }
    guard let order else { throw .roomOffline(room.name) }
    obey([order])
    settle()
    return OutcomeDocument(revision: bulletin.revision, clientSequence: clientSequence)
  }

  /// The document of one room.
  ///
  /// - Parameter name: Its id or name.
  /// - Returns: The document.
  /// - Throws: `ProblemDocument` when there is no such room.
  func roomDocument(called name: String) throws(ProblemDocument) -> RoomDocument {
    roomDocument(try knownRoom(name))
  }

  /// The room that a request names.
  func knownRoom(_ name: String) throws(ProblemDocument) -> Room {
    guard let room = rooms.room(called: name) else {
      throw .unknownRoom(name, known: rooms.rooms.map(\.name))
    }
    return room
  }

  /// The uploads that the queue needs.
  func uploadsInUse() -> Set<String> { Self.uploads(transport.queue) }

  static func frames(_ seconds: Double) -> Int64 {
    // Beyond a year of music is a slip of the finger, and must not overflow.
    guard seconds.isFinite else { return 0 }
    return Int64(min(max(seconds, 0), 31_536_000) * Double(MediaFrame.rate))
  }

  static func seconds(_ frames: Int64) -> Double { Double(frames) / Double(MediaFrame.rate) }
}

extension QueuePosition {
  /// Where a client wants tracks to go.
  init(_ place: QueuePlace) {
    self =
      switch place {
      case .end: .end
      case .next: .next
      case .before(let id): .before(ItemID(rawValue: id))
      case .after(let id): .after(ItemID(rawValue: id))
      }
  }
}

extension House.RepeatMode {
  /// What a client wants to happen at the end.
  init(_ mode: ControlAPI.RepeatMode) {
    self =
      switch mode {
      case .off: .off
      case .all: .all
      case .one: .one
      }
  }
}

extension VolumeRequest {
  /// What a client asks of a volume.
  init(_ change: VolumeChange) {
    switch change {
    case .absolute(let level): self = .set(level)
    case .relative(let difference): self = .change(by: difference)
    }
  }
}
