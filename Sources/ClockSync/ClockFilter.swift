// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Estimates the media clock from exchanges with the coordinator: PathFilter weighs the two ways of
// each exchange, this decides when to begin and begin anew. The truth lies within the round trip of
// every exchange, whatever the asymmetry: an estimate outside is pulled to the edge. Three exchanges
// in a row that it does not explain are a step: start again from there, keeping the frequency.

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

  private var path: PathFilter
  private var there = DelaySpread()
  private var back = DelaySpread()
  private var anchor: Anchor?
  private var floor = RoundTripFloor()
  private var opening: [Nanoseconds] = []
  private var contradictions = 0
  private var lastStep: LocalInstant?

  /// Where the estimate's zero lies.
  private struct Anchor: Sendable {
    /// Media less local nanoseconds that the estimated offset is counted from.
    var base: Int64
    var at: LocalInstant
    var clockID: ClockID
  }

  /// A filter without an estimate.
  ///
  /// - Parameter priorFrequency: The frequency found the last time with this coordinator.
  public init(priorFrequency: PartsPerMillion? = nil) {
    path = PathFilter(
      drift: DriftFilter(
        frequency: priorFrequency?.ratio ?? 0,
        frequencySigma: priorFrequency == nil ? Self.unknownFrequency : Self.knownFrequency,
        offsetWalk: Self.offsetWalk, frequencyWalk: Self.frequencyWalk))
  }

  /// The run of the media clock that is being followed.
  public var clockID: ClockID? { anchor?.clockID }

  /// How much faster the media clock runs than this host's.
  public var frequency: PartsPerMillion { PartsPerMillion(path.drift.frequency * 1e6) }

  /// Takes in an exchange with the media clock `clockID`; another identity starts anew at once.
  public mutating func receive(_ exchange: ClockExchange, clockID: ClockID) -> Outcome {
    guard exchange.isPossible else { return .ignored }
    let roundTrip = max(.zero, exchange.roundTrip)
    guard let anchor, anchor.clockID == clockID else {
      return acquire(from: exchange, roundTrip, clockID)
    }
    floor.observe(roundTrip, at: exchange.middle)
    exchanges += 1
    if exchanges <= Self.openingExchanges, isQuickest(roundTrip) {
      begin(at: exchange, roundTrip, clockID)
      return .accepted
    }
    path.advance(by: (exchange.middle - anchor.at).inSeconds)
    let now = max(anchor.at, exchange.middle)
    self.anchor?.at = now
    return weigh(exchange, roundTrip, at: now, base: anchor.base, clockID)
  }

  /// Forgets how far the coordinator is, and nothing else.
  public mutating func routeChanged() {
    floor = RoundTripFloor()
    path.forgetFloor()
  }

  /// The line at `now`; its sigma grows with the time since the last exchange.
  public func map(at now: LocalInstant) -> ClockMap? {
    guard let anchor else { return nil }
    var ahead = path.drift
    let silence = max(0, (now - anchor.at).inSeconds)
    ahead.advance(by: silence)
    let variance = max(0, ahead.offsetVariance) + square(Self.warming * silence * silence / 2)
    let sigma = Nanoseconds(seconds: variance.squareRoot())
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
    _ exchange: ClockExchange, _ roundTrip: Nanoseconds, at now: LocalInstant, base: Int64,
    _ clockID: ClockID
  ) -> Outcome {
    let frequency = path.drift.frequency
    // Each way's delay as the clocks stand at `now`: in 100 ms they part by microseconds.
    let delays = (
      there: exchange.delayThere(beyond: base) + frequency * (now - exchange.sent).inSeconds,
      back: exchange.delayBack(beyond: base) - frequency * (now - exchange.returned).inSeconds
    )
    if isContradiction(delays.there, delays.back) {
      contradictions += 1
      if contradictions >= Self.contradictionsForStep {
        return step(to: exchange, roundTrip, clockID)
      }
    } else {
      contradictions = 0
    }
    ageFloor()
    there.observe(path.excess(of: delays.there, .there))
    back.observe(path.excess(of: delays.back, .back))
    let isDoubtful = path.limit(by: delays, spreads: (there.mean, back.mean))
    if contradictions == 0 { hold(between: -delays.back, and: delays.there) }
    return isDoubtful ? .doubted : .accepted
  }

  /// Whether neither the round trip nor the filter's own doubt explains an exchange.
  private func isContradiction(_ there: Double, _ back: Double) -> Bool {
    let reach = Self.stepTolerance + 3 * max(0, path.drift.offsetVariance).squareRoot()
    return path.drift.offset > there + reach || path.drift.offset < -back - reach
  }

  /// A route that became longer: a minute without a packet as quick as the floor says.
  private mutating func ageFloor() {
    let gap = (floor.shortest ?? .zero).inSeconds / 2 - path.floor
    let doubt = max(0, path.floorVariance).squareRoot()
    guard gap > Self.agedFloor * doubt + PathFilter.stampNoise else { return }
    path.floorVariance += square(gap)
  }

  /// Pulls an estimate that no asymmetry can explain to the edge of what one could.
  private mutating func hold(between least: Double, and most: Double) {
    let low = least - PathFilter.stampNoise
    let high = max(low, most + PathFilter.stampNoise)
    let held = min(max(path.drift.offset, low), high)
    path.drift.offsetVariance += square(path.drift.offset - held)
    path.drift.offset = held
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
    floor.observe(roundTrip, at: exchange.middle)
    exchanges = 1
    opening = [roundTrip]
    begin(at: exchange, roundTrip, clockID, frequencySigma: frequencySigma)
    return .acquired
  }

  /// Counts one of the first round trips; whether none of them was shorter.
  private mutating func isQuickest(_ roundTrip: Nanoseconds) -> Bool {
    let quickest = opening.min() ?? roundTrip
    opening.append(roundTrip)
    let mean = opening.reduce(0) { $0 + $1.inSeconds } / Double(opening.count)
    let excess = max(0, mean - min(quickest, roundTrip).inSeconds) / 2
    there.restart(at: excess)
    back.restart(at: excess)
    return roundTrip <= quickest
  }

  private mutating func begin(
    at exchange: ClockExchange, _ roundTrip: Nanoseconds, _ clockID: ClockID,
    frequencySigma: Double = 0
  ) {
    let whole = exchange.received.nanosecondsSince1900 &- exchange.sent.nanoseconds
    anchor = Anchor(base: whole, at: exchange.middle, clockID: clockID)
    contradictions = 0
    path.restart(
      offset: exchange.offset(beyond: whole), floor: roundTrip.inSeconds * Self.openingFloor,
      deviation: (square(PathFilter.stampNoise) + square(roundTrip.inSeconds / 4)).squareRoot(),
      frequencySigma: frequencySigma)
  }
}

// MARK: - Tuning (simulated: three rooms, hosts +12/-18/+25 ppm, several seeds)

extension ClockFilter {
  /// The first exchanges, of which the quickest is the beginning of the estimate.
  public static let openingExchanges = 8
  /// The likely floor, as a share of the quickest of the first round trips.
  static let openingFloor = 0.4
  /// In standard deviations: a floor further below the minute's shortest round trip is out of date.
  static let agedFloor = 4.0
  /// w: (0.3 us)^2 per second.
  static let offsetWalk = 0.09e-12
  /// q: (0.1 ppm)^2 per second, a host that warms up by 20 ppm in five minutes.
  static let frequencyWalk = 1e-14
  /// How the frequency may grow in silence, per second, one sigma: of a host that warms up by 20 ppm
  /// in five minutes (0.067 ppm/s), which was also followed late before.
  static let warming = 0.035e-6
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
