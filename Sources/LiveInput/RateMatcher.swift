// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Reads a live source at the house's pace. The reader follows the source's clock at a distance, the
// *hold*, which covers the longest wait between two lumps; its rate is the source's (ArrivalModel, fed
// forward) and a proportional part that brings it back to that distance:
//
//   step = pace * (1 + u),  u = error / tau     |u| <= 200 ppm, 1000 ppm while far off
//
// The plant is an integrator and the position a number, as in the rooms' servo: first order, no ringing.
// tau is long because lumps say little: the source's clock is known to milliseconds, not microseconds,
// and only the buffer's fill depends on it; rooms agree with each other whatever it does.

/// Decides how much of a live source is read for each block of output.
public struct RateMatcher: Sendable {
  /// What to do for one block.
  public enum Plan: Sendable, Hashable {
    /// Silence: what came is still collected.
    case collect
    /// Read from here on, `step` source frames per output frame (32.32).
    case read(from: SourcePosition, step: UInt64)
    /// The source has run dry in the middle of music: fade out what is there and collect again.
    case dry(from: SourcePosition)
    /// Far too much was handed over: go on there, cross-faded.
    case skip(to: SourcePosition)
  }

  /// The source's clock.
  public private(set) var arrivals: ArrivalModel
  /// The distance kept behind the source's clock.
  public var hold: Nanoseconds { Nanoseconds(seconds: distance) }
  /// Times the source ran dry while it was read.
  public private(set) var dryRuns = 0
  /// Times that music was skipped because too much had come.
  public private(set) var skips = 0
  /// The present trim on top of the source's pace, as a ratio.
  public private(set) var trim = 0.0

  /// Seconds of `hold`.
  private var distance = 0.0
  private var total: Int64 = 0
  /// Frames of the present lump; one is often read in parts.
  private var lump = 0
  private var lastArrival: LocalInstant?
  private var waits = LongestWait()
  private var position: SourcePosition?
  private var pausedAt = SourcePosition(frame: 0)
  /// Nothing has come since the source ran dry.
  private var isAwaitingDelivery = false

  private let outputRate: Double
  /// Seconds of `hold` beyond the longest wait.
  private let margin: Double

  /// A matcher.
  ///
  /// - Parameters:
  ///   - rate: Frames per second that the source claims.
  ///   - outputRate: Frames per second that are read.
  ///   - block: Output frames in a block.
  public init(rate: Int, outputRate: Int = 48_000, block: Int = 960) {
    arrivals = ArrivalModel(rate: rate)
    self.outputRate = Double(max(1, outputRate))
    margin = Double(block) / self.outputRate + Self.guardTime
  }

  /// Where reading goes on, at once or when enough was collected.
  public var nextPosition: SourcePosition { position ?? pausedAt }

  /// Where reading goes on; nil while collecting.
  public var readPosition: SourcePosition? { position }

  /// Takes in that the source has handed over `frames` more.
  public mutating func deliver(frames: Int, at now: LocalInstant) {
    guard frames > 0 else { return }
    let wait = lastArrival.map { now - $0 } ?? .zero
    if wait > Self.pause { arrivals.sourcePaused() }
    lump = wait < Self.together ? lump + frames : frames
    waits.note(max(wait, Nanoseconds(seconds: Double(lump) / Double(arrivals.rate))), at: now)
    lastArrival = now
    isAwaitingDelivery = false
    total += Int64(frames)
    arrivals.observe(total: total, at: now)
  }

  /// Decides about the next block.
  ///
  /// - Parameters:
  ///   - frames: Output frames in the block.
  ///   - now: When the block is made, on this host's clock.
  /// - Returns: What to read; positions are taken as read.
  public mutating func plan(frames: Int, at now: LocalInstant) -> Plan {
    guard let reached = arrivals.reached(at: now) else { return .collect }
    let block = Double(frames) / outputRate
    adjustHold(block)
    let wanted = reached - distance * Double(arrivals.rate)
    guard var here = position else { return collect(wanted, at: now) }
    let error = (wanted - Double(here.frame)) / Double(arrivals.rate)
    if error > Self.skipError {
      skips += 1
      let target = SourcePosition(frame: Int64(wanted))
      position = target
      return .skip(to: target)
    }
    let step = steer(error, block: block)
    let start = here
    here.advance(by: frames, step: step)
    guard here.frame + Self.reach <= total else {
      dryRuns += 1
      // What is left is faded out, so it is not read again.
      pausedAt = max(start, SourcePosition(frame: total - Self.reach))
      position = nil
      isAwaitingDelivery = true
      return .dry(from: start)
    }
    position = here
    return .read(from: start, step: step)
  }

  /// Reading begins when the hold is full.
  private mutating func collect(_ wanted: Double, at now: LocalInstant) -> Plan {
    guard !isAwaitingDelivery, wanted >= Double(pausedAt.frame) else { return .collect }
    trim = 0
    position = pausedAt
    return .collect
  }

  /// Longer at once, with room to spare, or it would be longer again for each new longest wait;
  /// shorter so slowly that nobody hears it.
  private mutating func adjustHold(_ block: Double) {
    let needed = waits.longest + margin
    if needed > distance { return distance = needed + Self.spareTime }
    distance = max(min(distance, needed + Self.spareTime), distance - Self.shrinkRate * block)
  }

  private mutating func steer(_ error: Double, block: Double) -> UInt64 {
    let limit = abs(error) > Self.farError ? Self.farLimit : Self.nearLimit
    let slew = Self.slew * block
    let asked = max(-limit, min(limit, error / Self.tau))
    trim = max(trim - slew, min(trim + slew, asked))
    let nominal = Double(arrivals.rate) / outputRate
    return UInt64((nominal * arrivals.pace * (1 + trim) * 0x1p32).rounded())
  }
}

// MARK: - Tuning

extension RateMatcher {
  /// Seconds in which an error of the distance falls to 1/e.
  static let tau = 20.0
  /// As a ratio: 0.3 cents.
  static let nearLimit = 200e-6
  /// As a ratio: 1.7 cents, below the 5 that trained ears notice.
  static let farLimit = 1_000e-6
  /// Seconds.
  static let farError = 20e-3
  /// Ratio per second.
  static let slew = 300e-6
  /// Seconds beyond the longest wait and a block: the resampler's reach and the scheduler's turn.
  static let guardTime = 5e-3
  /// Seconds added whenever the hold grows.
  static let spareTime = 10e-3
  /// Seconds per second: 20 ppm of pitch.
  static let shrinkRate = 20e-6
  /// Seconds; steering away half of it takes eight minutes.
  static let skipError = 1.0
  /// Source frames that the resampler looks ahead (64 taps).
  static let reach: Int64 = 33
  /// A source that waits longer has paused: the longest lump that is promised to work is 0.5 s.
  static let pause = Nanoseconds.milliseconds(750)
  /// Reads that follow each other at once are one lump.
  static let together = Nanoseconds.milliseconds(2)
}

/// The longest wait between two deliveries in the last five minutes.
private struct LongestWait: Sendable {
  /// The longest of each stretch, the present one last.
  private var stretches = [Double](repeating: 0, count: Self.stretchCount)
  private var stretchBegan: LocalInstant?

  /// In seconds.
  var longest: Double { stretches.max() ?? 0 }

  mutating func note(_ wait: Nanoseconds, at now: LocalInstant) {
    if let began = stretchBegan, now - began >= Self.stretch {
      stretches.removeFirst()
      stretches.append(0)
      stretchBegan = now
    }
    stretchBegan = stretchBegan ?? now
    // A source that paused is no source that waits that long.
    stretches[stretches.count - 1] = max(
      stretches[stretches.count - 1], min(wait, RateMatcher.pause).inSeconds)
  }

  private static let stretch = Nanoseconds.seconds(30)
  private static let stretchCount = 10
}
