// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync

// When is a frame heard? The device tells how many frames it still holds; with the number of frames
// written that gives the frame at the loudspeaker at that moment. Its pointer moves in steps (one
// frame, a DMA burst, a period), so a reading is late by up to one step and never early:
//
//   local - frame/rate   ·  ·    ·   ·        each dot a reading
//                       ·  ·   ·   ·   ·
//                      ___·______·_______     the truth: the lower edge
//
// An average would be off by half a step, which no room could see of itself; so of each window only
// the lower edge goes into the filter: the smallest residual less its distance to the second smallest
// (Robson and Whitlock 1964: unbiased where readings are evenly dense above the edge, whatever they do
// further up).
//
// Residuals are taken against the prediction, or a crystal that is 150 ppm off would tilt the window
// by 37 us. Allocation-free; used on the audio thread.

/// Predicts the moment at which each frame written to a sound card is heard.
///
/// Follows the card's phase and its crystal against this host's clock.
public struct DACModel: Sendable {
  /// Frames per second that the device claims.
  public let rate: Int

  private var drift: DriftFilter
  private var anchor: Anchor?
  private var window = ResidualWindow()
  private var windowsTaken = 0
  private var doubtfulWindows = 0
  private var earlyReadings = 0
  private var spread = 0.0

  /// The reading that all residuals are taken from: integers, so that nothing grows inexact.
  private struct Anchor: Sendable {
    var frame: Int64
    var local: LocalInstant
    /// Nominal card seconds beyond `frame` that `drift` stands at.
    var at = 0.0
  }

  /// A model of a device that has not been seen yet.
  ///
  /// - Parameters:
  ///   - rate: Frames per second that the device claims.
  ///   - priorFrequency: The crystal's error found the last time; positive: fast.
  public init(rate: Int, priorFrequency: PartsPerMillion? = nil) {
    self.rate = max(1, rate)
    drift = DriftFilter(
      frequency: -(priorFrequency?.ratio ?? 0),
      frequencySigma: priorFrequency == nil ? Self.unknownFrequency : Self.knownFrequency,
      offsetWalk: Self.offsetWalk, frequencyWalk: Self.frequencyWalk)
  }

  /// How much faster the card's crystal runs than this host's clock.
  public var frequency: PartsPerMillion {
    PartsPerMillion(-drift.frequency / (1 + drift.frequency) * 1e6)
  }

  /// Local seconds per nominal second of the card.
  public var pace: Double { 1 + drift.frequency }

  /// One standard deviation of a prediction.
  public var sigma: Nanoseconds {
    Nanoseconds(seconds: max(0, drift.offsetVariance).squareRoot())
  }

  /// Whether a whole window has been seen: predictions are good enough to place the first frame.
  public var isSettled: Bool { windowsTaken > 0 }

  /// Whether the pointer moves in steps so large that more readings at random moments would help:
  /// at the block's own pace they may meet the same place of a step for minutes.
  public var wantsExtraReadings: Bool { spread * Double(rate) > 2.5 }

  /// How often the phase was found to have moved by itself.
  public private(set) var phaseSteps = 0

  /// Forgets the phase because the device was stopped; the crystal is the same.
  public mutating func restart() {
    anchor = nil
    window = ResidualWindow()
    windowsTaken = 0
    doubtfulWindows = 0
    earlyReadings = 0
  }

  /// Takes in that frame `framesHeard` was at the loudspeaker at `now`.
  ///
  /// - Parameters:
  ///   - framesHeard: Frames written less frames that the device still holds.
  ///   - now: When it was read.
  ///   - uncertainty: How far `now` may be off.
  public mutating func observe(
    framesHeard: Int64, at now: LocalInstant, uncertainty: Nanoseconds = .zero
  ) {
    guard let anchor else { return begin(framesHeard, now) }
    let cardTime = seconds(framesHeard &- anchor.frame)
    let reading = (now - anchor.local).inSeconds - cardTime
    let residual = reading - (drift.offset + drift.frequency * (cardTime - anchor.at))
    guard !isTooEarly(residual) else { return countEarly(framesHeard, now, residual) }
    window.add(residual, at: cardTime, uncertainty: uncertainty.inSeconds)
    let length = windowsTaken < Self.shortWindows ? Self.shortWindow : Self.longWindow
    if cardTime - window.begin >= length { closeWindow() }
  }

  /// When `frame` is heard; nil before the first reading.
  public func heard(_ frame: Int64) -> LocalInstant? {
    guard let anchor else { return nil }
    let cardTime = seconds(frame &- anchor.frame)
    let edge = windowsTaken == 0 ? window.edge : 0
    let late = drift.offset + drift.frequency * (cardTime - anchor.at) + edge
    return anchor.local + Nanoseconds(seconds: cardTime + late)
  }

  private func seconds(_ frames: Int64) -> Double { Double(frames) / Double(rate) }
}

// MARK: - Steps of the estimate

extension DACModel {
  private mutating func begin(
    _ frame: Int64, _ now: LocalInstant, doubt: Double = Self.startingSpread
  ) {
    anchor = Anchor(frame: frame, local: now)
    drift.restart(at: 0, offsetVariance: square(doubt))
    window = ResidualWindow()
    window.add(0, at: 0, uncertainty: 0)
  }

  private mutating func closeWindow() {
    guard let anchor else { return }
    let share = 1.5 * window.spread / Double(window.count)
    let noise = max(Self.readingNoise, share) + window.uncertainty
    var variance = square(noise)
    drift.advance(by: window.bestAt - anchor.at)
    self.anchor?.at = max(anchor.at, window.bestAt)
    let surprise = window.edge
    let limit =
      Self.stepTolerance + spread + 6 * (max(0, drift.offsetVariance) + variance).squareRoot()
    let isFirst = windowsTaken == 0
    if !isFirst, abs(surprise) > limit {
      doubtfulWindows += 1
      if doubtfulWindows >= Self.doubtsForStep {
        drift.restart(at: drift.offset + surprise, offsetVariance: variance)
        return finishWindow(isStep: true)
      }
      variance += square(surprise)
    } else {
      doubtfulWindows = 0
      // A stall within the window must not pass for the pointer's manner.
      spread = isFirst ? window.spread : min(window.spread, 2 * spread + Self.readingNoise)
    }
    drift.correct(towards: drift.offset + surprise, variance: variance)
    finishWindow(isStep: false)
  }

  private mutating func finishWindow(isStep: Bool) {
    if isStep {
      phaseSteps += 1
      doubtfulWindows = 0
    }
    windowsTaken += 1
    earlyReadings = 0
    window = ResidualWindow()
  }

  /// Whether a reading lies further below the edge than the model's doubt explains.
  private func isTooEarly(_ residual: Double) -> Bool {
    windowsTaken > 0
      && residual
        < -(Self.stepTolerance + spread
        + 6 * max(0, drift.offsetVariance).squareRoot())
  }

  /// Several in one window are a device that swallowed frames, or a pointer whose steps are larger
  /// than was seen at first: a new phase.
  private mutating func countEarly(_ frame: Int64, _ now: LocalInstant, _ residual: Double) {
    earlyReadings += 1
    guard earlyReadings >= Self.earlyReadingsForStep else { return }
    restart()
    phaseSteps += 1
    spread = max(spread, abs(residual))
    begin(frame, now, doubt: max(Self.startingSpread, abs(residual)))
    // The crystal is known and one reading gives the phase: sound need not wait.
    windowsTaken = 1
  }
}

// MARK: - Tuning

extension DACModel {
  /// Seconds; ten readings at the audio thread's pace.
  static let shortWindow = 0.1
  /// One second of them.
  static let shortWindows = 10
  /// Seconds; 25 readings.
  static let longWindow = 0.25
  /// Best case of a reading, in seconds: a status call takes 1 to 2 us.
  static let readingNoise = 2e-6
  /// Before anything is known of the pointer, in seconds.
  static let startingSpread = 1e-3
  /// A sound card that was never met (USB cards off by more exist), as a ratio.
  static let unknownFrequency = 150e-6
  /// A crystal met before; temperature, as a ratio.
  static let knownFrequency = 5e-6
  /// (0.1 us)^2 per second.
  static let offsetWalk = 0.01e-12
  /// (0.02 ppm)^2 per second.
  static let frequencyWalk = 4e-16
  /// Beyond doubt and granularity, in seconds.
  static let stepTolerance = 200e-6
  static let doubtsForStep = 2
  static let earlyReadingsForStep = 5
}

/// The residuals of one window: all that is kept of them.
private struct ResidualWindow: Sendable {
  private(set) var begin = 0.0
  private(set) var bestAt = 0.0
  private var smallest = 0.0
  private var second = Double.infinity
  private(set) var uncertainty = 0.0
  private var largest = 0.0
  private(set) var count = 0

  var spread: Double { largest - smallest }

  /// Where the lower edge probably is.
  var edge: Double { count > 1 ? smallest - (second - smallest) : smallest }

  mutating func add(_ residual: Double, at cardTime: Double, uncertainty: Double) {
    if count == 0 { begin = cardTime }
    if count == 0 || residual < smallest {
      second = count == 0 ? .infinity : smallest
      smallest = residual
      bestAt = cardTime
      self.uncertainty = uncertainty
    } else {
      second = min(second, residual)
    }
    largest = count == 0 ? residual : max(largest, residual)
    count += 1
  }
}

/// The product of a number with itself.
@inline(__always) func square(_ value: Double) -> Double { value * value }
