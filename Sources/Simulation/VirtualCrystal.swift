// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ClockSync

/// An oscillator: how far it has counted at a moment of true time.
///
/// Its error is a constant, a slow change and a random walk on top. Counted in its own seconds.
public struct VirtualCrystal {
  /// How an oscillator errs.
  public struct Error: Sendable {
    /// Constant part: positive is fast.
    public var ppm: Double
    /// Random walk, in ppm per square root of a second.
    public var wander: Double
    /// Change in ppm per second: 20 ppm in five minutes is 0.067.
    public var ramp: Double
    /// Seconds from the beginning after which the ramp ends.
    public var rampSeconds = Double.infinity

    /// An error of `ppm` that stays, unless told otherwise.
    public init(ppm: Double, wander: Double = 0, ramp: Double = 0) {
      self.ppm = ppm
      self.wander = wander
      self.ramp = ramp
    }
  }

  private var random: SeededRandom
  private let error: Error
  /// The present stretch of constant frequency: where it begins, and the ratio in it.
  private var began = 0.0
  private var countedAtBegin = 0.0
  private var ratio: Double

  /// An oscillator that has counted nothing when the simulation begins.
  public init(error: Error, seed: UInt64) {
    self.error = error
    random = SeededRandom(seed: seed)
    ratio = error.ppm * 1e-6
  }

  /// The frequency error at present, in ppm.
  public var ppm: Double { ratio * 1e6 }

  /// Seconds counted at a moment that is not long past.
  public mutating func counted(at moment: TrueInstant) -> Double {
    let time = moment.inSeconds
    while time > began + Self.stretch { nextStretch() }
    return countedAtBegin + (time - began) * (1 + ratio)
  }

  /// When it has counted so many seconds, if it goes on as at present.
  public func moment(counted seconds: Double) -> Double {
    began + (seconds - countedAtBegin) / (1 + ratio)
  }

  private mutating func nextStretch() {
    countedAtBegin += Self.stretch * (1 + ratio)
    began += Self.stretch
    // Evenly distributed with the variance of a normal step: the sum is normal soon enough.
    let step = (random.unit() - 0.5) * 12.0.squareRoot()
    let ramp = began < error.rampSeconds ? error.ramp : 0
    ratio += (ramp * Self.stretch + error.wander * Self.stretch.squareRoot() * step) * 1e-6
  }

  /// Seconds of constant frequency.
  private static let stretch = 0.1
}
