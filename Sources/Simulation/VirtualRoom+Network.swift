// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import Playout
internal import RealtimeAudio
internal import WireProtocol

// The UDP thread of a virtual room: clock exchanges, reception, decoding just in time.

extension VirtualRoom {
  func startNetwork() {
    askForTime()
    tick()
  }

  /// Makes the control link, perhaps anew: the coordinator sends all that can still be heard.
  func reconnect() {
    // A room that is stopped leaves the coordinator's list first, so none is reached that is gone.
    if let destination { coordinator.remove(destination) }
    destination = coordinator.add(
      VirtualCoordinator.Destination(
        send: { [unowned self] in sendDown($0) }, tell: { [unowned self] in hear($0) }))
  }

  /// What was said while the host slept arrives late: the link lives, TCP repeats.
  func hearAgain() {
    if let announcement = coordinator.announcement { hear(.announce(announcement)) }
  }

  // MARK: Clock

  private func askForTime() {
    let now = host.local(at: world.now)
    if let stamp = clock.requestDue(at: now) {
      clock.sent(stamp, at: now)
      sendUp(NTPPacket.request(stamp: stamp).encode())
    }
    // A nanosecond more: a moment rounded down would find the deadline still ahead, for ever.
    let next = host.moment(of: clock.nextDeadline + Nanoseconds(1)).advanced(bySeconds: 1e-9)
    let round = questions
    schedule(at: next) { if $0.questions == round { $0.askForTime() } }
  }

  /// The next question is due sooner than it was.
  private func askSooner() {
    questions += 1
    askForTime()
  }

  /// Anything to the coordinator's UDP port, and what comes back at once.
  private func sendUp(_ datagram: [UInt8]) {
    guard let arrival = up.arrival(sentAt: world.now) else { return }
    schedule(at: arrival) { room in
      // Drawn here, so that no room disturbs another's luck.
      let delay = 5e-6 + 25e-6 * room.random.unit()
      for reply in room.coordinator.answers(to: datagram, after: delay) {
        room.schedule(at: room.world.now.advanced(bySeconds: delay)) { $0.sendDown(reply) }
      }
    }
  }

  private func replyArrived(_ datagram: [UInt8]) {
    guard let reply = try? NTPPacket.parse(datagram.span) else { return }
    let deadline = clock.nextDeadline
    clock.receive(
      origin: reply.origin.rawValue, received: reply.receive.instant,
      transmitted: reply.transmit.instant, clockID: ClockID(rawValue: reply.reference.rawValue),
      at: host.local(at: world.now))
    if clock.nextDeadline < deadline { askSooner() }
    publish()
  }

  // MARK: Reception

  /// Anything from the coordinator's UDP port.
  private func sendDown(_ datagram: [UInt8]) {
    guard !isAsleep, let arrival = down.arrival(sentAt: world.now) else { return }
    schedule(at: arrival) { $0.arrived(datagram) }
    if let again = down.copy(of: arrival) { schedule(at: again) { $0.arrived(datagram) } }
  }

  private func arrived(_ datagram: [UInt8]) {
    switch classifyDatagram(datagram.span, at: .speaker) {
    case .rtp:
      guard let (header, payload) = try? RTPHeader.parse(datagram.span) else { return }
      let now = host.local(at: world.now)
      receiver.receive(
        header, payload: datagram.span.extracting(payload), at: now,
        clock: snapshot.clockMap.map { MediaFrame($0.media(at: now)) })
    case .rtcp:
      guard let packets = try? RTCPPacket.parseCompound(datagram.span) else { return }
      for case .flush(let flush) in packets { receiver.flush(flush) }
      publish()
    case .ntpReply:
      replyArrived(datagram)
    default:
      return
    }
    fillLanes()
  }

  /// The control link is TCP: what it carries arrives, a little later, or when the way is free again.
  private func hear(_ word: VirtualCoordinator.ControlWord) {
    guard !isAsleep, hearsControl else { return }
    let pause = down.isCut ? Self.retransmission : 2 * down.quality.base
    schedule(at: world.now.advanced(bySeconds: pause)) { room in
      if room.down.isCut { return room.hear(word) }
      switch word {
      case .announce(let announce):
        room.receiver.announce(announce)
        if let awaited = room.receiver.awaitedClock {
          room.clock.expect(awaited, at: room.host.local(at: room.world.now))
          room.askSooner()
        }
      case .flush(let flush): room.receiver.flush(flush)
      }
      room.publish()
    }
  }

  // MARK: Decoding

  private func tick() {
    fillLanes()
    schedule(at: world.now.advanced(bySeconds: Self.interval)) { $0.tick() }
  }

  private func fillLanes() {
    changeClock()
    var isNews = false
    while let step = receiver.nextStep(bank.progress.read(), horizon: Self.horizon) {
      carryOut(step)
      isNews = true
    }
    if isNews || world.now.nanoseconds - snapshotAt.nanoseconds > Self.snapshotAge { publish() }
    askForRepair()
  }

  /// Asks for lost packets, by the same way as for the time.
  private func askForRepair() {
    let now = host.local(at: world.now)
    let map = snapshot.clockMap
    while let request = receiver.repairRequest(
      at: now, clock: map.map { MediaFrame($0.media(at: now)) },
      roundTrip: map.map { $0.bound * 2 })
    {
      let datagram = RTCPPacket.negativeAcknowledgement(request).encode()
      guard let arrival = up.arrival(sentAt: world.now), let destination else { continue }
      schedule(at: arrival) { $0.coordinator.receive(datagram, from: destination) }
    }
  }

  private func carryOut(_ step: DecodeStep) {
    switch step {
    case .open(let lane, _, let from, let firstAudible):
      bank[lane].open(from: from, firstAudible: firstAudible)
    case .decode(let lane, let payload, _, let frames, let envelope):
      guard configuration.rendersSamples else {
        bank[lane].appendSilence(frames)
        return
      }
      var samples = RawPayload.decode(payload)
      if envelope != .unity { apply(envelope, to: &samples, frames: frames) }
      bank[lane].append(samples.span)
    case .conceal(let lane, let frames, _), .silence(let lane, let frames):
      // There is no music to be guessed in raw samples.
      bank[lane].appendSilence(frames)
    case .preroll, .close:
      break
    }
  }

  private func apply(_ envelope: StepEnvelope, to samples: inout [Float], frames: Int) {
    for index in 0..<min(frames, samples.count / 2) {
      let gain = envelope.gain(at: index)
      samples[2 * index] *= gain
      samples[2 * index + 1] *= gain
    }
  }

  private func publish() {
    snapshotAt = world.now
    snapshot.schedule = receiver.schedule
    // Without an announcement D is unknown, and with it where the playhead belongs.
    guard let announcement = receiver.announcement else { return }
    snapshot.delay = announcement.delayRamp
    // Nothing is played by a clock that was hardly looked at; the one before plays out.
    snapshot.clockMap = rulingMap()
  }

  /// The map of the ruling clock as the room counts.
  private func rulingMap() -> ClockMap? {
    guard let ruling = receiver.clock else { return nil }
    return clock.settledMap(of: ruling.id, at: host.local(at: world.now)).map(ruling.roomMap)
  }

  /// Music of another clock goes on in the count of the one before (`NetworkThread`).
  private func changeClock() {
    let now = host.local(at: world.now)
    guard let awaited = receiver.awaitedClock, let ruling = receiver.clock,
      let next = clock.settledMap(of: awaited, at: now)
    else { return }
    receiver.takeUp(next, after: clock.settledMap(of: ruling.id, at: now), at: now)
    publish()
  }

  /// 40 ms, and what the tick may oversleep.
  private static var horizon: Int64 { 2_880 }
  /// Seconds between two looks at the lanes (`StreamPlayer`).
  private static var interval: Double { 10e-3 }
  /// The audio thread gets a new clock map at least this often (`NetworkThread`), in nanoseconds.
  private static var snapshotAge: Int64 { 100_000_000 }
  /// A lost segment is sent again after this, in seconds (RFC 6298, the smallest that Linux uses).
  private static var retransmission: Double { 0.2 }
}
