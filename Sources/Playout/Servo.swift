// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The plant is an integrator: playing faster by u for a time t moves the position by u*t. The error
// is known exactly at each block's start (the resampler's position is a number, not a reading), so
// there is no dead time but the block itself, 10 ms. With u = -e/tau the loop is first order: it
// cannot ring, and at tau = 1 s the block takes 0.6 degrees of phase margin (gain margin 46 dB).
//
// Rates are fed forward from the clock map and the DAC model; the servo only removes what is left.
// No integrator (the feed-forward is one), no dead band (it would become a limit cycle).

/// Decides how much faster or slower to play so that the position meets the time.
public struct Servo: Sendable {
  /// What to do for one block.
  public enum Decision: Sendable, Hashable {
    /// Play faster by this ratio on top of the feed-forward.
    case steer(Double)
    /// The error is past steering: jump.
    case jump
  }

  private var trim = 0.0
  private var age = 0.0
  private var blocksBeyond = 0

  /// A servo at rest, in its first, quick seconds.
  public init() {}

  /// Starts over after a jump.
  public mutating func restart() { self = Servo() }

  /// Takes in the error at the start of a block.
  ///
  /// - Parameters:
  ///   - error: Position less due position in seconds; positive: ahead.
  ///   - block: Length of the block in seconds.
  /// - Returns: The ratio for this block, or that a jump is due.
  public mutating func decide(error: Double, block: Double) -> Decision {
    blocksBeyond = abs(error) > Self.jumpError ? blocksBeyond + 1 : 0
    if blocksBeyond >= Self.blocksForJump { return .jump }
    let isQuick = age < Self.quickAge || abs(error) > Self.quickError
    age += block
    let tau = isQuick ? Self.quickTau : Self.steadyTau
    let limit = isQuick ? Self.quickLimit : Self.steadyLimit
    let slew = (isQuick ? Self.quickSlew : Self.steadySlew) * block
    let wanted = max(-limit, min(limit, -error / tau))
    trim = max(trim - slew, min(trim + slew, wanted))
    return .steer(trim)
  }
}

// MARK: - Tuning

extension Servo {
  /// Seconds in which a steady error falls to 1/e: filters the noise of the clock estimate.
  public static let steadyTau = 1.0
  /// The same after a start, and for errors that can be noticed.
  public static let quickTau = 0.25
  /// Seconds.
  static let quickAge = 3.0
  /// Seconds; ten times the steady p99.
  static let quickError = 200e-6
  /// Speed stays within 50 ppm of true pitch.
  static let steadyLimit = 50e-6
  /// 1.7 cents, below the 5 that trained ears notice.
  static let quickLimit = 1_000e-6
  /// Ratio per second.
  static let steadySlew = 300e-6
  /// Ratio per second: the whole limit in 50 ms.
  static let quickSlew = 20_000e-6
  /// Seconds; more would take longer than 2 s to steer away.
  static let jumpError = 2e-3
  /// One wild block is no reason.
  static let blocksForJump = 3
}
