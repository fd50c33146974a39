// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import DaemonProcess
internal import House
internal import OpusCodec
internal import WireProtocol

// A live input differs from stored music in three ways. There is nothing ahead to send in a burst: its
// newest block is stamped now, and heard D later. D is short and its own, and follows the rooms. And two
// generations of different D cannot overlap, because a room plays by one D at a time: what sounds fades
// first, the rooms move their place in the silence, then the new music begins.
//
//   stored  ~~~~~~~~~\          D = 6 s
//   live              ..../~~~~~~~~~~~~  D = 0.4 s
//              pause frame | quietFrom

extension StreamProducer {
  /// After a fade: until every room has closed it for certain, a block and a round of its threads.
  static var quietMargin: Nanoseconds { .milliseconds(30) }
  /// Delays that differ by less are one: a room steers there unheard.
  private static var sameDelay: Nanoseconds { .milliseconds(1) }
  /// From a block's moment to its packet: three threads' turns and the encoder.
  private static var liveMargin: Nanoseconds { .milliseconds(4) }
  /// An order on the control links is everywhere by then: a lost packet is sent again by TCP after
  /// 200 ms.
  private static var reach: Nanoseconds { .milliseconds(300) }

  /// The delay that a line begins with.
  func beginDelay(of line: Line) -> DelayRamp {
    guard let live = line.live else {
      return DelayRamp(constant: shared.configuration.playoutDelay)
    }
    var follower = adaptive[live.name] ?? AdaptiveDelay(mode: live.delay)
    defer { adaptive[live.name] = follower }
    return follower.begin()
  }

  /// The longest delay that a line may come to.
  func longestDelay(of live: LiveTrack?) -> Nanoseconds {
    live?.delay.limits.upperBound ?? shared.configuration.playoutDelay
  }

  /// Whether a line may begin: what sounds has its delay, or has faded. If not, lets it fade.
  func isQuiet(for line: Line, at now: MediaInstant) -> Bool {
    let next = beginDelay(of: line).d0
    guard (next - delay.delay(at: delay.stamp(heardAt: now))).magnitude > Self.sameDelay else {
      return true
    }
    if generation != nil {
      endGeneration(at: pauseFrame(at: now), fadeMilliseconds: Self.pauseFadeMilliseconds)
      dropLine(unless: line.number)
      phase = .opening
    }
    guard now < quietFrom else { return true }
    pending?.earliest = quietFrom
    return false
  }

  /// Begins a live input with its newest block.
  func startLive(_ waiting: PendingStart, at now: MediaInstant) {
    var start = waiting
    let frames = start.line.packetFrames
    let end = start.line.history.extent.end
    start.content = max(start.content, end - frames)
    start.line.history.consume(to: min(end, start.content))
    guard end - start.content >= frames, isQuiet(for: start.line, at: now) else { return }
    begin(
      start, firstAudible: MediaFrame(now + Self.liveMargin) + Int64(encoder.lookAhead))
  }

  /// Rooms have told how their packets come.
  func follow(_ deliveries: [String: DeliveryReport], at now: MediaInstant) {
    guard var current = generation, let live = current.live, var follower = adaptive[live.name]
    else { return }
    let ramp = follower.decide(deliveries, from: delay.stamp(heardAt: now + Self.reach))
    adaptive[live.name] = follower
    guard let ramp else { return }
    log.info(
      "\(live.name): the playout delay goes from \(ramp.d0) to \(ramp.d1)", kind: "playout-delay")
    current.announce.delayRamp = ramp
    current.grid.delayRamp = ramp
    generation = current
    delay = ramp
    shared.media.post(.change(ramp, of: current.ssrc))
    emit(.delayChanged(current.announce))
  }

  /// Who gets the stream from now on.
  func serve(_ rooms: [RoomDestination]) {
    self.rooms = rooms
    shared.media.post(.serve(rooms))
    let present = Set(rooms.map(\.id.rawValue))
    for name in adaptive.keys { adaptive[name]?.keep(present) }
  }
}
