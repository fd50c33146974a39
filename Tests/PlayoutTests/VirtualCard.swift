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
  /// Frames by which the pointer moves.
  var granularity: Int64 = 1
  /// Seconds of noise of the stamp, evenly distributed, always late.
  var stampNoise = 2e-6
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
    elapsed += seconds
    cardSeconds += seconds * (1 + crystal)
  }

  /// The device stands still: true time passes, the card's does not.
  mutating func stall(_ seconds: Double) { elapsed += seconds }

  /// What the device says has been heard.
  var pointer: Int64 {
    let frames = Int64((cardSeconds * Double(rate)).rounded(.down))
    return frames / granularity * granularity
  }

  /// When a frame not far from the present is truly heard.
  func heard(_ frame: Int64) -> LocalInstant {
    let ahead = Double(frame) / Double(rate) - cardSeconds
    return start + Nanoseconds(seconds: elapsed + ahead / (1 + crystal))
  }

  /// Lets a model watch for `seconds`, every 10 ms and up to 1 ms either way, and four times as
  /// often at random moments if it asks for more.
  mutating func watch(
    by model: inout DACModel, seconds: Double, check: (DACModel, VirtualCard) -> Void = { _, _ in }
  ) {
    let end = elapsed + seconds
    while elapsed < end {
      if model.wantsExtraReadings {
        pass(0.005 * random.unit())
      } else {
        pass(0.009 + 0.002 * random.unit())
      }
      let pointer = pointer
      pass(stampNoise * random.unit())
      model.observe(framesHeard: pointer, at: now, uncertainty: .zero)
      check(model, self)
    }
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
