// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import ClockSync

/// A computer's CLOCK_MONOTONIC_RAW.
public struct VirtualHost {
  private var crystal: VirtualCrystal
  /// What the clock showed when the simulation began, less what it has slept since.
  private var start: LocalInstant

  /// A host that was booted some time ago.
  ///
  /// - Parameters:
  ///   - error: Of its oscillator.
  ///   - seed: Draws the time since it was booted, and the wander.
  public init(error: VirtualCrystal.Error, seed: UInt64) {
    var random = SeededRandom(seed: seed)
    crystal = VirtualCrystal(error: error, seed: random.next())
    start = LocalInstant(
      nanoseconds: .random(in: 1_000_000_000...9_000_000_000_000, using: &random))
  }

  /// The frequency error at present, in ppm.
  public var ppm: Double { crystal.ppm }

  /// What the clock shows.
  public mutating func local(at moment: TrueInstant) -> LocalInstant {
    start + Nanoseconds(seconds: crystal.counted(at: moment))
  }

  /// Does not count `seconds` of its own: CLOCK_MONOTONIC_RAW stands still while the host sleeps.
  public mutating func slept(seconds: Double) { start = start - Nanoseconds(seconds: seconds) }

  /// When the clock will show `local`.
  public func moment(of local: LocalInstant) -> TrueInstant {
    TrueInstant(seconds: crystal.moment(counted: (local - start).inSeconds))
  }
}
