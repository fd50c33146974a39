// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync
public import WireProtocol

/// The coordinator as a room sees it: a clock service and a sender of one generation after another.
///
/// Its wire formats are the real ones; its packets hold raw samples behind an Opus head.
public final class VirtualCoordinator {
  /// Where a room is reached.
  struct Destination {
    var send: (_ datagram: [UInt8]) -> Void
    var announce: (_ announce: StreamAnnounce) -> Void
  }

  /// What is played: two samples for each media frame.
  public typealias Signal = (_ frame: MediaFrame) -> SIMD2<Float>

  /// The run of its media clock; a change is a restart after a reboot.
  public var clockID: ClockID
  /// What is playing.
  public private(set) var announcement: StreamAnnounce?

  let world: VirtualWorld
  private var host: VirtualHost
  private var constant: Nanoseconds
  private var random: SeededRandom
  private var destinations: [Destination] = []
  private var flushSerial: UInt32 = 0
  /// The packets of the last D and a little more.
  private var sent: [(stamp: MediaFrame, datagram: [UInt8])] = []

  /// A coordinator whose media clock shows `start` when the simulation begins.
  ///
  /// - Parameters:
  ///   - world: Where it lives.
  ///   - error: Of its oscillator.
  ///   - start: The media clock at the beginning; near a wrap, to cross it.
  ///   - seed: Draws all that is random about it.
  public init(
    world: VirtualWorld, error: VirtualCrystal.Error = .init(ppm: 0),
    mediaClock start: MediaInstant = VirtualCoordinator.ordinaryDay, seed: UInt64
  ) {
    var random = SeededRandom(seed: seed)
    self.world = world
    host = VirtualHost(error: error, seed: random.next())
    clockID = ClockID(rawValue: random.next() | 1)
    constant = Nanoseconds(
      start.nanosecondsSince1900 - host.local(at: TrueInstant(nanoseconds: 0)).nanoseconds)
    self.random = random
  }

  /// 2026-11-30.
  public static var ordinaryDay: MediaInstant {
    MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
  }

  /// What the media clock shows.
  public func media(at moment: TrueInstant) -> MediaInstant {
    MediaInstant(nanosecondsSince1900: host.local(at: moment).nanoseconds) + constant
  }

  /// When the media clock shows `media`.
  public func moment(of media: MediaInstant) -> TrueInstant {
    host.moment(of: LocalInstant(nanoseconds: (media - constant).nanosecondsSince1900))
  }

  /// Adds a room; it hears of what is playing at once.
  func add(_ destination: Destination) {
    destinations.append(destination)
    guard let announcement else { return }
    destination.announce(announcement)
    let playing = MediaFrame(media(at: world.now) - announcement.delayRamp.d0)
    catchUp(destination, with: sent.filter { $0.stamp > playing }[...])
  }

  /// Sends what is still to be heard, the most urgent first.
  private func catchUp(
    _ destination: Destination, with packets: ArraySlice<(stamp: MediaFrame, datagram: [UInt8])>
  ) {
    guard let first = packets.first else { return }
    destination.send(first.datagram)
    world.schedule(at: world.now.advanced(bySeconds: Self.burstSpacing)) {
      self.catchUp(destination, with: packets.dropFirst())
    }
  }

  /// Answers a question about the time that arrived just now.
  ///
  /// - Parameters:
  ///   - datagram: The question.
  ///   - delay: Seconds that it takes to write the answer; drawn by the room, so that no room
  ///     disturbs another's luck.
  /// - Returns: The answer; nil if it is no question.
  func answer(_ datagram: [UInt8], after delay: Double) -> [UInt8]? {
    guard classifyDatagram(datagram.span, at: .coordinator) == .ntpRequest,
      let request = try? NTPPacket.parse(datagram.span)
    else { return nil }
    let reply = clockReply(
      to: request, received: media(at: world.now),
      transmitted: media(at: world.now.advanced(bySeconds: delay)), clockID: clockID)
    return reply.encode()
  }

  // MARK: Playing

  /// How a generation is started.
  public struct Start {
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
  ///   - signal: What is played.
  /// - Returns: The announcement; its first audible frame is due `lead` from now.
  @discardableResult
  public func play(_ start: Start = Start(), signal: @escaping Signal) -> StreamAnnounce {
    let due = media(at: world.now.advanced(bySeconds: start.lead))
    let ssrc =
      announcement?.ssrc.next
      ?? SSRC(session: UInt16.random(in: 1...(.max), using: &random), generation: 1)
    let announce = StreamAnnounce(
      groupID: "house", ssrc: ssrc, clockID: clockID, clockPort: 7700,
      lookAheadFrames: UInt32(Self.lookAhead), firstAudible: MediaFrame(due - start.delay),
      delayRamp: DelayRamp(constant: start.delay), firstSequence: start.firstSequence)
    announcement = announce
    for destination in destinations { destination.announce(announce) }
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
    // Until it is acknowledged; here simply every time.
    for milliseconds in [0, 5, 15, 40] {
      world.schedule(at: world.now.advanced(bySeconds: Double(milliseconds) * 1e-3)) {
        for destination in self.destinations { destination.send(datagram) }
      }
    }
  }

  /// Sends packet `index`, and the next one when it is time: at its stamp, or in the opening burst.
  private func send(
    _ index: Int, of packets: Int, _ announce: StreamAnnounce, _ signal: @escaping Signal
  ) {
    guard index < packets, announcement?.ssrc == announce.ssrc else { return }
    let stamp = announce.firstAudible + (Int64(index) * Self.packetFrames - Self.lookAhead)
    let datagram = Self.datagram(index, stamp, announce, signal)
    if index == 0 { sent = [] }
    sent.append((stamp, datagram))
    let kept = Int(announce.delayRamp.d0.inSeconds * 50) + 50
    if sent.count > 2 * kept { sent.removeFirst(kept) }
    for destination in destinations { destination.send(datagram) }
    let paced = world.now.advanced(bySeconds: Self.burstSpacing)
    let steady = moment(of: (stamp + Self.packetFrames).instant)
    world.schedule(at: max(paced, steady)) { self.send(index + 1, of: packets, announce, signal) }
  }

  private static func datagram(
    _ index: Int, _ stamp: MediaFrame, _ announce: StreamAnnounce, _ signal: Signal
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16 + Int(packetFrames) * 8)
    RTPHeader(
      payloadType: announce.payloadType, marker: index == 0,
      sequence: announce.firstSequence &+ UInt16(truncatingIfNeeded: index),
      timestamp: RTPTimestamp(stamp), ssrc: announce.ssrc
    ).append(to: &bytes)
    RawPayload.append(first: stamp, frames: packetFrames, signal: signal, to: &bytes)
    return bytes
  }

  /// 20 ms.
  public static var packetFrames: Int64 { 960 }
  /// What OPUS_GET_LOOKAHEAD answers.
  public static var lookAhead: Int64 { 312 }
  /// Seconds between packets of the opening burst: 20 ms of music each 2 ms.
  private static var burstSpacing: Double { 2e-3 }
}

/// Samples behind an Opus head byte: what stands in for Opus, exact to the bit.
public enum RawPayload {
  /// RFC 6716 section 3.1: CELT, full band, 20 ms, stereo, one frame.
  private static var head: UInt8 { 31 << 3 | 1 << 2 }

  /// Appends the payload of `frames` frames.
  static func append(
    first: MediaFrame, frames: Int64, signal: VirtualCoordinator.Signal, to bytes: inout [UInt8]
  ) {
    bytes.append(head)
    for offset in 0..<frames {
      let sample = signal(first + offset)
      append(sample.x.bitPattern, to: &bytes)
      append(sample.y.bitPattern, to: &bytes)
    }
  }

  /// The samples of a payload, left and right in turn.
  public static func decode(_ payload: [UInt8]) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(payload.count / 4)
    var index = 1
    while index + 3 < payload.count {
      let high = UInt32(payload[index]) << 24 | UInt32(payload[index + 1]) << 16
      let low = UInt32(payload[index + 2]) << 8 | UInt32(payload[index + 3])
      samples.append(Float(bitPattern: high | low))
      index += 4
    }
    return samples
  }

  private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: word >> 24))
    bytes.append(UInt8(truncatingIfNeeded: word >> 16))
    bytes.append(UInt8(truncatingIfNeeded: word >> 8))
    bytes.append(UInt8(truncatingIfNeeded: word))
  }
}
