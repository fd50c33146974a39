// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LiveInput

/// A source with a clock of its own that hands over lumps, and the house that reads it.
struct VirtualSource {
  static let rate = 48_000
  static let block = 960

  var ppm: Double
  /// Seconds of sound in a lump.
  var lump: Double
  /// Seconds by which a lump may come late, evenly distributed.
  var jitter = 0.0
  /// Change of the clock in ppm per second.
  var ramp = 0.0
  /// The source stops for `pause.length` seconds at `pause.at`.
  var pause: (at: Double, length: Double)?
  var seed: UInt64 = 1

  /// What happened.
  struct Outcome {
    var matcher: RateMatcher
    var startedAt: Double?
    var dryAt: [Double] = []
    var steps: [(time: Double, step: Double)] = []
    /// Seconds between the newest frame of the source and the one read, at each block.
    var distances: [(time: Double, distance: Double)] = []
    var isUnbroken = true

    /// Departures of the reading speed from the source's own, in ppm, from `time` on, in order.
    func trims(after time: Double, sourcePPM: Double) -> [Double] {
      steps.filter { $0.time > time }.map { abs(($0.step - 1) * 1e6 - sourcePPM) }.sorted()
    }
  }

  /// Runs for `seconds` of the house's time.
  func run(seconds: Double) -> Outcome {
    var outcome = Outcome(matcher: RateMatcher(rate: Self.rate))
    var random = SplitMix(state: seed)
    var lumps = Lumps(source: self)
    var next = lumps.next(&random)
    var expected: SourcePosition?
    for index in 0..<Int(seconds * Double(Self.rate) / Double(Self.block)) {
      let time = Double(index * Self.block) / Double(Self.rate)
      while next.time <= time {
        outcome.matcher.deliver(frames: next.frames, at: Self.local(next.time))
        next = lumps.next(&random)
      }
      switch outcome.matcher.plan(frames: Self.block, at: Self.local(time)) {
      case .collect: break
      case .dry(let from):
        outcome.dryAt.append(time)
        expected = outcome.matcher.nextPosition
        if outcome.matcher.nextPosition < from { outcome.isUnbroken = false }
      case .skip(let to): expected = to
      case .read(let from, let step):
        outcome.startedAt = outcome.startedAt ?? time
        if let expected, expected != from { outcome.isUnbroken = false }
        outcome.steps.append((time, Double(step) / 0x1p32))
        outcome.distances.append(
          (time, lumps.made(at: time) - Double(from.frame) / Double(Self.rate)))
        expected = outcome.matcher.readPosition
      }
    }
    return outcome
  }

  static func local(_ seconds: Double) -> LocalInstant {
    LocalInstant(nanoseconds: 5_000_000_000) + Nanoseconds(seconds: seconds)
  }
}

/// The lumps of a source, in order.
private struct Lumps {
  let source: VirtualSource
  var made = 0.0
  var time = 0.0
  var lastArrival = 0.0

  /// Seconds of sound made by `time`, for a source without ramp or pause.
  func made(at time: Double) -> Double { time * (1 + source.ppm * 1e-6) }

  mutating func next(_ random: inout SplitMix) -> (time: Double, frames: Int) {
    let ratio = 1 + (source.ppm + source.ramp * time) * 1e-6
    time += source.lump / ratio
    if let pause = source.pause, time >= pause.at, time - source.lump / ratio < pause.at {
      time += pause.length
    }
    let before = Int(made * Double(VirtualSource.rate))
    made += source.lump
    let frames = Int(made * Double(VirtualSource.rate)) - before
    lastArrival = max(lastArrival, time + source.jitter * random.unit())
    return (lastArrival, frames)
  }
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct SplitMix {
  var state: UInt64

  /// Evenly in 0..<1.
  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}
