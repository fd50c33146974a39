// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How far packets of one direction usually are from the quickest: the mean of their excess delay.
///
/// Follows the median and not the mean, so that a sleep of 100 ms counts like any late packet.
struct DelaySpread: Sendable, BitwiseCopyable {
  /// Median of the excess delay, in seconds.
  private var median = Self.shortest
  private var seen = 0

  /// The mean excess delay in seconds, if delays are exponentially distributed.
  var mean: Double { max(Self.shortestMean, median / Self.medianOfMean) }

  /// Begins anew near `excess` seconds.
  mutating func restart(at excess: Double) {
    median = max(Self.shortest, excess)
    seen = 0
  }

  /// Takes in the excess delay of a packet, in seconds.
  mutating func observe(_ excess: Double) {
    seen += 1
    let step = seen < Self.learning ? Self.quickStep : Self.steadyStep
    median = max(Self.shortest, excess > median ? median * step : median / step)
  }

  /// log 2: median over mean of an exponential distribution.
  private static let medianOfMean = 0.693
  /// In seconds: below, stamps are noisier than the network.
  private static let shortest = 4e-6
  /// In seconds. Shorter ones, learnt for each direction, made a quiet wired path wander: p99 of
  /// the error 2.5 us, with this 1.3.
  private static let shortestMean = 32e-6
  /// The first packets move the median by a tenth each, the others by 3 %.
  private static let learning = 100
  private static let quickStep = 1.1
  private static let steadyStep = 1.03
}
