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
// the lower edge goes into the filter (ResidualWindow). Two readings between which the pointer moved
// hold the edge between them, at any size of step: ReadingPlan asks for such pairs.
//
// Residuals are taken against the prediction, or a crystal that is 150 ppm off would tilt the window
// by 37 us. Allocation-free; used on the audio thread.

/// Predicts the moment at which each frame written to a sound card is heard.
///
/// Follows the card's phase and its crystal against this host's clock.
public struct DACModel: Sendable {
  /// Frames per second that the device claims.
  public let rate: Int

  var drift: DriftFilter
  var anchor: Anchor?
  var window = ResidualWindow()
  var windowsTaken = 0
  var doubtfulWindows = 0
  var early = StrayRun()
  var late = StrayRun()
  var drag = FrequencyDrag()
  var jitter = EdgeJitter()
  /// When the phase was last found to have moved, in card seconds since the anchor.
  var lastStep: Double?
  /// How far readings spread, in seconds: the pointer's steps, seen from outside.
  var spread = 0.0
  private var previous: Reading?
  private var start: Reading?
  private var step = PointerStep()

  /// The reading that all residuals are taken from: integers, so that nothing grows inexact.
  struct Anchor: Sendable {
    var frame: Int64
    var local: LocalInstant
    /// Nominal card seconds beyond `frame` that `drift` stands at.
    var at = 0.0
  }

  private struct Reading: Sendable {
    var frame: Int64
    var local: LocalInstant
    var uncertainty = Nanoseconds.zero
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

  /// One standard deviation of `frequency`.
  public var frequencySigma: PartsPerMillion {
    PartsPerMillion(max(0, drift.frequencyVariance).squareRoot() * 1e6)
  }

  /// Whether the crystal is known well enough to be remembered for the next start.
  public var isFrequencyKnown: Bool { isMature && frequencySigma.value < Self.worthKeeping }

  /// Local seconds per nominal second of the card.
  public var pace: Double { 1 + drift.frequency }

  /// One standard deviation of a prediction.
  public var sigma: Nanoseconds {
    Nanoseconds(seconds: max(0, drift.offsetVariance).squareRoot())
  }

  /// Whether a whole window has been seen: predictions are good enough to place the first frame.
  public var isSettled: Bool { windowsTaken > 0 }

  /// Whether the first second, in which windows are short, is over.
  public var isMature: Bool { windowsTaken >= Self.shortWindows }

  /// Whether nothing hurries: the phase is known, and nothing lately spoke against it.
  public var isCalm: Bool { isMature && doubtfulWindows == 0 }

  /// Whether enough was seen to know how the pointer moves.
  var isStepKnown: Bool { step.regular > 0 }

  /// Frames by which the pointer moves at a time when that is so many that readings at the block's own
  /// pace tell little; nil for a pointer that is nearly exact, or not known yet.
  public var pointerStep: Int64? {
    if step.regular >= Self.coarseFrames { return step.regular }
    // Steps that vary: only what spreads like steps of that size is believed to be one.
    let seen = spread * Double(rate)
    guard seen > Double(Self.coarseFrames), Double(step.shortest) < 1.5 * seen else { return nil }
    return max(Self.coarseFrames, step.shortest)
  }

  /// Whether the pointer moves in steps so large that more readings at random moments would help:
  /// at the block's own pace they may meet the same place of a step for minutes.
  public var wantsExtraReadings: Bool { spread * Double(rate) > 2.5 || pointerStep != nil }

  /// How often the phase was found to have moved by itself.
  public internal(set) var phaseSteps = 0

  /// Forgets the phase because the device was stopped; the crystal is the same.
  public mutating func restart() {
    anchor = nil
    previous = nil
    start = nil
    step = PointerStep()
    forgetPhase()
  }

  /// Notes when the device was told to play frame `frame`, which none of its frames can precede.
  public mutating func started(at now: LocalInstant, frame: Int64) {
    start = Reading(frame: frame, local: now)
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
    guard isPlausible(framesHeard, at: now) else { return }
    let reading = Reading(frame: framesHeard, local: now, uncertainty: uncertainty)
    guard anchor != nil else { return beginWith(reading) }
    let cardTime = self.cardTime(of: framesHeard)
    // A stamp that may be early by more than a good one would pull the edge down: take its late end.
    let doubt = max(0, (uncertainty - Self.fineUncertainty).inSeconds)
    let residual = self.residual(of: framesHeard, at: now) + doubt
    guard !isStray(residual, framesHeard, now) else { return }
    step.observe(framesHeard)
    window.add(residual, at: cardTime, uncertainty: uncertainty.inSeconds)
    if let previous { bracket(previous, reading) }
    previous = reading
    if isWindowFull(at: cardTime) { closeWindow() }
  }

  private mutating func beginWith(_ reading: Reading) {
    previous = reading
    step.observe(reading.frame)
    begin(reading.frame, reading.local)
  }

  /// When `frame` is heard; nil before the first reading.
  public func heard(_ frame: Int64) -> LocalInstant? {
    guard let anchor else { return nil }
    let cardTime = seconds(frame &- anchor.frame)
    let edge = windowsTaken == 0 ? window.edge.residual : 0
    let late = drift.offset + drift.frequency * (cardTime - anchor.at) + edge
    return anchor.local + Nanoseconds(seconds: cardTime + late)
  }

  func seconds(_ frames: Int64) -> Double { Double(frames) / Double(rate) }
}

// MARK: - Readings

extension DACModel {
  /// Whether a device that was started when it was can have come so far: a pointer that has not moved
  /// yet says nothing, and one that claims all was heard at once (a driver that reports no delay until
  /// its stream runs) is not believed for its first second.
  private func isPlausible(_ frame: Int64, at now: LocalInstant) -> Bool {
    guard let start else { return true }
    let elapsed = (now - start.local).inSeconds
    return frame > start.frame
      && (elapsed > Self.lyingTime || seconds(frame &- start.frame) - elapsed < Self.plausibleLead)
  }

  private func cardTime(of frame: Int64) -> Double {
    anchor.map { seconds(frame &- $0.frame) } ?? 0
  }

  /// How much later a frame was read than it is predicted, in seconds.
  private func residual(of frame: Int64, at now: LocalInstant) -> Double {
    guard let anchor else { return 0 }
    let cardTime = seconds(frame &- anchor.frame)
    return (now - anchor.local).inSeconds - cardTime
      - (drift.offset + drift.frequency * (cardTime - anchor.at))
  }

  /// Two readings in quick succession between which the pointer moved hold its edge between them.
  private mutating func bracket(_ before: Reading, _ after: Reading) {
    guard step.isStep(after.frame &- before.frame) else { return }
    let moved = seconds(after.frame &- before.frame)
    let earliest = before.local - before.uncertainty
    let width = (after.local + after.uncertainty - earliest).inSeconds
    let widest = Self.widestBracket + (after.uncertainty * 4).inSeconds
    guard width > 0, width < widest, width < moved / 4 else { return }
    let middle = earliest + Nanoseconds(seconds: width / 2)
    window.addBracket(
      residual(of: after.frame, at: middle), half: width / 2, at: cardTime(of: after.frame))
  }

  private func isWindowFull(at cardTime: Double) -> Bool {
    let age = cardTime - window.begin
    guard windowsTaken == 0 else {
      let isDoubtful = window.isBracketed && isDoubtful(window.edge)
      return isDoubtful || age >= (isMature ? Self.longWindow : Self.shortWindow)
    }
    // One edge seen is worth more than any number of readings of a coarse pointer.
    if window.isBracketed { return true }
    return age >= (pointerStep == nil ? Self.shortWindow : Self.patience)
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
  /// Seconds to wait for the first edge of a coarse pointer, then it has to do without.
  static let patience = 0.4
  /// Frames; a step of two is 42 us, of which a window of ten readings finds the edge to 4.
  static let coarseFrames: Int64 = 3
  /// Best case of a reading, in seconds: a status call takes 1 to 2 us.
  static let readingNoise = 2e-6
  /// Stamps better than this are taken as they are: half of the longest call that always counts.
  static let fineUncertainty = Nanoseconds.microseconds(10)
  /// Seconds; two readings further apart, because the thread was interrupted, bracket nothing.
  static let widestBracket = 60e-6
  /// Before anything is known of the pointer, in seconds.
  static let startingSpread = 1e-3
  /// A sound card that was never met (USB cards off by more exist), as a ratio.
  static let unknownFrequency = 150e-6
  /// A crystal met before; temperature, as a ratio.
  static let knownFrequency = 5e-6
  /// ppm; a fifth of what a remembered crystal is trusted to.
  static let worthKeeping = 1.0
  /// (0.1 us)^2 per second.
  static let offsetWalk = 0.01e-12
  /// (0.02 ppm)^2 per second.
  static let frequencyWalk = 4e-16
  /// Beyond doubt and granularity, in seconds.
  static let stepTolerance = 200e-6
  static let doubtsForStep = 2
  /// Seconds of the card; two steps closer than this are a crystal that is not what was thought.
  static let stepsApart = 10.0
  /// The worst crystal that is followed, as a ratio.
  static let worstFrequency = 1_500e-6
  /// Seconds by which a driver's own buffer may let the pointer run ahead: two periods.
  static let plausibleLead = 20e-3
  /// Seconds after the start for which a pointer that is further ahead is not believed.
  static let lyingTime = 1.0
}

/// The product of a number with itself.
@inline(__always) func square(_ value: Double) -> Double { value * value }
