// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// What two directions of one path tell about a clock.
//
// A packet there is late by (offset + floor + its queueing), one back by (-offset + floor + its
// queueing), where floor is the time that an undisturbed packet takes, the same on both ways, and
// queueing is never negative. So each packet is an upper limit, and only the quick ones say much: a
// packet that came quickly there is worth all its precision even if its answer slept for 100 ms.
// The mean of both, weighted by the round trip, wastes it (see docs/clocks.md for the gain).
//
// The state [offset, frequency, floor] is normally distributed; a limit cuts the distribution off,
// softly, and what is left is taken as normal again with its mean and variance (the truncation of
// Simon and Simon 2010; "assumed density filtering"). The likelihood of exponential queueing leans
// the distribution towards the limit before it is cut.

/// Follows a clock's offset and frequency and the shortest delay of the path to it.
struct PathFilter: Sendable, BitwiseCopyable {
  /// Offset and frequency.
  var drift: DriftFilter
  /// Seconds that an undisturbed packet takes, one way.
  var floor = 0.0
  /// Variance of `floor`, in s^2.
  var floorVariance = 0.0
  /// Covariance of floor and offset, in s^2.
  private var floorWithOffset = 0.0
  /// Covariance of floor and frequency, in s.
  private var floorWithFrequency = 0.0

  /// A filter that knows nothing but its priors.
  init(drift: DriftFilter) { self.drift = drift }

  /// Moves the estimate `elapsed` seconds on.
  mutating func advance(by elapsed: Double) {
    let dt = max(0, elapsed)
    drift.advance(by: dt)
    floorWithOffset += dt * floorWithFrequency
    floorVariance += Self.floorWalk * dt
  }

  /// Forgets offset and floor and keeps the frequency, known no better than `frequencySigma`.
  mutating func restart(
    offset: Double, floor: Double, deviation: Double, frequencySigma: Double
  ) {
    drift.restart(
      at: offset, offsetVariance: square(deviation), frequencySigma: frequencySigma)
    self.floor = floor
    floorVariance = square(deviation)
    floorWithOffset = 0
    floorWithFrequency = 0
  }

  /// The path is another one.
  mutating func forgetFloor() {
    floorVariance = square(Self.unknownFloor)
    floorWithOffset = 0
    floorWithFrequency = 0
  }
}

// MARK: - Limits

extension PathFilter {
  /// One way of the path.
  enum Direction: Double {
    /// From this host: limits offset + floor.
    case there = 1
    /// To this host: limits floor - offset.
    case back = -1
  }

  /// How far a packet was from an undisturbed one, in seconds.
  func excess(of delay: Double, _ direction: Direction) -> Double {
    delay - direction.rawValue * drift.offset - floor
  }

  /// Takes in the two packets of an exchange.
  ///
  /// - Parameters:
  ///   - delays: Receiver's stamp less sender's, each way, in seconds.
  ///   - spreads: The mean excess delay of each way.
  /// - Returns: Whether one came impossibly early and was hardly believed.
  mutating func limit(
    by delays: (there: Double, back: Double), spreads: (there: Double, back: Double)
  ) -> Bool {
    let late = (there: excess(of: delays.there, .there), back: excess(of: delays.back, .back))
    let common = Self.commonGrowth * max(0, min(late.there, late.back))
    let isShorter = late.there + late.back < 0
    let early = (
      limit(by: delays.there, .there, spreads.there, common, isShorter),
      limit(by: delays.back, .back, spreads.back, common, isShorter)
    )
    floor = max(0, floor)
    return early.0 || early.1
  }

  private mutating func limit(
    by delay: Double, _ direction: Direction, _ spread: Double, _ common: Double,
    _ isShorter: Bool
  ) -> Bool {
    var noise = square(Self.stampNoise) + square(Self.edgeSoftness * spread)
    let early = min(0, excess(of: delay, direction))
    let isDoubtful = square(early) > square(Self.gate) * (variance(direction) + noise)
    if isDoubtful {
      // One wild stamp hardly counts; a path that became shorter or a clock that jumped goes on.
      if isShorter { floorVariance *= Self.doubtGrowth } else { doubtOffset() }
      noise += square(early)
    }
    cut(at: delay, direction, noise: noise, scale: spread + common)
    return isDoubtful
  }

  private mutating func doubtOffset() {
    drift.offsetVariance *= Self.doubtGrowth
    floorVariance *= Self.doubtGrowth
    floorWithOffset *= Self.doubtGrowth
  }

  /// Variance of what a direction limits.
  private func variance(_ direction: Direction) -> Double {
    drift.offsetVariance + 2 * direction.rawValue * floorWithOffset + floorVariance
  }

  private mutating func cut(
    at limit: Double, _ direction: Direction, noise: Double, scale: Double
  ) {
    let variance = variance(direction)
    guard variance > 0 else { return }
    let distance = excess(of: limit, direction)
    // Delays have a longer tail than exponential: far from the floor they lean less.
    let slope = 1 / (scale + Self.tailGrowth * abs(distance))
    let lean = min(variance * slope, max(0, distance) + 3 * variance.squareRoot())
    let total = variance + noise
    let z = (distance - lean) / total.squareRoot()
    let hazard = NormalTail.hazard(z)
    let move = lean - variance / total.squareRoot() * hazard
    let kept = 1 - variance / total * min(1, hazard * (hazard + z))
    apply(move: move, of: variance, kept: max(Self.leastKept, kept), direction)
  }

  /// Moves what a direction limits and takes the rest of the state along.
  private mutating func apply(
    move: Double, of variance: Double, kept: Double, _ direction: Direction
  ) {
    let sign = direction.rawValue
    let withOffset = sign * drift.offsetVariance + floorWithOffset
    let withFrequency = sign * drift.covariance + floorWithFrequency
    let withFloor = sign * floorWithOffset + floorVariance
    let gain = move / variance
    drift.offset += withOffset * gain
    drift.frequency += withFrequency * gain
    floor += withFloor * gain
    let loss = (1 - kept) / variance
    drift.offsetVariance -= withOffset * withOffset * loss
    drift.covariance -= withOffset * withFrequency * loss
    drift.frequencyVariance -= withFrequency * withFrequency * loss
    floorVariance -= withFloor * withFloor * loss
    floorWithOffset -= withOffset * withFloor * loss
    floorWithFrequency -= withFrequency * withFloor * loss
  }

  /// Noise of stamps, in seconds: kernel stamps, and 3 us of system call alike in every room.
  static let stampNoise = 4e-6
  /// How soft the edge of a spread is: queueing that is never quite absent looks like that.
  static let edgeSoftness = 0.04
  /// In standard deviations: what is earlier is doubted.
  static let gate = 5.0
  /// What a doubted packet does to the variance of what is to blame.
  static let doubtGrowth = 4.0
  /// How the tail of delays gets longer with the delay itself.
  static let tailGrowth = 0.1
  /// When both ways are late the floor is out of date, and which is later says nothing. Without
  /// this, a route that grew by 1 ms a minute put most rooms off by 0.5 ms.
  static let commonGrowth = 2.0
  /// No single packet takes more of the variance away.
  static let leastKept = 1e-3
  /// In seconds: from a neighbouring switch to a bad wireless link.
  static let unknownFloor = 10e-3
  /// (1 us)^2 per second.
  static let floorWalk = 1e-12
}
