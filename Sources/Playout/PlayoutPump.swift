// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync
public import RealtimeAudio
internal import WireProtocol

// The audio half of playing in time, one round per block of the device:
//
//   status ──► observe ──► DACModel ──┐
//                                     ├──► due position P0 ──► error e = p - P0 ──► Servo ──► order
//   snapshot {ClockMap, D, latency} ──┘                                             │
//                                     └──► feed-forward: card pace, clock rate ─────┘
//
// While nothing sounds the position may move freely, so it is set right for every block: the first
// frame of music lands on its sample and fraction. While something sounds it is only steered, and
// jumps (cross-faded by the renderer) when it is off by more than 2 ms for three blocks.
//
// Allocation-free after `init`; called by the audio thread, and by Simulation in virtual time.

/// Plans what each block of a device shall sound like, and measures how well it did.
public struct PlayoutPump: ~Copyable, Sendable {
  /// Frames per second of the device.
  public let deviceRate: Int
  /// The device as it is understood so far.
  public private(set) var dac: DACModel
  /// Jumps while something sounded.
  public private(set) var resyncs: UInt64 = 0
  /// Position less due position at the start of the latest block: what the servo saw.
  public private(set) var plannedError = Nanoseconds.zero
  /// What the servo added to the feed-forward for the latest block.
  public private(set) var trim = PartsPerMillion(0)
  /// Frames that the device held at the latest reading.
  public private(set) var outputLatency = Nanoseconds.zero

  private var servo = Servo()
  private var plan = ReadingPlan()
  private var hasPosition = false
  /// Silence was forced on a renderer that has a position: it may be set anew.
  private var isHeld = false
  private var record: SyncErrorRecord
  private var snapshot = PlayoutSnapshot()

  /// A pump for a device that is about to run.
  ///
  /// - Parameters:
  ///   - deviceRate: Frames per second that the device claims.
  ///   - priorFrequency: Its crystal's error found the last time.
  public init(deviceRate: Int, priorFrequency: PartsPerMillion? = nil) {
    self.deviceRate = max(1, deviceRate)
    dac = DACModel(rate: deviceRate, priorFrequency: priorFrequency)
    record = SyncErrorRecord()
  }

  /// Whether the device is known well enough for sound to start exactly.
  public var isReady: Bool { dac.isSettled }

  /// The readings to take before the block's own at `wake`; nil: none. Ask again after each.
  public mutating func extraReadings(
    after now: LocalInstant, before wake: LocalInstant
  ) -> ReadingOrder? {
    plan.order(after: now, before: wake, model: dac)
  }

  /// Whether an ordered reading is to be followed by another at once.
  public func readsOn(at now: LocalInstant) -> Bool { plan.goesOn(at: now) }

  /// Takes in a reading of the device.
  public mutating func observe(_ status: DeviceStatus) {
    let heard = status.framesWritten &- status.delayFrames
    dac.observe(framesHeard: heard, at: status.stamp, uncertainty: status.uncertainty)
    plan.observe(
      framesHeard: heard, at: status.stamp, uncertainty: status.uncertainty, model: dac)
    outputLatency = Nanoseconds(
      seconds: Double(status.delayFrames) / Double(deviceRate) * dac.pace)
    record.settle(framesHeard: heard, dac: dac, snapshot: snapshot)
  }

  /// Notes when the device was told to play, and which frame is its first.
  public mutating func deviceStarted(at now: LocalInstant, frame: Int64) {
    dac.started(at: now, frame: frame)
  }

  /// Notes that the device was stopped and starts anew: its crystal stays, its phase does not.
  public mutating func deviceRestarted() {
    dac.restart()
    plan.restart()
    servo.restart()
    record.forgetPending()
  }

  /// Plans the block whose first frame is number `blockStart` since the device was opened.
  ///
  /// - Parameters:
  ///   - latest: The newest snapshot.
  ///   - blockStart: Device frames written so far.
  ///   - frames: Device frames in the block.
  ///   - position: Where the renderer stands.
  /// - Returns: What to render; nil for silence without a position, while clock or card is unknown.
  public mutating func plan(
    _ latest: PlayoutSnapshot, blockStart: Int64, frames: Int, position: MediaPosition
  ) -> RenderOrder? {
    snapshot = latest
    guard let map = latest.clockMap, dac.isSettled, let heard = dac.heard(blockStart) else {
      return waitInSilence()
    }
    let due = latest.duePosition(at: heard, by: map)
    let length = Double(frames) / Double(deviceRate)
    let travel = dueTravel(from: due, over: length, map: map)
    var order = RenderOrder(gain: latest.gain, schedule: latest.schedule)
    if isSilent(at: position, or: due) {
      align(&order, position: position, due: due, travel: travel, frames: frames)
    } else {
      steer(&order, position: position, due: due, travel: travel, frames: frames)
    }
    hasPosition = true
    record.add(
      SyncErrorRecord.Planned(
        deviceFrame: blockStart, position: order.jumpTo ?? position,
        isSounding: latest.gain > 0
          && latest.schedule.sounds(at: (order.jumpTo ?? position).frame)))
    return order
  }

  /// Heard less due over the last second, ten seconds and five minutes. Cost: some 20 us.
  public mutating func syncError(at now: LocalInstant) -> SyncErrorReport {
    record.report(at: now)
  }

  /// Gives the past of an earlier run of the device back, or takes it away to be kept.
  public mutating func exchange(_ history: inout SyncErrorHistory) { record.exchange(&history) }
}

// MARK: - Parts of a plan

extension PlayoutPump {
  /// Clock or card lost: fade out and go on at nominal speed, so that the return is a jump.
  private mutating func waitInSilence() -> RenderOrder? {
    guard hasPosition else { return nil }
    isHeld = true
    return RenderOrder(
      step: step(of: Double(MediaFrame.rate) / Double(deviceRate)), gain: 0,
      schedule: snapshot.schedule)
  }

  /// Media frames that pass in `length` nominal seconds of the card.
  private func dueTravel(from due: MediaPosition, over length: Double, map: ClockMap) -> Double {
    let media = length * dac.pace * (1 + map.rate.ratio) * Double(MediaFrame.rate)
    let end = due.frame + Int64(media)
    let growth = snapshot.delay.delay(at: end) - snapshot.delay.delay(at: due.frame)
    return media - growth.inSeconds * Double(MediaFrame.rate)
  }

  private func isSilent(at position: MediaPosition, or due: MediaPosition) -> Bool {
    !hasPosition || isHeld
      || !(snapshot.schedule.sounds(at: position.frame + Self.reach)
        || snapshot.schedule.sounds(at: due.frame + Self.reach))
  }

  /// Nothing sounds: be right at once.
  private mutating func align(
    _ order: inout RenderOrder, position: MediaPosition, due: MediaPosition, travel: Double,
    frames: Int
  ) {
    let ahead = hasPosition ? position - due : .infinity
    var rest = travel
    if abs(ahead) > Self.freeJumpFrames || isHeld {
      order.jumpTo = due
      plannedError = .zero
    } else {
      rest -= ahead
      plannedError = Nanoseconds(seconds: ahead / Double(MediaFrame.rate))
    }
    order.step = step(of: rest / Double(frames))
    trim = PartsPerMillion(0)
    isHeld = false
    servo.restart()
  }

  /// Something sounds: approach.
  private mutating func steer(
    _ order: inout RenderOrder, position: MediaPosition, due: MediaPosition, travel: Double,
    frames: Int
  ) {
    let error = (position - due) / Double(MediaFrame.rate)
    plannedError = Nanoseconds(seconds: error)
    var ratio = 0.0
    switch servo.decide(error: error, block: Double(frames) / Double(deviceRate)) {
    case .steer(let wanted):
      ratio = wanted
    case .jump:
      order.jumpTo = due
      resyncs += 1
      servo.restart()
    }
    trim = PartsPerMillion(ratio * 1e6)
    order.step = step(of: travel * (1 + ratio) / Double(frames))
  }

  private func step(of framesPerFrame: Double) -> UInt64 {
    UInt64(max(0, min(framesPerFrame, 8)) * 0x1p32 + 0.5)
  }

  /// Media frames of reach of the resampler's filter, half of 96 taps: music is heard that early.
  private static var reach: Int64 { 48 }
  /// 2 us: below that, bending one inaudible block is exact enough and needs no fade.
  private static var freeJumpFrames: Double { 0.096 }
}
