// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// Between which moments a pointer made its latest step.
///
/// It reached `frame` at `local` plus something in (low, high] seconds.
struct PointerEdge: Sendable {
  /// Where the pointer stood when.
  struct Reading: Sendable {
    var frame: Int64
    var at: LocalInstant
    /// Seconds by which `at` may be wrong.
    var doubt: Double
  }

  private(set) var frame: Int64
  private(set) var local: LocalInstant
  private(set) var low: Double
  private(set) var high: Double

  /// All that one reading tells: the step was made since one step ago.
  init(_ reading: Reading, step: Int64, model: DACModel) {
    frame = reading.frame
    local = reading.at
    high = reading.doubt
    low = high - model.seconds(step) * model.pace
  }

  var width: Double { high - low }

  /// Takes in a reading `elapsed` seconds after the one before.
  ///
  /// - Returns: Whether it contradicts all that was known, which is forgotten then.
  mutating func narrow(
    by reading: Reading, elapsed: Double, step: Int64, model: DACModel
  ) -> Bool {
    let doubt = reading.doubt
    // The crystal is not known exactly: what was known some time ago is known less well.
    // Of a card that is new, the prior is only a guess.
    let sigmas = model.isMature ? 3.0 : 10
    let slack = elapsed * (sigmas * model.frequencySigma.ratio + Self.wander)
    local = local + Nanoseconds(seconds: model.seconds(reading.frame &- frame) * model.pace)
    frame = reading.frame
    let late = (reading.at - local).inSeconds
    high = min(high + slack, late + doubt)
    low = max(low - slack, late - doubt - model.seconds(step) * model.pace)
    guard low > high - Self.least else { return false }
    // Steps that vary by a frame contradict each other by a frame; anything more is a new phase.
    let frameLength = 1 / Double(model.rate)
    guard low - high < 1.5 * frameLength else {
      self = PointerEdge(reading, step: step, model: model)
      return true
    }
    let middle = (low + high) / 2
    let half = max(Self.least / 2, low - high)
    (low, high) = (middle - half, middle + half)
    return false
  }

  /// The first step whose time, shifted by so many seconds, is not before `moment`.
  func next(
    after moment: LocalInstant, shifted: Double, step: Int64, model: DACModel
  ) -> (moment: LocalInstant, frame: Int64) {
    let length = model.seconds(step) * model.pace
    let steps = max(1, (((moment - local).inSeconds - shifted) / length).rounded(.up))
    return (
      local + Nanoseconds(seconds: steps * length), frame &+ Int64(steps) &* step
    )
  }

  /// As a ratio: what a crystal may do between two readings.
  private static var wander: Double { 2e-6 }
  /// Seconds; stamps are not better than this.
  private static var least: Double { 4e-6 }
}
