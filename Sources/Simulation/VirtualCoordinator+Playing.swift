// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import House
public import WireProtocol

extension VirtualCoordinator {
  /// How a generation is started.
  public struct Start: Sendable {
    /// The playout delay D.
    public var delay: Nanoseconds = .seconds(6)
    /// From now to the first frame, in seconds.
    public var lead = 0.15
    /// The first sequence number; near 65,535 to cross the wrap.
    public var firstSequence: UInt16 = 0
    /// How long packets are sent, in seconds.
    public var length = 3_600.0

    /// The usual start.
    public init() {}
  }

  /// Starts a new generation and sends it.
  ///
  /// - Parameters:
  ///   - start: How.
  ///   - signal: What is played; nil for packets of which only the place in time matters.
  /// - Returns: The announcement; its first audible frame is due `lead` from now.
  @discardableResult
  public func play(_ start: Start = Start(), signal: Signal? = nil) -> StreamAnnounce {
    let due = media(at: world.now.advanced(bySeconds: start.lead))
    let ssrc =
      announcement?.ssrc.next
      ?? SSRC(session: UInt16.random(in: 1...(.max), using: &random), generation: 1)
    let announce = StreamAnnounce(
      groupID: "house", ssrc: ssrc, clockID: clockID, clockPort: 7700,
      lookAheadFrames: UInt32(Self.lookAhead), firstAudible: MediaFrame(due - start.delay),
      delayRamp: DelayRamp(constant: start.delay), firstSequence: start.firstSequence,
      retransmission: ssrc.retransmission)
    announcement = announce
    openRepairs(announce)
    tellAll(.announce(announce))
    let packets = Int(start.length * Double(MediaFrame.rate)) / Int(Self.packetFrames)
    send(0, of: packets, announce, signal)
    return announce
  }

  /// Stops what is playing after the frames that are on their way to the loudspeakers.
  public func flush(after seconds: Double = 0.06, fadeMilliseconds: UInt16 = 10) {
    guard let announcement else { return }
    flushSerial += 1
    let from = media(at: world.now.advanced(bySeconds: seconds)) - announcement.delayRamp.d0
    let flush = FlushPacket(
      ssrc: announcement.ssrc, serial: flushSerial, fromFrame: MediaFrame(from),
      fadeMilliseconds: fadeMilliseconds)
    var datagram: [UInt8] = []
    RTCPPacket.flush(flush).append(to: &datagram)
    stopped = announcement.ssrc
    tellAll(.flush(flush))
    // Until it is acknowledged; here simply every time.
    for milliseconds in [0, 5, 15, 40] {
      world.schedule(at: world.now.advanced(bySeconds: Double(milliseconds) * 1e-3)) {
        self.sendToAll(datagram)
      }
    }
  }

  /// Changes the playout delay of what is playing, as the ramp says.
  public func change(_ delay: DelayRamp) {
    guard var announce = announcement else { return }
    announce.delayRamp = delay
    announcement = announce
    repairs.change(delay, of: announce.ssrc)
    tellAll(.announce(announce))
  }

  /// Dies: no packets, no answers, until `restart`.
  public func crash() {
    isRunning = false
    sent = []
  }

  /// Stands still for so many seconds: no packets, no answers; its clock goes on.
  public func freeze(seconds: Double) {
    frozenUntil = max(frozenUntil, world.now.advanced(bySeconds: seconds))
  }

  /// Comes back with the clock it had, or with a new one; nothing is playing.
  public func restart() { isRunning = true }

  /// Sends packet `index`, and the next one when it is time: at its stamp, or in the opening burst.
  private func send(
    _ index: Int, of packets: Int, _ announce: StreamAnnounce, _ signal: Signal?
  ) {
    guard isRunning, index < packets, announcement?.ssrc == announce.ssrc,
      stopped != announce.ssrc
    else { return }
    guard world.now >= frozenUntil else {
      world.schedule(at: frozenUntil) { self.send(index, of: packets, announce, signal) }
      return
    }
    let stamp = announce.firstAudible + (Int64(index) * Self.packetFrames - Self.lookAhead)
    let datagram = Self.datagram(index, stamp, announce, signal)
    if index == 0 { sent = [] }
    produced = index + 1
    sent.append(SentPacket(stamp: stamp, datagram: datagram))
    // D + 2 s, as the real ring holds.
    let kept = Int(announce.delayRamp.d0.inSeconds * 50) + 100
    if sent.count > 2 * kept { sent.removeFirst(kept) }
    sendToAll(datagram)
    let paced = world.now.advanced(bySeconds: Self.burstSpacing)
    let steady = moment(of: (stamp + Self.packetFrames).instant)
    world.schedule(at: max(paced, steady)) { self.send(index + 1, of: packets, announce, signal) }
  }

  private static func datagram(
    _ index: Int, _ stamp: MediaFrame, _ announce: StreamAnnounce, _ signal: Signal?
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    if signal != nil { bytes.reserveCapacity(16 + Int(packetFrames) * 8) }
    RTPHeader(
      payloadType: announce.payloadType, marker: index == 0,
      sequence: announce.firstSequence &+ UInt16(truncatingIfNeeded: index),
      timestamp: RTPTimestamp(stamp), ssrc: announce.ssrc
    ).append(to: &bytes)
    RawPayload.append(first: stamp, frames: packetFrames, signal: signal, to: &bytes)
    return bytes
  }
}
