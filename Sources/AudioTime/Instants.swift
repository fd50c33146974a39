// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A moment on this host's own clock: CLOCK_MONOTONIC_RAW, in nanoseconds.
///
/// RAW and not MONOTONIC, because NTP slews the latter by up to hundreds of parts per million.
/// Comparable only with moments of the same host and boot; `ClockMap` converts to media time.
public struct LocalInstant: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Nanoseconds of CLOCK_MONOTONIC_RAW.
  public var nanoseconds: Int64

  /// The moment `nanoseconds` of CLOCK_MONOTONIC_RAW.
  @inlinable public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.nanoseconds < b.nanoseconds }
  /// The difference.
  @inlinable public static func - (a: Self, b: Self) -> Nanoseconds {
    Nanoseconds(a.nanoseconds &- b.nanoseconds)
  }
  /// The sum.
  @inlinable public static func + (a: Self, d: Nanoseconds) -> Self {
    Self(nanoseconds: a.nanoseconds &+ d.count)
  }
  /// The difference.
  @inlinable public static func - (a: Self, d: Nanoseconds) -> Self {
    Self(nanoseconds: a.nanoseconds &- d.count)
  }
}

/// A moment on the media clock: the coordinator's, in nanoseconds since 1900-01-01 (NTP epoch).
///
/// It reads about UTC when it is first set and never steps afterwards. Fits `Int64` until 2192.
public struct MediaInstant: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Nanoseconds since 1900-01-01 00:00.
  public var nanosecondsSince1900: Int64

  /// The moment `nanosecondsSince1900` of the media clock.
  @inlinable public init(nanosecondsSince1900: Int64) {
    self.nanosecondsSince1900 = nanosecondsSince1900
  }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool {
    a.nanosecondsSince1900 < b.nanosecondsSince1900
  }
  /// The difference.
  @inlinable public static func - (a: Self, b: Self) -> Nanoseconds {
    Nanoseconds(a.nanosecondsSince1900 &- b.nanosecondsSince1900)
  }
  /// The sum.
  @inlinable public static func + (a: Self, d: Nanoseconds) -> Self {
    Self(nanosecondsSince1900: a.nanosecondsSince1900 &+ d.count)
  }
  /// The difference.
  @inlinable public static func - (a: Self, d: Nanoseconds) -> Self {
    Self(nanosecondsSince1900: a.nanosecondsSince1900 &- d.count)
  }
}

/// Which run of the media clock a moment belongs to.
///
/// Random; drawn anew after a reboot or a suspend of the coordinator. Two media instants may be
/// compared only when their clocks have the same identity. Travels in the NTP Reference Timestamp
/// and in `StreamAnnounce`.
public struct ClockID: Sendable, Hashable, BitwiseCopyable {
  /// The 64 random bits; zero means "none known".
  public var rawValue: UInt64

  /// The identity with these bits.
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }
}
