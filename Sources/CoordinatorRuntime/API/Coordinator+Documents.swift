// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CommandLineOptions
internal import ControlAPI
internal import DaemonProcess
internal import HTTPService
internal import House
internal import WireProtocol

/// The house as documents.
extension Coordinator {
  /// Tells and saves what has changed; called after whatever happened.
  ///
  /// - Parameter progress: Whether the mere passing of time is told too.
  func settle(progress: Bool = false) {
    tell(bulletin.changes(rooms: roomDocuments(), groups: [groupDocument()], progress: progress))
    keep()
  }

  /// Tells what a room has reported; nothing else has changed. Rooms report each second, and a house has
  /// many of them: the rest of it is not looked at.
  func settle(_ room: RoomID) {
    guard let room = rooms[room] else { return }
    tell(bulletin.changes(in: roomDocument(room)))
  }

  private func tell(_ events: [EventDocument]) {
    for event in events {
      do throws(DocumentError) {
        parts.events.publish(name: event.name, data: try event.data())
      } catch {
        log.error("an event cannot be told: \(error)", kind: "event")
      }
    }
  }

  /// The whole house.
  func stateDocument() -> StateDocument {
    StateDocument(
      revision: bulletin.revision,
      coordinator: CoordinatorDocument(
        name: configuration.name, version: tuttiVersion,
        id: RoomID(nodeID: parts.nodeID).rawValue, boot: parts.events.boot,
        musicFolders: parts.folders.paths, inputs: configuration.inputs.map(\.name)),
      rooms: roomDocuments(), groups: [groupDocument()])
  }

  /// Every room, sorted by name.
  func roomDocuments() -> [RoomDocument] {
    rooms.rooms.map(roomDocument).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// One room.
  func roomDocument(_ room: Room) -> RoomDocument {
    let state = live[room.id]
    var document = RoomDocument(
      id: room.id.rawValue, name: room.name, state: phase(of: state), groupID: Group.house.id)
    document.isConnected = room.isOnline
    document.detail = [state?.report?.detail, records[room.id]?.diary.warning]
      .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "; ")
    if !room.isOnline, let since = room.since {
      // The time of day may step: never negative.
      document.lastSeenSecondsAgo = max(0, (wallTime().seconds - since.seconds).rounded())
    }
    document.volume = room.loudness.volume ?? 0
    document.isMuted = room.loudness.isMuted
    document.address = room.address ?? ""
    document.output = state?.report?.output ?? state?.hello.output ?? ""
    document.softwareVersion = state?.hello.softwareVersion ?? ""
    let latency = state?.report?.latencySetting ?? state?.hello.latencySetting
    document.latencySettingMilliseconds = latency?.inMilliseconds ?? 0
    document.health = state?.report.map(RoomHealthDocument.init)
    return document
  }

  private func phase(of room: LiveRoom?) -> RoomPhase {
    guard let room else { return .unreachable }
    return switch room.report?.state {
    case nil, .idle: .idle
    case .armed: .armed
    case .waitingForClock: .waitingForClock
    case .buffering: .buffering
    case .playing: .playing
    case .stopping: .stopping
    case .trouble: .trouble
    }
  }

  /// The one group.
  func groupDocument() -> GroupDocument {
    GroupDocument(
      id: Group.house.id, name: Group.house.name, roomIDs: rooms.rooms.map(\.id.rawValue),
      volume: rooms.groupVolume ?? 0, isMuted: rooms.isGroupMuted, playback: playbackDocument(),
      queue: queueDocument())
  }

  private func playbackDocument() -> PlaybackDocument {
    let phase: PlaybackPhase =
      switch transport.state {
      case .stopped: .stopped
      case .playing: .playing
      case .paused: .paused
      }
    let failure = transport.failures.last
    var document = PlaybackDocument(state: phase, problem: problem(in: phase))
    guard phase != .stopped, let item = transport.queue.currentItem else { return document }
    let delay = player.status.delay
    document.delayMilliseconds =
      delay.delay(at: delay.stamp(heardAt: parts.clock.now())).inMilliseconds.rounded()
    let duration = durationFrames(of: item)
    document.item = itemDocument(
      item, problem: failure?.item == item.id ? failure?.reason : nil)
    document.durationSeconds = duration.map(shownSeconds)
    document.positionSeconds = currentFrame().map { shownSeconds(min($0, duration ?? $0)) }
    document.broadcast = broadcastDocument(of: item.id)
    return document
  }

  private func problem(in phase: PlaybackPhase) -> String? {
    if let reason = transport.stopReason { return reason }
    if let problem = transport.queue.current.flatMap(broadcastProblem) { return problem }
    if let failure = transport.failures.last {
      return "\(failure.label) was passed over: \(failure.reason)"
    }
    if phase == .playing, let room = player.status.roomsBeyondDelay.first {
      let name = rooms[RoomID(rawValue: room)]?.name ?? room
      return "\(name) needs a longer delay than this input allows: it will have gaps"
    }
    return phase == .playing && live.isEmpty ? "nobody hears this: no room is connected" : nil
  }
}

extension RoomHealthDocument {
  /// What a room measured, in the units of the API.
  init(_ report: StateReport) {
    self.init()
    bufferedMilliseconds = report.buffered.inMilliseconds
    jitterMicroseconds = report.jitter.inMicroseconds
    packets.received = report.received
    packets.late = report.late
    packets.lost = report.lost
    packets.repaired = report.repaired
    packets.concealed = report.concealed
    packets.discarded = report.discarded
    packets.requested = report.requested
    packets.superfluous = report.superfluous
    syncErrorP50Microseconds = report.syncErrorP50?.inMicroseconds
    syncErrorP99Microseconds = report.syncErrorP99?.inMicroseconds
    syncErrorMaxMicroseconds = report.syncErrorMax?.inMicroseconds
    syncErrorTenSeconds = report.syncErrorTenSeconds.map { SyncErrorDocument($0) }
    syncErrorFiveMinutes = report.syncErrorFiveMinutes.map { SyncErrorDocument($0) }
    clockSigmaMicroseconds = report.clockSigma?.inMicroseconds
    clockBoundMicroseconds = report.clockBound?.inMicroseconds
    // The report tells the media clock's pace as its host sees it: of a fast host it looks slow.
    hostFrequencyPPM = report.hostFrequency.map { (1 / (1 + $0.ratio) - 1) * 1e6 }
    cardFrequencyPPM = report.cardFrequency?.value
    outputLatencyMilliseconds = report.outputLatency?.inMilliseconds ?? 0
    readyInMilliseconds = report.readyIn?.inMilliseconds ?? 0
    underruns = report.underruns
    resyncs = report.resyncs
    latenessMilliseconds = report.lateness?.inMilliseconds
    repairTimeMilliseconds = report.repairTime?.inMilliseconds
    clockRepliesRefused = report.clockRepliesRefused
  }
}
