// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import LinuxNetworking
internal import WireProtocol

/// Rooms that come, tell and go.
extension Coordinator {
  /// How long a room whose link is gone still gets the stream: it plays while datagrams reach it.
  ///
  /// Longer than any outage that is not a room switched off: the first datagram that gets through lets
  /// the room ask for what it missed, seconds before the control link is up again. It costs 0.2 Mb/s.
  static var serviceAfterLoss: Nanoseconds { .seconds(300) }
  /// What a room needs at most to open its device, before it has told (measured rooms tell).
  static var assumedReadyIn: Nanoseconds { .milliseconds(300) }
  /// Rooms keep their devices open for so long after a listener has shown interest.
  static var armHold: Nanoseconds { .seconds(30) }

  /// A speaker has said who it is.
  func greeted(by hello: Hello, on link: SpeakerLink) {
    let room = RoomID(nodeID: hello.nodeID)
    guard hello.role == .speaker else {
      return close(link, because: "\(link.peer) is not a speaker", isWorthSaying: true)
    }
    if let refusal = refusal(of: hello, from: room, on: link) {
      send(.refusal(refusal), on: link)
      record(room) { $0.refusedTwin(refusal.detail, at: LocalClock.now(), wall: wallTime()) }
      return close(link, because: refusal.detail, isWorthSaying: true)
    }
    let previous = live[room].flatMap { links[$0.link] }
    link.hello = hello
    link.room = room
    link.keepalive = LinkKeepalive(at: LocalClock.now())
    contactReached(link.origin, room: room, at: link.peer)
    live[room] = LiveRoom(
      link: link.number, hello: hello, datagrams: link.peer.with(port: hello.udpPort),
      report: live[room]?.report)
    // Two contacts led to the same speaker: it obeys the newer link, and so do we.
    if let previous { close(previous, because: "connected anew") }
    let entered = rooms.connected(
      room, named: hello.name, at: "\(link.peer)",
      loudness: Room.Loudness(
        volume: hello.volume, isMuted: hello.muted, serial: hello.volumeSerial),
      now: wallTime())
    record(room) { $0.connected(runID: hello.runID, wall: wallTime()) }
    log.notice(
      "\(entered.name) is there: \(link.peer), version \(hello.softwareVersion), \(hello.output)")
    if hello.protocolVersion != Hello.currentProtocolVersion {
      log.warning(
        "\(entered.name) speaks version \(hello.protocolVersion) of the protocol, not "
          + "\(Hello.currentProtocolVersion): the older of the two needs an update")
    }
    if let announce = player.status.announce { send(.streamAnnounce(announce), on: link) }
    serveRooms()
    settle()
  }

  /// Of two nodes with one identity the one that lives stays. Who answers where the other one did has
  /// taken its place.
  private func refusal(of hello: Hello, from room: RoomID, on link: SpeakerLink) -> Refusal? {
    guard let other = live[room], other.hello.runID != hello.runID,
      let otherLink = links[other.link], otherLink.peer != link.peer,
      !otherLink.keepalive.isSilent(at: LocalClock.now())
    else { return nil }
    return Refusal(
      reason: .duplicateIdentity,
      detail: "\(link.peer) and \(otherLink.peer) have the same identity: if a memory card was "
        + "copied, give one of the two a new state directory")
  }

  /// A room tells how it is.
  ///
  /// - Returns: Whether it tells of another volume, which concerns the group too.
  func take(_ report: StateReport, from room: RoomID) -> Bool {
    live[room]?.report = report
    if let ssrc = player.status.announce?.ssrc {
      deliveries.take(report, from: room.rawValue, playing: ssrc)
    }
    record(room) { $0.take(report, at: LocalClock.now(), wall: wallTime()) }
    let isLoudnessNews = rooms.reported(
      Room.Loudness(
        volume: report.volume, isMuted: report.muted, serial: report.volumeSerial), by: room)
    serveRooms()
    return isLoudnessNews
  }

  /// A room's link is gone.
  func lost(_ room: RoomID, because reason: String, saidGoodbye: Bool) {
    guard let last = live.removeValue(forKey: room) else { return }
    rooms.disconnected(room, now: wallTime())
    record(room) { $0.disconnected(because: reason, wall: wallTime()) }
    log.notice("\(rooms[room]?.name ?? room.rawValue) is gone: \(reason)")
    if !saidGoodbye, !isShuttingDown {
      let until = LocalClock.now() + Self.serviceAfterLoss
      lingering[room] = LingeringRoom(
        datagrams: last.datagrams, session: last.link, until: until)
      schedule(after: Self.serviceAfterLoss) { coordinator in coordinator.serveRooms() }
    }
    serveRooms()
  }

  // MARK: - The stream

  /// Tells the engine who gets the stream, when that has changed.
  func serveRooms() {
    let now = LocalClock.now()
    lingering = lingering.filter { live[$0.key] == nil && $0.value.until > now }
    var wanted = live.map { room, state in
      RoomDestination(
        id: room, session: state.link, address: state.datagrams, readiness: readiness(of: state))
    }
    wanted += lingering.map { room, state in
      RoomDestination(
        id: room, session: state.session, address: state.datagrams,
        readiness: RoomReadiness(outputLatency: .zero, isArmed: false), isLinked: false)
    }
    wanted.sort { $0.id < $1.id }
    guard wanted != destinations else { return }
    destinations = wanted
    player.setRooms(wanted)
  }

  /// After a restart: rooms still play what they hold, and get more before they are connected again.
  func serveRememberedRooms() {
    let until = LocalClock.now() + Self.serviceAfterLoss
    for room in rooms.rooms {
      guard let text = room.address, let address = try? SocketAddress(literal: text) else {
        continue
      }
      lingering[room.id] = LingeringRoom(datagrams: address, session: 0, until: until)
    }
    schedule(after: Self.serviceAfterLoss) { coordinator in coordinator.serveRooms() }
    serveRooms()
  }

  private func readiness(of room: LiveRoom) -> RoomReadiness {
    guard let report = room.report else {
      return RoomReadiness(outputLatency: .zero, isArmed: false, readyIn: Self.assumedReadyIn)
    }
    let isArmed = [.armed, .waitingForClock, .buffering, .playing].contains(report.state)
    // Rounded, so that small changes from second to second are none.
    let jitter = min(report.jitter, .milliseconds(40)) * 4
    return RoomReadiness(
      outputLatency: rounded(report.outputLatency ?? .zero, to: .milliseconds(5)),
      isArmed: isArmed && (report.readyIn ?? .zero) == .zero,
      readyIn: rounded(report.readyIn ?? Self.assumedReadyIn, to: .milliseconds(20)),
      lateness: report.state == .playing ? rounded(jitter, to: .milliseconds(20)) : .zero)
  }

  private func rounded(_ value: Nanoseconds, to step: Nanoseconds) -> Nanoseconds {
    step * ((value.count + step.count / 2) / step.count)
  }

  /// Each second: a live input's playout delay follows what the rooms tell.
  func tellDeliveries() {
    let told = deliveries.flush()
    guard transport.queue.currentItem?.source.isLive == true, !told.isEmpty else { return }
    player.heed(told)
  }

  /// Has the rooms open their devices: somebody is about to want music.
  func armRooms() {
    broadcast(.arm(Arm(hold: Self.armHold)))
  }

  /// Sends what the registry ordered.
  func obey(_ orders: [LoudnessOrder]) {
    for order in orders {
      log.info(
        "\(rooms[order.room]?.name ?? order.room.rawValue): volume \(order.volume)"
          + (order.isMuted ? ", muted" : ""), kind: "volume")
      send(
        .setVolume(SetVolume(volume: order.volume, muted: order.isMuted, serial: order.serial)),
        to: order.room)
    }
  }
}

/// A room whose link is gone, but which may still hear us.
struct LingeringRoom {
  var datagrams: SocketAddress
  var session: UInt64
  var until: LocalInstant
}
