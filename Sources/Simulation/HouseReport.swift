// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a house was like, by the truth. All in microseconds unless said otherwise.
public struct HouseReport: Sendable {
  /// The house.
  public let scenario: HouseScenario
  /// Between all pairs of settled rooms, ten times a second.
  public var skew = Distribution()
  /// Of settled rooms against the coordinator's clock.
  public var errors = Distribution()
  /// Of the first block of rooms that were ready when music started.
  public var starts = Distribution()
  /// Of the first block of rooms that were switched on, or not ready when music started.
  public var joins = Distribution()
  /// From the start of music, or from being switched on, to within 100 us, in milliseconds.
  public var settling = Distribution()
  /// From the end of a stall of the card or a sleep of the host to within 100 us, in milliseconds.
  public var recovery = Distribution()
  /// How often a room's clock was judged.
  public var clockSamples = 0
  /// Of these, how often it was further off than four of its sigmas.
  public var beyondSigma = 0
  /// And further than its bound.
  public var beyondBound = 0
  /// Jumps while something sounded.
  public var resyncs = 0
  /// Frames that were due and not in their lane.
  public var missingFrames = 0
  /// Packets replaced by concealment.
  public var concealed = 0
  /// Frames that cards wanted and did not get.
  public var cardUnderruns = 0
  /// Packets held by one room, at most.
  public var mostPackets = 0
  /// Events that waited, at most.
  public var mostEvents = 0

  /// A report of nothing yet.
  public init(_ scenario: HouseScenario) { self.scenario = scenario }

  /// Adds another house's figures.
  public mutating func merge(_ other: Self) {
    skew.merge(other.skew)
    errors.merge(other.errors)
    starts.merge(other.starts)
    joins.merge(other.joins)
    settling.merge(other.settling)
    recovery.merge(other.recovery)
    clockSamples += other.clockSamples
    beyondSigma += other.beyondSigma
    beyondBound += other.beyondBound
    resyncs += other.resyncs
    missingFrames += other.missingFrames
    concealed += other.concealed
    cardUnderruns += other.cardUnderruns
    mostPackets = max(mostPackets, other.mostPackets)
    mostEvents = max(mostEvents, other.mostEvents)
  }
}
