// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// A moment as NTP carries it: 32 bits of seconds since 1900, 32 bits of fraction.
///
/// The seconds wrap in February 2036 (era 1). A stamp alone does not tell its era, so a pivot does:
/// seconds with the top bit set belong to era 0 (1968...2036), all others to era 1 (2036...2104).
/// The RTP timestamp is a count since 1900 and is continuous there.
public struct NTPTimestamp: Sendable, Hashable, BitwiseCopyable {
  /// The 64 bits on the wire.
  public var rawValue: UInt64

  /// Units of the fraction in one second.
  private static let unitsPerSecond: UInt64 = 1 << 32
  private static let nanosecondsPerSecond: Int64 = 1_000_000_000

  /// The stamp with these bits.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The stamp that means "unknown" (RFC 5905).
  public static var unknown: NTPTimestamp { NTPTimestamp(rawValue: 0) }

  /// Whole seconds, modulo 2^32.
  @inlinable public var seconds: UInt32 { UInt32(rawValue >> 32) }

  /// The stamp of `instant`, rounded to the nearest 2^-32 s.
  public init(_ instant: MediaInstant) {
    var (seconds, rest) = instant.nanosecondsSince1900.quotientAndRemainder(
      dividingBy: Self.nanosecondsPerSecond)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + Self.nanosecondsPerSecond) }
    let whole = UInt64(bitPattern: seconds) << 32
    rawValue = whole &+ Self.units(nanoseconds: UInt64(bitPattern: rest))
  }

  /// The moment, rounded to the nearest nanosecond; its era is chosen by the pivot.
  public var instant: MediaInstant {
    let era: Int64 = seconds >> 31 == 1 ? 0 : 1
    let whole = Int64(seconds) + era << 32
    let fraction = rawValue & (Self.unitsPerSecond - 1)
    let rest = (fraction * UInt64(Self.nanosecondsPerSecond) + Self.unitsPerSecond / 2) >> 32
    return MediaInstant(
      nanosecondsSince1900: whole * Self.nanosecondsPerSecond + Int64(rest))
  }

  /// The middle 32 bits, as RTCP reports quote them.
  public var middleBits: UInt32 { UInt32(truncatingIfNeeded: rawValue >> 16) }

  /// `nanoseconds` below one second in units of 2^-32 s, to the nearest.
  static func units(nanoseconds: UInt64) -> UInt64 {
    let second = UInt64(nanosecondsPerSecond)
    return (nanoseconds << 32 + second / 2) / second
  }
}
