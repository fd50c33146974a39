// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import DaemonProcess
internal import Playout
internal import RealtimeAudio
internal import WireProtocol

/// The stream on the network thread: `StreamReceiver` decides, `LaneDecoders` does.
struct StreamPlayer {
  /// What the lanes hold beyond the renderer's place: 40 ms, and 20 ms for a thread that oversleeps.
  private static let horizon: Int64 = 2_880
  /// While there is a stream the lanes are looked after this often.
  private static let interval = Nanoseconds.milliseconds(10)

  private var receiver = StreamReceiver()
  private let decoders: LaneDecoders
  private let progress: RenderProgress
  private let log: Log
  private var failures = 0
  private var malformed: UInt64 = 0
  private var worked = LocalInstant(nanoseconds: 0)
  /// Packets received in time, and when their number grew last.
  private var received: (count: UInt64, at: LocalInstant)?

  /// A player that fills `bank`.
  init(bank: LaneBank, log: Log) {
    decoders = LaneDecoders(bank: bank, log: log)
    progress = bank.progress
    self.log = log
  }

  /// When the lanes have to be looked after again.
  var nextDeadline: LocalInstant? {
    guard receiver.activity != .idle else { return nil }
    let regular = worked + Self.interval
    guard let repair = receiver.nextRepair else { return regular }
    // Whatever a planner says, this thread does not spin.
    return min(regular, max(repair, worked + .milliseconds(1)))
  }

  /// The clock that frames are counted by.
  var clock: RulingClock? { receiver.clock }

  /// The clock of the music that is to follow, while it is not known well enough.
  var awaitedClock: ClockID? { receiver.awaitedClock }

  /// From stamp to sound.
  var delay: DelayRamp { receiver.announcement?.delayRamp ?? DelayRamp(constant: .zero) }

  /// How much the stream allows the device to keep; nil: as much as it likes.
  var deviceFill: Nanoseconds? { receiver.announcement?.deviceFill }

  /// Which lane sounds when.
  var schedule: LaneSchedule { receiver.schedule }

  /// The generation that plays or is awaited.
  var ssrc: SSRC? { receiver.ssrc }

  /// Whether there is music, at hand or sounding. A stream that ran dry is none.
  ///
  /// A device that is away has no place in the music: then there is music while packets come, or a
  /// room whose card is plugged in after half a minute would have stopped looking for it.
  var isActive: Bool {
    guard progress.read().playhead != nil else {
      return received.map { worked - $0.at < Self.feedLimit } ?? false
    }
    return switch receiver.activity {
    case .idle: false
    case .buffering: receiver.buffered > .zero
    case .playing, .stopping: true
    }
  }

  /// Music comes packet by packet, each 20 ms: what was quiet for so long does not come.
  private static let feedLimit = Nanoseconds.seconds(1)
}

// MARK: - What comes in

extension StreamPlayer {
  /// Takes in an announcement.
  mutating func announce(_ announce: StreamAnnounce) {
    let isNew = announce.ssrc != receiver.announcement?.ssrc
    receiver.announce(announce)
    if isNew {
      log.info("stream \(announce.ssrc) of group \(announce.groupID), D \(announce.delayRamp.d1)")
    }
  }

  /// Goes over to the awaited clock, once its map is there.
  mutating func takeUp(_ next: ClockMap, after ruling: ClockMap?, at now: LocalInstant) {
    receiver.takeUp(next, after: ruling, at: now)
  }

  /// Takes in the natural end of a generation.
  mutating func end(_ end: StreamEnd) { receiver.end(end) }

  /// Takes in a flush.
  mutating func flush(_ flush: FlushPacket) { receiver.flush(flush) }

  /// Takes in an RTP packet.
  ///
  /// - Parameters:
  ///   - bytes: The datagram.
  ///   - arrival: When it reached this host.
  ///   - map: The ruling clock as the room counts, if known.
  /// - Returns: Whether it is of the generation that plays or is awaited.
  mutating func receive(
    _ bytes: Span<UInt8>, at arrival: LocalInstant, map: ClockMap?
  ) -> Bool {
    do throws(WireError) {
      let (header, payload) = try RTPHeader.parse(bytes)
      let clock = map.map { MediaFrame($0.media(at: arrival)) }
      receiver.receive(header, payload: bytes.extracting(payload), at: arrival, clock: clock)
      return header.ssrc == receiver.ssrc
    } catch {
      malformed += 1
      return false
    }
  }
}

// MARK: - What comes out

extension StreamPlayer {
  /// Fills the lanes.
  ///
  /// - Parameter now: The present.
  /// - Returns: Whether the schedule may have changed.
  mutating func work(at now: LocalInstant) -> Bool {
    worked = now
    let count = receiver.counters.received
    if count != received?.count ?? 0 { received = (count, now) }
    var isNews = false
    while let step = receiver.nextStep(progress.read(), horizon: Self.horizon) {
      decoders.perform(step)
      if decoders.failures != failures {
        failures = decoders.failures
        receiver.decodingFailed()
      }
      isNews = true
    }
    return isNews
  }

  /// What to ask the coordinator for again; call until it answers nil.
  ///
  /// - Parameters:
  ///   - now: The present.
  ///   - map: The ruling clock as the room counts, if known.
  /// - Returns: A request to send; it counts as sent.
  mutating func repairRequest(at now: LocalInstant, map: ClockMap?) -> NegativeAcknowledgement? {
    guard let map else { return receiver.repairRequest(at: now, clock: nil, roundTrip: nil) }
    // The bound of a clock map is half a round trip and four sigma: a little too long, never too short.
    return receiver.repairRequest(
      at: now, clock: MediaFrame(map.media(at: now)), roundTrip: map.bound * 2)
  }

  /// Where the stream is on its way to the loudspeaker.
  func phase(hasClock: Bool) -> NetworkStatus.StreamPhase {
    switch receiver.activity {
    case .idle: .none
    case .buffering: hasClock ? .buffering : .waitingForClock
    case .playing: .playing
    case .stopping: .stopping
    }
  }

  /// Tells what a report says about the stream; peaks begin anew.
  mutating func fill(_ status: inout NetworkStatus) {
    let counters = receiver.counters
    status.ssrc = receiver.ssrc
    status.buffered = receiver.buffered
    status.jitter = receiver.jitter
    status.received = counters.received
    status.late = counters.late
    status.lost = counters.lost
    status.repaired = counters.repaired
    status.concealed = counters.concealed
    status.discarded = counters.discarded + malformed
    status.requested = counters.requested
    status.superfluous = counters.superfluous
    status.delivery = receiver.takeDelivery()
  }
}
