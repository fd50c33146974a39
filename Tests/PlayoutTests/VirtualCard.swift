// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout

/// A sound card with a crystal of its own whose pointer moves in steps.
///
/// Frame 0 is heard at `start`; the truth is known to the nanosecond.
struct VirtualCard {
  var random: SeededRandom
  /// How much faster the crystal runs than the host's clock, as a ratio.
  var crystal: Double
  /// Random walk of the crystal, as a ratio per square root of a second.
  var wander = 0.0
  /// Frames by which the pointer moves.
  var granularity: Int64 = 1
  /// Seconds of noise of the stamp, evenly distributed, always late.
  var stampNoise = 2e-6
  /// What the device says instead of the truth; nil: a reading that failed.
  var lie: (_ pointer: Int64, _ elapsed: Double) -> Int64? = { pointer, _ in pointer }
  var plan = ReadingPlan()
  /// What the reader believes its stamps are worth; they are off by as much, either way.
  var uncertainty = Nanoseconds.zero
  /// Steps of the pointer in time instead of in frames.
  var stepsPerSecond: Double?
  /// Seconds by which each step of the pointer may show late.
  var edgeDelay = 0.0
  /// Time spent in reading without sleep.
  private(set) var secondsWatched = 0.0
  /// Readings taken.
  private(set) var readings = 0
  let rate: Int
  let start = LocalInstant(nanoseconds: 7_000_000_000_000)
  private(set) var elapsed = 0.0
  /// Card seconds at `elapsed`, which a change of the crystal bends.
  private var cardSeconds = 0.0

  init(seed: UInt64, ppm: Double, rate: Int = 48_000, granularity: Int64 = 1) {
    random = SeededRandom(seed: seed)
    crystal = ppm * 1e-6
    self.rate = rate
    self.granularity = granularity
  }

  var now: LocalInstant { start + Nanoseconds(seconds: elapsed) }

  mutating func pass(_ seconds: Double) {
    if wander > 0 { crystal += wander * seconds.squareRoot() * (random.unit() - 0.5) * 3.46 }
    elapsed += seconds
    cardSeconds += seconds * (1 + crystal)
  }

  /// The device stands still: true time passes, the card's does not.
  mutating func stall(_ seconds: Double) { elapsed += seconds }

  /// What the device says has been heard.
  var pointer: Int64 {
    if let stepsPerSecond {
      let steps = (cardSeconds * stepsPerSecond).rounded(.down)
      return Int64((steps / stepsPerSecond * Double(rate)).rounded(.down))
    }
    let frames = Int64((cardSeconds * Double(rate)).rounded(.down))
    let step = frames / granularity
    // How late this very step shows: the same however often it is read.
    var hash = SeededRandom(seed: UInt64(truncatingIfNeeded: step &* 7_919))
    let late = edgeDelay * hash.unit() * Double(rate)
    let isShown = cardSeconds * Double(rate) - Double(step * granularity) >= late
    return (isShown ? step : step - 1) * granularity
  }

  /// When a frame not far from the present is truly heard.
  func heard(_ frame: Int64) -> LocalInstant {
    let ahead = Double(frame) / Double(rate) - cardSeconds
    return start + Nanoseconds(seconds: elapsed + ahead / (1 + crystal))
  }

  /// Lets a model watch for `seconds`, every 10 ms and up to 1 ms either way, and whenever its plan
  /// asks for more; `check` is called once a block.
  mutating func watch(
    by model: inout DACModel, seconds: Double, check: (DACModel, VirtualCard) -> Void = { _, _ in }
  ) {
    let end = elapsed + seconds
    while elapsed < end {
      let wake = now + Nanoseconds(seconds: 0.009 + 0.002 * random.unit())
      while let order = plan.order(after: now, before: wake, model: model) {
        // A timer's overshoot.
        let sleep = max(0, (order.from - now).inSeconds) + 30e-6 + 60e-6 * random.unit()
        pass(sleep)
        let woken = elapsed
        repeat {
          read(by: &model)
          pass(1e-6 + 1e-6 * random.unit())
        } while plan.goesOn(at: now)
        secondsWatched += elapsed - woken
      }
      pass(max(0, (wake - now).inSeconds))
      read(by: &model)
      check(model, self)
    }
  }

  private mutating func read(by model: inout DACModel) {
    readings += 1
    let pointer = pointer
    pass(stampNoise * random.unit())
    guard let told = lie(pointer, elapsed) else { return }
    let stamp = now + Nanoseconds(seconds: uncertainty.inSeconds * (2 * random.unit() - 1))
    model.observe(framesHeard: told, at: stamp, uncertainty: uncertainty)
    plan.observe(framesHeard: told, at: stamp, uncertainty: uncertainty, model: model)
  }

  /// Predicted less true time of the frame that is written next, in microseconds; late is positive.
  func error(of model: DACModel) -> Double {
    let frame = Int64(cardSeconds * Double(rate)) + Int64(rate) / 20
    guard let predicted = model.heard(frame) else { return .nan }
    return (predicted - heard(frame)).inMicroseconds
  }
}

/// The value that a share `part` of `values` does not exceed.
func percentile(_ part: Double, of values: [Double]) -> Double {
  let sorted = values.sorted()
  guard let last = sorted.last else { return .nan }
  let index = Int(part * Double(sorted.count))
  return index < sorted.count ? sorted[index] : last
}
