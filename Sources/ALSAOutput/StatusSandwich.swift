// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// Dates a status call by the clock read before and after it.
///
/// A driver's own stamp is used when it lies between the two reads. Drivers that give none (0), or
/// give it on another clock (a time namespace, an old alsa-lib), fall back to the middle. A call
/// that was interrupted is thrown away: its stamp says nothing.
public struct StatusSandwich: Sendable {
  /// Calls shorter than this are always taken: 20 us is some ten times an undisturbed call.
  static let alwaysGood: Int64 = 20_000
  /// Longer calls are taken up to this multiple of the shortest seen.
  static let slack: Int64 = 4
  /// After this many refusals in a row the shortest is forgotten: the machine got slower.
  static let patience = 50

  private var shortest: Int64 = .max
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
    shortest = min(shortest, length)
    guard length <= max(Self.alwaysGood, shortest.multipliedClamped(by: Self.slack)) else {
      refused += 1
      if refused > Self.patience { (shortest, refused) = (length, 0) }
      return nil
    }
    refused = 0
    if driver >= before, driver <= after {
      return (LocalInstant(nanoseconds: driver), Nanoseconds(0))
    }
    return (LocalInstant(nanoseconds: before + length / 2), Nanoseconds(length / 2))
  }
}

extension Int64 {
  fileprivate func multipliedClamped(by factor: Int64) -> Int64 {
    let (product, overflow) = multipliedReportingOverflow(by: factor)
    return overflow ? .max : product
  }
}
