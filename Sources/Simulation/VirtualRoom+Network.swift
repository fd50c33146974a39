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
    coordinator.add(
      VirtualCoordinator.Destination(
        send: { self.sendDown($0) },
        announce: { self.hear($0) }))
    askForTime()
    tick()
  }

  // MARK: Clock

  private func askForTime() {
    let now = host.local(at: world.now)
    if let stamp = clock.requestDue(at: now) {
      clock.sent(stamp, at: now)
      if let arrival = up.arrival(sentAt: world.now) {
        let request = NTPPacket.request(stamp: stamp).encode()
        world.schedule(at: arrival) { self.requestArrived(request) }
      }
    }
    // A nanosecond more: a moment rounded down would find the deadline still ahead, for ever.
    let next = host.moment(of: clock.nextDeadline + Nanoseconds(1)).advanced(bySeconds: 1e-9)
    world.schedule(at: next) { self.askForTime() }
  }

  private func requestArrived(_ request: [UInt8]) {
    let delay = 5e-6 + 25e-6 * random.unit()
    guard let reply = coordinator.answer(request, after: delay) else { return }
    world.schedule(at: world.now.advanced(bySeconds: delay)) { self.sendDown(reply) }
  }

  private func replyArrived(_ datagram: [UInt8]) {
    guard let reply = try? NTPPacket.parse(datagram.span) else { return }
    clock.receive(
      origin: reply.origin.rawValue, received: reply.receive.instant,
      transmitted: reply.transmit.instant, clockID: ClockID(rawValue: reply.reference.rawValue),
      at: host.local(at: world.now))
    publish()
  }

  // MARK: Reception

  /// Anything from the coordinator's UDP port.
  private func sendDown(_ datagram: [UInt8]) {
    guard let arrival = down.arrival(sentAt: world.now) else { return }
    world.schedule(at: arrival) { self.arrived(datagram) }
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
    case .ntpReply:
      replyArrived(datagram)
    default:
      return
    }
    fillLanes()
  }

  /// The control link is TCP: what it carries arrives, a little later.
  private func hear(_ announce: StreamAnnounce) {
    world.schedule(at: world.now.advanced(bySeconds: 2 * down.quality.base)) {
      self.receiver.announce(announce)
      self.publish()
    }
  }

  // MARK: Decoding

  private func tick() {
    fillLanes()
    world.schedule(at: world.now.advanced(bySeconds: 5e-3)) { self.tick() }
  }

  private func fillLanes() {
    while let step = receiver.nextStep(bank.progress.read(), horizon: Self.horizon) {
      carryOut(step)
    }
    publish()
  }

  private func carryOut(_ step: DecodeStep) {
    switch step {
    case .open(let lane, _, let from, let firstAudible):
      bank[lane].open(from: from, firstAudible: firstAudible)
    case .decode(let lane, let payload, _, let frames, let envelope):
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
    snapshot.schedule = receiver.schedule
    // Without an announcement D is unknown, and with it where the playhead belongs.
    guard let announcement = receiver.announcement else { return }
    snapshot.delay = announcement.delayRamp
    snapshot.clockMap = clock.map(of: announcement.clockID, at: host.local(at: world.now))
  }

  /// 40 ms, and what the tick may oversleep.
  private static var horizon: Int64 { 2_880 }
}
