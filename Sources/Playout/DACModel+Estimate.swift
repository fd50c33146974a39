// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync

// The steps of the DAC model's estimate: where it begins, what a window does to it, and when readings
// that cannot be explained are a new phase.

extension DACModel {
  mutating func forgetPhase() {
    window = ResidualWindow()
    windowsTaken = 0
    doubtfulWindows = 0
    (early, late) = (StrayRun(), StrayRun())
    drag = FrequencyDrag()
    jitter = EdgeJitter()
    lastStep = nil
  }

  mutating func begin(
    _ frame: Int64, _ now: LocalInstant, doubt: Double = Self.startingSpread
  ) {
    anchor = Anchor(frame: frame, local: now)
    drift.restart(at: 0, offsetVariance: square(doubt))
    window = ResidualWindow()
    window.add(0, at: 0, uncertainty: 0)
  }

  mutating func closeWindow() {
    guard let anchor else { return }
    let edge = window.edge
    let isFirst = windowsTaken == 0
    let isDoubted = !isFirst && isDoubtful(edge)
    drift.advance(by: edge.at - anchor.at)
    self.anchor?.at = max(anchor.at, edge.at)
    var variance = square(noise(of: edge))
    if isDoubted {
      doubtfulWindows += 1
      if doubtfulWindows >= Self.doubtsForStep { return step(to: edge, variance: variance) }
      variance += square(edge.residual)
    } else {
      doubtfulWindows = 0
      // A stall within the window must not pass for the pointer's manner.
      spread = isFirst ? window.spread : min(window.spread, 2 * spread + Self.readingNoise)
      if !isFirst { inflate(after: edge.residual, variance: variance) }
      if !isFirst, window.isBracketed {
        variance += jitter.variance(of: edge.residual, noise: noise(of: edge))
      }
    }
    drift.correct(towards: drift.offset + edge.residual, variance: variance)
    finishWindow(isStep: false)
  }

  private mutating func step(to edge: ResidualWindow.Edge, variance: Double) {
    let isRepeated = lastStep.map { edge.at - $0 < Self.stepsApart } ?? false
    lastStep = edge.at
    drift.restart(
      at: drift.offset + edge.residual, offsetVariance: variance,
      frequencySigma: isRepeated ? Self.worstFrequency : 0)
    finishWindow(isStep: true)
  }

  private func noise(of edge: ResidualWindow.Edge) -> Double { max(Self.readingNoise, edge.noise) }

  /// Whether neither the pointer's manner nor the model's own doubt explains an edge.
  func isDoubtful(_ edge: ResidualWindow.Edge) -> Bool {
    let sigma = (max(0, drift.offsetVariance) + square(noise(of: edge))).squareRoot()
    // In the first second even the worst crystal must not pass for a step.
    let elapsed = edge.at - (anchor?.at ?? edge.at)
    let drifted = isMature ? 0 : elapsed * Self.worstFrequency
    return abs(edge.residual)
      > Self.stepTolerance + (window.isBracketed ? 0 : granularity) + 6 * sigma + drifted
  }

  /// A frequency that is believed too firmly (another card at the same name) shows as surprises of one
  /// sign, window after window, in the first second: later a crystal only wanders.
  private mutating func inflate(after surprise: Double, variance: Double) {
    let sigma = (max(0, drift.offsetVariance) + variance).squareRoot()
    guard !isMature, drag.isDragging(surprise, of: sigma) else { return }
    // As if it had been unknown since the last window, so that this surprise tells it.
    let unknown = square(Self.unknownFrequency)
    drift.frequencyVariance += unknown
    drift.covariance += unknown * Self.shortWindow
    drift.offsetVariance += unknown * square(Self.shortWindow)
  }

  private mutating func finishWindow(isStep: Bool) {
    if isStep {
      phaseSteps += 1
      doubtfulWindows = 0
    }
    windowsTaken += 1
    (early, late) = (StrayRun(), StrayRun())
    window = ResidualWindow()
  }

  /// The pointer's steps in seconds, as far as they are known.
  private var granularity: Double { max(spread, seconds(pointerStep ?? 0)) }

  /// Whether a reading lies where neither the pointer's steps nor the model's doubt put it. Several
  /// such in a row are a new phase: a device that swallowed frames, or stood still.
  mutating func isStray(_ residual: Double, _ frame: Int64, _ now: LocalInstant) -> Bool {
    guard windowsTaken > 0 else { return false }
    let limit =
      Self.stepTolerance + granularity + 6 * max(0, drift.offsetVariance).squareRoot()
    guard abs(residual) > limit else {
      (early, late) = (StrayRun(), StrayRun())
      return false
    }
    let isNew =
      residual < 0
      ? early.count(residual, frame, at: now) : late.count(residual, frame, at: now)
    if isNew { phaseMoved(residual < 0 ? early : late) }
    return true
  }

  private mutating func phaseMoved(_ run: StrayRun) {
    // Early beyond the steps seen so far: perhaps they are larger than they seemed.
    if run.lowest < 0, !isStepKnown { spread = max(spread, abs(run.lowest)) }
    forgetPhase()
    phaseSteps += 1
    begin(run.frame, run.at, doubt: max(Self.startingSpread, abs(run.lowest)))
    // The crystal is known and an exact pointer gives the phase: sound need not wait.
    windowsTaken = pointerStep == nil ? 1 : 0
  }
}

/// Readings in a row that nothing explains.
struct StrayRun: Sendable {
  private var readings = 0
  private var latest: LocalInstant?
  /// The lowest residual among them, and whose it was: the nearest to the new edge.
  private(set) var lowest = Double.infinity
  private(set) var frame: Int64 = 0
  private(set) var at = LocalInstant(nanoseconds: 0)

  /// Counts one more.
  ///
  /// - Returns: Whether that makes it a fact.
  mutating func count(_ residual: Double, _ frame: Int64, at now: LocalInstant) -> Bool {
    if residual < lowest { (lowest, self.frame, at) = (residual, frame, now) }
    // Readings in quick succession witness one and the same moment.
    if let latest, now - latest < Self.apart { return false }
    latest = now
    readings += 1
    return readings >= Self.enough
  }

  /// Half of the audio thread's period.
  private static var apart: Nanoseconds { .milliseconds(5) }
  /// 50 ms of them.
  private static var enough: Int { 5 }
}

/// Notices surprises that keep their sign.
struct FrequencyDrag: Sendable {
  private var run = 0.0

  /// Takes in a window's surprise.
  ///
  /// - Returns: Whether it was the third of one sign beyond three sigma.
  mutating func isDragging(_ surprise: Double, of sigma: Double) -> Bool {
    guard abs(surprise) > 3 * sigma else {
      run = 0
      return false
    }
    run = run * surprise > 0 ? run + (surprise > 0 ? 1 : -1) : (surprise > 0 ? 1 : -1)
    guard abs(run) >= 2 else { return false }
    run = 0
    return true
  }
}

/// How irregular the pointer's steps are: some are moved by an interrupt, which may be held up.
///
/// A drift surprises by the same amount again and again; late steps by a different one each time.
struct EdgeJitter: Sendable {
  private var last = 0.0
  private var mean = 0.0

  /// What a window's surprise deserves to be doubted by, on top of its own noise.
  ///
  /// The truth is the earliest edge, so a late one is doubted nine times as much as an early one.
  mutating func variance(of surprise: Double, noise: Double) -> Double {
    mean += (min(abs(surprise - last), DACModel.stepTolerance) - mean) / 8
    last = surprise
    guard mean > 2 * noise else { return 0 }
    return square(surprise > 0 ? mean : mean / 3)
  }
}
