// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import DaemonProcess
internal import LinuxNetworking
internal import Playout
internal import RealtimeAudio
internal import WireProtocol

// The network thread: one UDP socket, and all that must happen between a packet and a lane.
//
//   wait (socket, command, deadline) -> commands -> datagrams by kind -> clock questions
//     -> late decode into lanes -> one snapshot for the audio thread -> one status for the reports
//
// It never waits for another thread, and the audio thread never waits for it.

/// Receives the stream and keeps the clock. Owned by its thread.
final class NetworkThread {
  /// Inboxes emptied per round: 256 datagrams, more than 2 s of stream. A flood leaves room for work.
  private static let drains = 8
  /// Status and clock map are renewed this often while the device is open.
  private static let busyInterval = Nanoseconds.milliseconds(100)
  /// And this often while it is closed.
  private static let idleInterval = Nanoseconds.seconds(1)

  private let socket: UDPSocket
  private let desk: NetworkDesk
  private let audio: AudioDesk
  private let log: Log
  private let changed: @Sendable () -> Void
  private var inbox = DatagramInbox()
  private var clock: ClockAsker
  private var player: StreamPlayer
  private var demand = DeviceDemand()
  private var gain: Float = 0
  private var lateness = Nanoseconds.zero
  /// Where the time and lost packets are asked for: the coordinator's only port.
  private var source = StreamSource()
  private var hasClockElsewhere = false
  private var foreign: UInt64 = 0
  private var nextStatus = LocalInstant(nanoseconds: 0)
  private var nextSnapshot = LocalInstant(nanoseconds: 0)
  private var snapshotIsStale = true
  private var reported = NetworkStatus()

  /// A thread's work; `changed` is called when something happened that a report should tell.
  init(
    socket: UDPSocket, desk: NetworkDesk, audio: AudioDesk, log: Log,
    changed: @escaping @Sendable () -> Void
  ) {
    self.socket = socket
    self.desk = desk
    self.audio = audio
    self.log = log
    self.changed = changed
    clock = ClockAsker(log: log)
    socket.allowTransmitStamps()
    player = StreamPlayer(bank: audio.bank, log: log)
  }

  /// Works until the desk says quit.
  func run() {
    while desk.goesOn {
      desk.poller.wait(until: deadline) { _ in }
      if clock.noticeSleep() { snapshotIsStale = true }
      clock.takeStamps(from: socket)
      for command in desk.takeCommands() { take(command) }
      drain()
      clock.sendDue(by: socket)
      play()
      askForRepair()
      publish(at: LocalClock.now())
    }
  }

  private var deadline: LocalInstant {
    var earliest = min(nextStatus, nextSnapshot)
    for next in [clock.nextDeadline, player.nextDeadline] {
      if let next { earliest = min(earliest, next) }
    }
    return earliest
  }

  private func take(_ command: NetworkCommand) {
    let now = LocalClock.now()
    switch command {
    case .coordinator(let address, let prior):
      clock.ask(address, prior: prior)
    case .announce(let announce, let peer):
      clock.ask(clockAddress(of: announce, peer: peer), prior: nil)
      source.announce(peer.with(port: announce.clockPort), at: now)
      hasClockElsewhere = (try? SocketAddress(literal: announce.clockAddress)) != nil
      player.announce(announce)
      audio.setFill(player.deviceFill)
      if let awaited = player.awaitedClock { clock.expect(awaited) }
      demand.streamIsActive(at: now)
    case .streamEnd(let end): player.end(end)
    case .flush(let flush): player.flush(flush)
    case .arm(let hold): demand.arm(for: hold, at: now)
    case .gain(let amplitude): gain = amplitude
    case .lateness(let value): lateness = value
    }
    snapshotIsStale = true
  }

  /// Where the stream's clock is asked: the announcement's address, else the coordinator's own.
  private func clockAddress(of announce: StreamAnnounce, peer: SocketAddress) -> SocketAddress {
    let named = try? SocketAddress(literal: announce.clockAddress)
    return (named ?? peer).with(port: announce.clockPort)
  }
}

// MARK: - Datagrams

extension NetworkThread {
  private func drain() {
    for _ in 0..<Self.drains {
      do throws(NetworkError) {
        let count = try inbox.receive(from: socket) { bytes, sender, arrival in
          take(bytes, from: sender, at: arrival)
        }
        if count < 32 { return }
      } catch {
        log.error("\(error)", kind: "receive")
        return
      }
    }
  }

  private func take(_ bytes: Span<UInt8>, from sender: SocketAddress, at arrival: LocalInstant) {
    switch classifyDatagram(bytes, at: .speaker) {
    case .rtp:
      guard player.receive(bytes, at: arrival, map: map(at: arrival)) else { break }
      if let moved = source.heard(from: sender, at: arrival) { follow(moved) }
    case .rtcp:
      takeControl(bytes, from: sender, at: arrival)
    case .ntpReply:
      if clock.receive(bytes, at: arrival) { snapshotIsStale = true } else { foreign += 1 }
    case .ntpRequest, .unknown:
      foreign += 1
    }
  }

  /// The coordinator is somewhere else now.
  private func follow(_ address: SocketAddress) {
    log.notice("the stream comes from \(address) now: the coordinator has moved")
    if !hasClockElsewhere { clock.ask(address, prior: nil) }
  }

  private func takeControl(
    _ bytes: Span<UInt8>, from sender: SocketAddress, at arrival: LocalInstant
  ) {
    guard let packets = try? RTCPPacket.parseCompound(bytes) else {
      foreign += 1
      return
    }
    for packet in packets {
      guard case .flush(let flush) = packet else { continue }
      player.flush(flush)
      snapshotIsStale = true
      let answer = RTCPPacket.flushAcknowledged(FlushAcknowledgement(of: flush))
      socket.send(answer.encode(), to: sender, .clock)
    }
  }
}

// MARK: - Work and news

extension NetworkThread {
  /// The stream's clock as the room counts, once it is known well enough.
  private func map(at now: LocalInstant) -> ClockMap? {
    // Not flatMap: with -O its closure crashes the ownership verifier of Swift 6.3.1.
    guard let ruling = player.clock, let map = clock.map(of: ruling.id, at: now) else { return nil }
    return ruling.roomMap(map)
  }

  /// Music of another clock goes on in the count of the one before.
  private func changeClock(at now: LocalInstant) {
    guard let awaited = player.awaitedClock, let next = clock.map(of: awaited, at: now) else {
      return
    }
    var ruling: ClockMap?
    if let known = player.clock { ruling = clock.map(of: known.id, at: now) }
    player.takeUp(next, after: ruling, at: now)
    snapshotIsStale = true
  }

  private func play() {
    let now = LocalClock.now()
    changeClock(at: now)
    if player.work(at: now) { snapshotIsStale = true }
    if player.isActive { demand.streamIsActive(at: now) }
    audio.setWanted(demand.isWanted(at: now))
    if snapshotIsStale || now >= nextSnapshot {
      snapshotIsStale = false
      nextSnapshot = now + interval(at: now)
      audio.snapshots.store(
        PlayoutSnapshot(
          clockMap: map(at: now), delay: player.delay, latency: lateness, gain: gain,
          schedule: player.schedule))
    }
  }

  private func askForRepair() {
    guard let sender = source.address else { return }
    let now = LocalClock.now()
    while let request = player.repairRequest(at: now, map: map(at: now)) {
      socket.send(RTCPPacket.negativeAcknowledgement(request).encode(), to: sender, .audio)
    }
  }

  private func interval(at now: LocalInstant) -> Nanoseconds {
    demand.isWanted(at: now) ? Self.busyInterval : Self.idleInterval
  }

  private func publish(at now: LocalInstant) {
    let phase = player.phase(hasClock: clock.isSettled)
    let isNews =
      phase != reported.stream || player.ssrc != reported.ssrc
      || clock.isSettled != reported.isClockSettled
    guard isNews || now >= nextStatus else { return }
    nextStatus = now + interval(at: now)
    var status = NetworkStatus()
    status.stream = phase
    player.fill(&status)
    status.discarded += foreign + inbox.oversized
    clock.fill(&status, at: now)
    if phase == .playing, let map = map(at: now), let ruling = player.clock {
      let stamp = MediaFrame(map.media(at: now) - lateness)
      status.playedFrame = ruling.clockFrame(
        MediaFrame(stamp.instant - player.delay.delay(at: stamp)))
    }
    reported = status
    desk.status = status
    if isNews { changed() }
  }
}
