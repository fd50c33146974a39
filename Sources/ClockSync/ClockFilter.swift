// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Estimates the media clock from exchanges with the coordinator.
//
// Every exchange counts, weighted by how much longer it took than the shortest of the last minute
// (in simulation p99 10.8 us, against 18.0 us for the best of each burst):
//
//   R = r0^2 + (k * (RTT - RTTmin + slack))^2
//
// where slack is how much shorter still an undisturbed round trip would probably be: without it
// the luckiest of a few slow replies is believed like a direct one (p99 of three Wi-Fi runs 111/55/473 us; with it 42/40/71).
// Three guards make the estimate robust. A surprise of more than 4 sigma adds its own square to R
// (an outlier hardly moves the line). The truth lies within half a round trip of every reading,
// whatever the asymmetry: an estimate outside is pulled to the edge. Three surprises in a row that
// no round trip explains are a step: start again from there, keeping the frequency.

/// Follows the media clock's offset and frequency as seen from this host.
public struct ClockFilter: Sendable {
  /// What an exchange did to the estimate.
  public enum Outcome: Sendable, Hashable {
    /// Its stamps are impossible; nothing changed.
    case ignored
    /// The estimate starts here.
    case acquired
    /// It refined the estimate.
    case accepted
    /// It contradicts the estimate; it was hardly believed.
    case doubted
  }

  /// Exchanges taken in since the estimate began or began anew.
  public private(set) var exchanges = 0
  /// How often the estimate began anew on the same clock.
  public private(set) var steps = 0

  private var drift: DriftFilter
  private var anchor: Anchor?
  private var floor = RoundTripFloor()
  private var openingRoundTrip = Nanoseconds.zero
  private var contradictions = 0
  private var lastStep: LocalInstant?

  /// Where the estimate's zero lies.
  private struct Anchor: Sendable {
    /// Media less local nanoseconds that `drift.offset` is counted from.
    var base: Int64
    var at: LocalInstant
    var clockID: ClockID
  }

  /// A filter without an estimate.
  ///
  /// - Parameter priorFrequency: The frequency found the last time with this coordinator.
  public init(priorFrequency: PartsPerMillion? = nil) {
    drift = DriftFilter(
      frequency: priorFrequency?.ratio ?? 0,
      frequencySigma: priorFrequency == nil ? Self.unknownFrequency : Self.knownFrequency,
      offsetWalk: Self.offsetWalk, frequencyWalk: Self.frequencyWalk)
  }

  /// The run of the media clock that is being followed.
  public var clockID: ClockID? { anchor?.clockID }

  /// How much faster the media clock runs than this host's.
  public var frequency: PartsPerMillion { PartsPerMillion(drift.frequency * 1e6) }

  /// Takes in an exchange with the media clock `clockID`; another identity starts anew at once.
  public mutating func receive(_ exchange: ClockExchange, clockID: ClockID) -> Outcome {
    guard exchange.isPossible else { return .ignored }
    let roundTrip = max(.zero, exchange.roundTrip)
    guard let anchor, anchor.clockID == clockID else {
      return acquire(from: exchange, roundTrip, clockID)
    }
    let gain = floor.observe(roundTrip, at: exchange.middle)
    exchanges += 1
    if exchanges <= Self.openingExchanges, roundTrip < openingRoundTrip {
      begin(at: exchange, roundTrip, clockID)
      return .accepted
    }
    drift.advance(by: (exchange.middle - anchor.at).inSeconds)
    self.anchor?.at = max(anchor.at, exchange.middle)
    // The path turned out shorter: what was learnt over the longer one may be off by half of that.
    drift.offsetVariance += square(gain.inSeconds / 2)
    return weigh(exchange, roundTrip, base: anchor.base, clockID)
  }

  /// The line at `now`; its sigma grows with the time since the last exchange.
  public func map(at now: LocalInstant) -> ClockMap? {
    guard let anchor else { return nil }
    var ahead = drift
    ahead.advance(by: (now - anchor.at).inSeconds)
    let sigma = Nanoseconds(seconds: max(0, ahead.offsetVariance).squareRoot())
    let at = max(now, anchor.at)
    return ClockMap(
      anchorLocal: at,
      anchorMedia: MediaInstant(
        nanosecondsSince1900: at.nanoseconds &+ anchor.base
          &+ Nanoseconds(seconds: ahead.offset).count),
      rate: frequency, sigma: sigma, bound: sigma * 4 + (floor.shortest ?? .zero) / 2,
      clockID: anchor.clockID)
  }
}

// MARK: - Steps of the estimate

extension ClockFilter {
  private mutating func weigh(
    _ exchange: ClockExchange, _ roundTrip: Nanoseconds, base: Int64, _ clockID: ClockID
  ) -> Outcome {
    let reading = exchange.offset(beyond: base)
    let surprise = reading - drift.offset
    let half = roundTrip.inSeconds / 2
    if isContradiction(surprise, half: half) {
      contradictions += 1
      if contradictions >= Self.contradictionsForStep {
        return step(to: exchange, roundTrip, clockID)
      }
    } else {
      contradictions = 0
    }
    let excess = (roundTrip - (floor.shortest ?? roundTrip) + floor.slack).inSeconds
    var variance = square(Self.stampNoise) + square(Self.delayWeight * excess)
    let isDoubtful = square(surprise) > square(Self.gate) * (drift.offsetVariance + variance)
    if isDoubtful { variance += square(surprise) }
    drift.correct(towards: reading, variance: variance)
    if contradictions == 0 { hold(within: half + Self.stampNoise, of: reading) }
    return isDoubtful ? .doubted : .accepted
  }

  /// Whether neither the round trip nor the filter's own doubt explains a surprise.
  private func isContradiction(_ surprise: Double, half: Double) -> Bool {
    abs(surprise) > half + Self.stepTolerance + 3 * max(0, drift.offsetVariance).squareRoot()
  }

  /// Pulls an estimate that no asymmetry can explain to the edge of what one could.
  private mutating func hold(within reach: Double, of reading: Double) {
    let beyond = abs(drift.offset - reading) - reach
    guard beyond > 0 else { return }
    drift.offset += drift.offset > reading ? -beyond : beyond
    drift.offsetVariance += square(beyond)
  }

  private mutating func step(
    to exchange: ClockExchange, _ roundTrip: Nanoseconds, _ clockID: ClockID
  ) -> Outcome {
    let isRepeated = lastStep.map { exchange.middle - $0 < Self.stepsApart } ?? false
    steps += 1
    lastStep = exchange.middle
    // Steps that do not end are a frequency that is not what we think.
    return acquire(
      from: exchange, roundTrip, clockID, frequencySigma: isRepeated ? Self.lostFrequency : 0)
  }

  private mutating func acquire(
    from exchange: ClockExchange, _ roundTrip: Nanoseconds, _ clockID: ClockID,
    frequencySigma: Double = Self.knownFrequency
  ) -> Outcome {
    floor = RoundTripFloor()
    _ = floor.observe(roundTrip, at: exchange.middle)
    exchanges = 1
    begin(at: exchange, roundTrip, clockID, frequencySigma: frequencySigma)
    return .acquired
  }

  private mutating func begin(
    at exchange: ClockExchange, _ roundTrip: Nanoseconds, _ clockID: ClockID,
    frequencySigma: Double = 0
  ) {
    let whole = exchange.received.nanosecondsSince1900 &- exchange.sent.nanoseconds
    anchor = Anchor(base: whole, at: exchange.middle, clockID: clockID)
    openingRoundTrip = roundTrip
    contradictions = 0
    drift.restart(
      at: exchange.offset(beyond: whole),
      offsetVariance: square(Self.stampNoise) + square(roundTrip.inSeconds / 4),
      frequencySigma: frequencySigma)
  }
}

// MARK: - Tuning (simulated: three rooms, hosts +12/-18/+25 ppm, several seeds)

extension ClockFilter {
  /// The first exchanges, of which the quickest is the beginning of the estimate.
  public static let openingExchanges = 8
  /// r0: what remains of the noise on a direct way, in seconds (kernel stamps, 5 us).
  static let stampNoise = 5e-6
  /// k: how much of the excess delay may lie on one way only.
  static let delayWeight = 0.5
  /// In standard deviations: what lies beyond is doubted.
  static let gate = 4.0
  /// w: (0.3 us)^2 per second.
  static let offsetWalk = 0.09e-12
  /// q: (0.1 ppm)^2 per second, a host that warms up by 20 ppm in five minutes.
  static let frequencyWalk = 1e-14
  /// Two crystals of +-30 ppm each, as a ratio.
  static let unknownFrequency = 60e-6
  /// A pair of crystals met before: they age and follow the season, as a ratio.
  static let knownFrequency = 3e-6
  /// A host whose clock is being slewed or whose counter changed, as a ratio.
  static let lostFrequency = 500e-6
  /// Two steps closer than this are not two accidents.
  static let stepsApart = Nanoseconds.seconds(10)
  /// Stamps are never off by this much, in seconds.
  static let stepTolerance = 50e-6
  /// One or two may be accidents of a driver; three are a step.
  static let contradictionsForStep = 3
}

/// The product of a number with itself.
@inline(__always) func square(_ value: Double) -> Double { value * value }
