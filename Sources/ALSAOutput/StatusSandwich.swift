// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// Dates a status call by the clock read before and after it.
///
/// A driver's own stamp is used when it lies between the two reads. Drivers that give none (0), or
/// give it on another clock (a time namespace, an old alsa-lib) or of their last interrupt, fall back to
/// the middle. A call that was interrupted is thrown away: its stamp says little. On a machine so loaded
/// that every call is, one in ten counts nevertheless, with its true uncertainty: a clock that is known
/// to 100 us is better than one that was known a minute ago.
public struct StatusSandwich: Sendable {
  /// Calls shorter than this are always taken, in ns: 20 us is some ten times an undisturbed call.
  static let alwaysGood: Int64 = 20_000
  /// Longer calls are taken up to this multiple of the shortest lately.
  static let slack: Int64 = 4
  /// So many refusals in a row are a machine that is always so.
  static let patience = 10
  /// Calls after which the shortest before them is forgotten: one to two seconds.
  static let memory = 100

  private var shortest: Int64 = .max
  private var shortestBefore: Int64 = .max
  private var calls = 0
  private var refused = 0

  /// A sandwich that has seen no call yet.
  public init() {}

  /// Judges one call.
  ///
  /// - Parameters:
  ///   - before: CLOCK_MONOTONIC_RAW before the call, ns.
  ///   - after: The same after it.
  ///   - driver: The driver's stamp, ns; 0 when there is none.
  /// - Returns: The moment of the call and its error bound; nil to discard.
  public mutating func accept(
    before: Int64, after: Int64, driver: Int64
  ) -> (stamp: LocalInstant, uncertainty: Nanoseconds)? {
    let length = after - before
    remember(length)
    let usual = min(shortest, shortestBefore).multipliedClamped(by: Self.slack)
    guard length <= max(Self.alwaysGood, usual) || refused >= Self.patience else {
      refused += 1
      return nil
    }
    refused = 0
    if driver >= before, driver <= after {
      return (LocalInstant(nanoseconds: driver), Nanoseconds(0))
    }
    return (LocalInstant(nanoseconds: before + length / 2), Nanoseconds(length / 2))
  }

  private mutating func remember(_ length: Int64) {
    shortest = min(shortest, length)
    calls += 1
    guard calls >= Self.memory else { return }
    (shortestBefore, shortest, calls) = (shortest, .max, 0)
  }
}

extension Int64 {
  fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
