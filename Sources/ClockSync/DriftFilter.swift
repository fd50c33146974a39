// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// A Kalman filter with two states: how far a clock is off, and how fast that grows.
//
//   x = [offset, frequency]   F = [[1, dt], [0, 1]]   H = [1, 0]
//   Q = [[w*dt + q*dt^3/3, q*dt^2/2], [q*dt^2/2, q*dt]]
//
// q is the random walk of the frequency (temperature), w the white frequency noise (the
// oscillator's own). Seconds, and seconds per second; offsets count from a base that the owner
// keeps as an integer. Serves the media clock (ClockFilter) and the sound card's crystal (DACModel).

/// Follows an offset that drifts, from noisy readings.
public struct DriftFilter: Sendable, BitwiseCopyable {
  /// The estimated offset in seconds.
  public var offset: Double
  /// The estimated growth of the offset in seconds per second.
  public var frequency: Double
  /// Variance of `offset`, in s^2.
  public var offsetVariance: Double
  /// Covariance of the two, in s.
  public var covariance: Double
  /// Variance of `frequency`.
  public var frequencyVariance: Double
  /// w: growth of the offset's variance in s^2 per second.
  @usableFromInline let offsetWalk: Double
  /// q: growth of the frequency's variance per second.
  @usableFromInline let frequencyWalk: Double

  /// A filter that knows nothing but its priors.
  ///
  /// - Parameters:
  ///   - frequency: The likely growth, in seconds per second.
  ///   - frequencySigma: One standard deviation of that guess.
  ///   - offsetWalk: Growth of the offset's variance, in s^2 per second.
  ///   - frequencyWalk: Growth of the frequency's variance per second.
  public init(
    frequency: Double, frequencySigma: Double, offsetWalk: Double, frequencyWalk: Double
  ) {
    offset = 0
    self.frequency = frequency
    offsetVariance = 0
    covariance = 0
    frequencyVariance = frequencySigma * frequencySigma
    self.offsetWalk = offsetWalk
    self.frequencyWalk = frequencyWalk
  }

  /// Moves the estimate `elapsed` seconds on; time that runs backwards (reordering) counts as none.
  @inlinable public mutating func advance(by elapsed: Double) {
    let dt = elapsed > 0 ? elapsed : 0
    offset += frequency * dt
    offsetVariance +=
      dt * (2 * covariance + dt * frequencyVariance) + offsetWalk * dt
      + frequencyWalk * dt * dt * dt / 3
    covariance += dt * frequencyVariance + frequencyWalk * dt * dt / 2
    frequencyVariance += frequencyWalk * dt
  }

  /// Takes in a reading of the offset.
  @inlinable public mutating func correct(towards reading: Double, variance: Double) {
    let surprise = reading - offset
    let total = offsetVariance + variance
    let offsetGain = offsetVariance / total
    let frequencyGain = covariance / total
    offset += offsetGain * surprise
    frequency += frequencyGain * surprise
    frequencyVariance -= frequencyGain * covariance
    offsetVariance *= 1 - offsetGain
    covariance *= 1 - offsetGain
  }

  /// Forgets the offset and keeps the frequency, known no better than `frequencySigma`.
  @inlinable public mutating func restart(
    at reading: Double, offsetVariance variance: Double, frequencySigma: Double = 0
  ) {
    offset = reading
    offsetVariance = variance
    covariance = 0
    frequencyVariance = max(frequencyVariance, frequencySigma * frequencySigma)
  }
}
