// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A gain that never steps: each new target is reached along a straight line in 20 ms.
struct GainRamp: BitwiseCopyable {
  private var current: Float = 0
  private var target: Float = 0
  private var increment: Float = 0
  private var remaining = 0
  private let rampFrames: Int

  /// A ramp on a device of `rate` frames per second, silent at first.
  @_noLocks init(deviceRate rate: Int) { rampFrames = max(1, rate / 50) }

  /// Heads for `gain`; does nothing when already heading there.
  @_noLocks mutating func approach(_ gain: Float) {
    guard gain != target else { return }
    target = gain
    remaining = rampFrames
    increment = (gain - current) / Float(rampFrames)
  }

  /// Takes `gain` at once, for a device that has not sounded yet.
  @_noLocks mutating func jump(to gain: Float) {
    (current, target, remaining) = (gain, gain, 0)
  }

  /// Scales `frames` interleaved stereo frames in place.
  @_noLocks mutating func apply(to samples: UnsafeMutablePointer<Float>, frames: Int) {
    var index = 0
    while index < frames && remaining > 0 {
      remaining -= 1
      current = remaining == 0 ? target : current + increment
      samples[2 &* index] *= current
      samples[2 &* index &+ 1] *= current
      index &+= 1
    }
    guard current != 1 else { return }
    while index < frames {
      samples[2 &* index] *= current
      samples[2 &* index &+ 1] *= current
      index &+= 1
    }
  }
}
