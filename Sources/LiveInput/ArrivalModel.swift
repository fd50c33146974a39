// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync

// A live source (a pipe, a capture card on another machine) runs on a clock of its own and hands its
// sound over in lumps: a frame can come late by any buffer on its way, and never early. So, as for a
// sound card's pointer, only the lower edge of each window says where the source's clock stands:
//
//   local - frame/rate   |\    |\    |\       each step down a lump that arrives
//                        | \   | \   | \
//                     ___|__\__|__\__|__\__   the source's clock: the lower edge
//
// Windows are long because lumps are rare; what changes (a crystal) changes in minutes.

/// Follows a live source's clock by the arrival of its frames.
public struct ArrivalModel: Sendable {
  /// Frames per second that the source claims.
  public let rate: Int

  private var drift: DriftFilter
  private var anchor: LocalInstant?
  /// Nominal source seconds that `drift` stands at.
  private var at = 0.0
  private var windowBegin = 0.0
  private var smallest = Double.infinity
  private var smallestAt = 0.0
  private var largest = -Double.infinity
  private var readings = 0
  private var doubts = 0

  /// How often the source's clock was found somewhere else: it paused, or skipped.
  public private(set) var steps = 0
  /// Whether a whole window has been seen.
  public private(set) var isSettled = false

  /// A model of a source of which nothing has come yet.
  ///
  /// - Parameter rate: Frames per second that the source claims.
  public init(rate: Int) {
    self.rate = max(1, rate)
    drift = DriftFilter(
      frequency: 0, frequencySigma: Self.unknownFrequency, offsetWalk: Self.offsetWalk,
      frequencyWalk: Self.frequencyWalk)
  }

  /// How much faster the source runs than this host's clock.
  public var frequency: PartsPerMillion {
    PartsPerMillion(-drift.frequency / (1 + drift.frequency) * 1e6)
  }

  /// Source frames per nominal output frame: above one for a fast source.
  public var pace: Double { 1 / (1 + drift.frequency) }

  /// Takes in that the source has handed over `total` frames since its beginning.
  ///
  /// - Parameters:
  ///   - total: Frames since the beginning, the last of them included.
  ///   - now: When the last of them could be read.
  public mutating func observe(total: Int64, at now: LocalInstant) {
    let time = Double(total) / Double(rate)
    guard let anchor else {
      self.anchor = now - Nanoseconds(seconds: time)
      at = time
      openWindow(at: time)
      return drift.restart(at: 0, offsetVariance: square(Self.startingDoubt))
    }
    let residual = (now - anchor).inSeconds - time - predictedOffset(at: time)
    if residual < smallest { (smallest, smallestAt) = (residual, time) }
    largest = max(largest, residual)
    readings += 1
    if time - windowBegin >= Self.window { closeWindow(at: time) }
  }

  /// The source has paused: its next frames say where its clock stands; the crystal is the same.
  public mutating func sourcePaused() {
    guard anchor != nil else { return }
    anchor = nil
    isSettled = false
    steps += 1
  }

  /// The newest frame that the source's own clock has reached, whether or not it has arrived; nil
  /// before anything came.
  public func reached(at now: LocalInstant) -> Double? {
    guard let anchor else { return nil }
    let elapsed = (now - anchor).inSeconds
    let edge = isSettled ? 0 : min(smallest, 0)
    // local = time + offset + frequency * (time - at), solved for time.
    let time = (elapsed - drift.offset - edge + drift.frequency * at) / (1 + drift.frequency)
    return time * Double(rate)
  }

  private func predictedOffset(at time: Double) -> Double {
    drift.offset + drift.frequency * (time - at)
  }

  private mutating func closeWindow(at time: Double) {
    defer { openWindow(at: time) }
    let spread = max(0, largest - smallest)
    let noise = max(Self.readingNoise, spread / Double(max(1, readings)))
    drift.advance(by: smallestAt - at)
    at = max(at, smallestAt)
    let limit = Self.stepTolerance + 6 * max(0, drift.offsetVariance).squareRoot()
    guard !isSettled || abs(smallest) <= limit else { return doubt(noise) }
    doubts = 0
    drift.correct(towards: drift.offset + smallest, variance: square(noise))
    isSettled = true
  }

  /// One odd window may be a hiccup; twice the same is a source that paused or skipped. A window
  /// that is early is no hiccup: nothing arrives before its time.
  private mutating func doubt(_ noise: Double) {
    doubts += 1
    guard doubts >= Self.doubtsForStep || smallest < 0 else { return }
    drift.restart(at: drift.offset + smallest, offsetVariance: square(noise))
    doubts = 0
    steps += 1
  }

  private mutating func openWindow(at time: Double) {
    windowBegin = time
    (smallest, largest, readings) = (.infinity, -.infinity, 0)
  }
}

// MARK: - Tuning

extension ArrivalModel {
  /// Seconds: four lumps of half a second, the largest that are promised to work.
  static let window = 2.0
  /// The scheduler's part in a reading, in seconds: p99 of a wake-up on a busy host.
  static let readingNoise = 100e-6
  /// Before anything is known, in seconds: a lump.
  static let startingDoubt = 0.5
  /// Crystals of capture cards and the servos of other programs, as a ratio.
  static let unknownFrequency = 300e-6
  /// (1 us)^2 per second: other programs' timers.
  static let offsetWalk = 1e-12
  /// (0.1 ppm)^2 per second, as for a host's clock: 20 ppm in five minutes are followed within 5 ppm.
  static let frequencyWalk = 1e-14
  /// Seconds; a source's own jitter from one window to the next stays below.
  static let stepTolerance = 50e-3
  static let doubtsForStep = 2
}

/// The product of a number with itself.
@inline(__always) func square(_ value: Double) -> Double { value * value }
