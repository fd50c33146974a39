// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ClockSync

/// One direction of a network path.
public struct VirtualLink {
  /// How packets fare.
  public struct Quality: Sendable {
    /// Seconds that every packet takes.
    public var base: Double
    /// Evenly distributed on top, in seconds.
    public var jitter: Double
    /// Mean of an exponential tail on top, in seconds.
    public var tail: Double
    /// Share of packets that never arrive.
    public var loss: Double
    /// Mean length of a loss in packets (Gilbert-Elliott); 1: each packet has its own luck.
    public var lossBurst = 1.0
    /// Share of packets that may overtake others.
    public var reorder: Double
    /// Share of packets that arrive twice.
    public var duplication = 0.0
    /// How often the receiver sleeps, per second.
    public var sleepsPerSecond: Double
    /// How long it sleeps, in seconds; packets wait meanwhile.
    public var sleepLength: ClosedRange<Double>

    /// A path; by default without any fault but its delay.
    ///
    /// - Parameters:
    ///   - base: Seconds that every packet takes.
    ///   - jitter: Evenly distributed on top.
    ///   - tail: Mean of an exponential tail.
    ///   - loss: Share lost.
    ///   - reorder: Share that may overtake.
    ///   - sleepsPerSecond: How often the receiver sleeps.
    ///   - sleepLength: How long.
    public init(
      base: Double, jitter: Double = 0, tail: Double = 0, loss: Double = 0, reorder: Double = 0,
      sleepsPerSecond: Double = 0, sleepLength: ClosedRange<Double> = 0...0
    ) {
      self.base = base
      self.jitter = jitter
      self.tail = tail
      self.loss = loss
      self.reorder = reorder
      self.sleepsPerSecond = sleepsPerSecond
      self.sleepLength = sleepLength
    }

    /// A wired network with 100 us of jitter.
    public static var lan: Self { Self(base: 100e-6, jitter: 100e-6) }

    /// A switch and nothing else: 20 us of jitter.
    public static var quietLAN: Self { Self(base: 80e-6, jitter: 20e-6) }

    /// A wireless room: 1 ms, a tail, sleeps of 20 to 100 ms, 1 % lost, some out of order.
    public static var wifi: Self {
      Self(
        base: 1e-3, tail: 0.4e-3, loss: 0.01, reorder: 0.01, sleepsPerSecond: 0.5,
        sleepLength: 0.02...0.1)
    }
  }

  /// May be changed while packets are under way.
  public var quality: Quality
  /// Nothing passes while it is set.
  public var isCut = false

  private var random: SeededRandom
  private var lastArrival = TrueInstant(nanoseconds: .min)
  private var nextSleep: TrueInstant
  private var isBad = false
  private var awakeFrom = TrueInstant(nanoseconds: .min)

  /// A path of this quality.
  public init(_ quality: Quality, seed: UInt64) {
    self.quality = quality
    random = SeededRandom(seed: seed)
    nextSleep = TrueInstant(nanoseconds: 0)
    drawNextSleep(after: nextSleep)
  }

  /// When a packet that is sent now arrives; nil if it is lost.
  public mutating func arrival(sentAt now: TrueInstant) -> TrueInstant? {
    let delay =
      quality.base + quality.jitter * random.unit() + quality.tail * exponential(&random)
    let isLost = isLost()
    let overtakes = random.unit() < quality.reorder
    var at = now.advanced(bySeconds: delay)
    fallAsleep(until: at)
    if at < awakeFrom { at = awakeFrom }
    if isLost || isCut { return nil }
    guard !overtakes else { return at.advanced(bySeconds: 2e-3 * random.unit()) }
    // A queue keeps the order.
    at = max(at, lastArrival)
    lastArrival = at
    return at
  }

  /// When a second copy of a packet arrives whose first came at `arrival`; nil for most packets.
  public mutating func copy(of arrival: TrueInstant) -> TrueInstant? {
    guard quality.duplication > 0, random.unit() < quality.duplication else { return nil }
    return arrival.advanced(bySeconds: 5e-3 * random.unit())
  }

  /// Gilbert and Elliott: good and bad times follow each other; in bad ones all is lost.
  private mutating func isLost() -> Bool {
    let luck = random.unit()
    guard quality.lossBurst > 1 else { return luck < quality.loss }
    let worsens = quality.loss / (quality.lossBurst * (1 - quality.loss))
    isBad = luck < (isBad ? 1 - 1 / quality.lossBurst : worsens)
    return isBad
  }

  private mutating func fallAsleep(until moment: TrueInstant) {
    guard quality.sleepsPerSecond > 0 else { return }
    while nextSleep < moment {
      awakeFrom = nextSleep.advanced(bySeconds: .random(in: quality.sleepLength, using: &random))
      drawNextSleep(after: awakeFrom)
    }
  }

  private mutating func drawNextSleep(after moment: TrueInstant) {
    guard quality.sleepsPerSecond > 0 else { return }
    nextSleep = moment.advanced(bySeconds: exponential(&random) / quality.sleepsPerSecond)
  }
}

/// A number that is exponentially distributed with mean 1 (von Neumann 1951: no logarithm needed).
func exponential(_ random: inout SeededRandom) -> Double {
  var whole = 0.0
  while true {
    let first = random.unit()
    var last = first
    var isAccepted = true
    while true {
      let next = random.unit()
      if next >= last { break }
      last = next
      isAccepted.toggle()
    }
    if isAccepted { return whole + first }
    whole += 1
  }
}
