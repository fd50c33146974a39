// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync
internal import House
public import WireProtocol

/// The coordinator as a room sees it: a clock service and a sender of one generation after another.
///
/// Its wire formats are the real ones; its packets hold raw samples behind an Opus head.
public final class VirtualCoordinator {
  /// Where a room is reached.
  struct Destination {
    /// A datagram from the coordinator's UDP port.
    var send: (_ datagram: [UInt8]) -> Void
    /// Something on the control link.
    var tell: (_ message: ControlWord) -> Void
  }

  /// What goes over the control link.
  enum ControlWord {
    case announce(StreamAnnounce)
    case flush(FlushPacket)
  }

  /// One run of the media clock.
  private struct Run {
    var id: ClockID
    /// Media nanoseconds less the host's.
    var constant: Nanoseconds
  }

  /// A packet that was sent, for those who join and for those who lost it.
  struct SentPacket {
    var stamp: MediaFrame
    var datagram: [UInt8]
  }

  /// What is played: two samples for each media frame.
  public typealias Signal = (_ frame: MediaFrame) -> SIMD2<Float>

  /// What is playing.
  public internal(set) var announcement: StreamAnnounce?
  /// Whether the process lives.
  public internal(set) var isRunning = true

  let world: VirtualWorld
  var random: SeededRandom
  /// It stands still until then.
  var frozenUntil = TrueInstant(nanoseconds: 0)
  /// In the order in which they came.
  private(set) var destinations: [(name: UInt64, at: Destination)] = []
  var flushSerial: UInt32 = 0
  /// The generation that was stopped.
  var stopped: SSRC?
  /// The packets of the last D and a little more.
  var sent: [SentPacket] = []
  /// How many packets the generation has had so far.
  var produced = 0
  var repairs = RepairSchedule()
  private var host: VirtualHost
  /// The present run is the last.
  private var runs: [Run]
  private var nextDestination: UInt64 = 0

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
    let id = ClockID(rawValue: random.next() | 1)
    let constant = Nanoseconds(
      start.nanosecondsSince1900 - host.local(at: TrueInstant(nanoseconds: 0)).nanoseconds)
    runs = [Run(id: id, constant: constant)]
    self.random = random
  }

  /// 2026-11-30.
  public static var ordinaryDay: MediaInstant {
    MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
  }

  // MARK: Clock

  /// The run of its media clock.
  public var clockID: ClockID { runs[runs.count - 1].id }

  /// What the media clock shows.
  public func media(at moment: TrueInstant) -> MediaInstant {
    MediaInstant(nanosecondsSince1900: host.local(at: moment).nanoseconds) + constant
  }

  /// What that run of the media clock shows, or would show if it still ran; nil if there was none.
  public func media(at moment: TrueInstant, of clock: ClockID) -> MediaInstant? {
    guard let run = runs.last(where: { $0.id == clock }) else { return nil }
    return MediaInstant(nanosecondsSince1900: host.local(at: moment).nanoseconds) + run.constant
  }

  /// When the media clock shows `media`.
  public func moment(of media: MediaInstant) -> TrueInstant {
    host.moment(of: LocalInstant(nanoseconds: (media - constant).nanosecondsSince1900))
  }

  /// Sets the clock anew, as after a reboot: `seconds` off, and under another name.
  public func renewClock(off seconds: Double = 0) {
    runs.append(
      Run(
        id: ClockID(rawValue: random.next() | 1),
        constant: constant + Nanoseconds(seconds: seconds)))
    // Two are enough: rooms hold one clock beside the present one.
    if runs.count > 4 { runs.removeFirst() }
  }

  private var constant: Nanoseconds { runs[runs.count - 1].constant }

  // MARK: Rooms

  /// Adds a room; it hears of what is playing at once, and gets what can still be heard.
  ///
  /// - Returns: A name for `remove`.
  func add(_ destination: Destination) -> UInt64 {
    nextDestination += 1
    destinations.append((nextDestination, destination))
    serveRepairs()
    guard isRunning, let announcement else { return nextDestination }
    destination.tell(.announce(announcement))
    let playing = MediaFrame(media(at: world.now) - announcement.delayRamp.d0)
    catchUp(nextDestination, with: sent.filter { $0.stamp > playing }[...])
    return nextDestination
  }

  /// Forgets a room.
  func remove(_ destination: UInt64) { destinations.removeAll { $0.name == destination } }

  /// Sends what is still to be heard, the most urgent first.
  private func catchUp(_ name: UInt64, with packets: ArraySlice<SentPacket>) {
    guard isRunning, let first = packets.first,
      let room = destinations.first(where: { $0.name == name })
    else { return }
    room.at.send(first.datagram)
    world.schedule(at: world.now.advanced(bySeconds: Self.burstSpacing)) {
      self.catchUp(name, with: packets.dropFirst())
    }
  }

  /// Sends a datagram to every room.
  func sendToAll(_ datagram: [UInt8]) { for room in destinations { room.at.send(datagram) } }

  /// Says something on every control link.
  func tellAll(_ word: ControlWord) { for room in destinations { room.at.tell(word) } }

  // MARK: Datagrams

  /// What it sends back for a datagram that arrived just now.
  ///
  /// - Parameters:
  ///   - datagram: A question about the time, or a wish for packets.
  ///   - delay: Seconds that it takes to write the answer.
  /// - Returns: The answers; none if it is neither.
  func answers(to datagram: [UInt8], after delay: Double) -> [[UInt8]] {
    guard isRunning, world.now >= frozenUntil else { return [] }
    switch classifyDatagram(datagram.span, at: .coordinator) {
    case .ntpRequest: return [time(datagram, after: delay)].compactMap { $0 }
    default: return []
    }
  }

  private func time(_ datagram: [UInt8], after delay: Double) -> [UInt8]? {
    guard let request = try? NTPPacket.parse(datagram.span) else { return nil }
    let reply = clockReply(
      to: request, received: media(at: world.now),
      transmitted: media(at: world.now.advanced(bySeconds: delay)), clockID: clockID)
    return reply.encode()
  }

  /// 20 ms.
  public static var packetFrames: Int64 { 960 }
  /// What OPUS_GET_LOOKAHEAD answers.
  public static var lookAhead: Int64 { 312 }
  /// Seconds between packets of the opening burst: 20 ms of music each 2 ms.
  static var burstSpacing: Double { 2e-3 }
}
