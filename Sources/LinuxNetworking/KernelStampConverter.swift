// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// The kernel stamps packets on CLOCK_REALTIME; sound is timed on CLOCK_MONOTONIC_RAW. The two are
// read together (RAW, REALTIME, RAW) right after a batch is received, and the distance moves the
// stamps over. NTP or a person may set REALTIME between the stamp and the reading: then the
// distance has jumped since the last batch, and the stamps of this batch are worth nothing. Nor is
// a stamp that lies in the future, or before the socket was last found empty. Where the stamps are
// of another clock than the one we read (an emulated kernel, a faked REALTIME), the quickest packet
// of a few seconds gives it away: its age is not that of a packet that was read at once.
//
// Whatever is not believed is replaced by the time of reading: late by a wake-up, never wrong.

/// Moves the kernel's packet stamps from CLOCK_REALTIME to CLOCK_MONOTONIC_RAW.
///
/// One per socket; about 110 ns per batch. Source of the limits: timing.md, "Kernel stamps".
public struct KernelStampConverter: Sendable {
  /// What a slewed REALTIME may move by in no time at all: reading noise.
  static let jumpFloor = Nanoseconds.microseconds(200)
  /// What a slewed REALTIME may move by per second: adjtime's 500 ppm, doubled.
  static let slewLimit = 1_000e-6
  /// A stamp older than this is not believed while nobody knows when the socket was empty.
  static let oldest = Nanoseconds.seconds(2)
  /// What may pass between a packet's stamp and its place in the socket's queue, on a busy host.
  static let queueing = Nanoseconds.milliseconds(10)
  /// The error of a conversion: a stamp this far in the future is of our clock.
  static let sandwich = Nanoseconds.microseconds(20)

  /// Stamps that were replaced by the time of reading.
  public private(set) var refused: UInt64 = 0

  private var distance: Int64 = 0
  private var measured: LocalInstant?
  private var trusted = false
  private var now = LocalInstant(nanoseconds: 0)
  private var emptied: LocalInstant?
  private var ages = StampAges()

  /// A converter that has seen no clock yet.
  public init() {}

  /// Whether the stamps are of another clock than REALTIME as we read it.
  public var isForeign: Bool { ages.isForeign }

  /// Takes a reading of both clocks.
  ///
  /// - Parameters:
  ///   - before: RAW just before `realtime` was read.
  ///   - realtime: Nanoseconds of CLOCK_REALTIME.
  ///   - after: RAW just after.
  public mutating func observe(before: LocalInstant, realtime: Int64, after: LocalInstant) {
    let middle = before.nanoseconds + (after - before).count / 2
    let reading = realtime - middle
    if let measured {
      let elapsed = (after - measured).inSeconds
      let allowed = Self.jumpFloor.count + Int64(elapsed * Self.slewLimit * 1e9)
      trusted = (reading - distance).magnitude <= allowed
    } else {
      trusted = true
    }
    (distance, measured, now) = (reading, after, after)
  }

  /// Notes that the socket held nothing more at `moment`: what is read later arrived later.
  public mutating func emptied(at moment: LocalInstant) { emptied = moment }

  /// The moment a packet reached this host.
  ///
  /// - Parameter realtime: The kernel's stamp, 0 when it gave none.
  /// - Returns: The stamp on RAW, or the time of the last reading when the stamp cannot be trusted.
  public mutating func arrival(stamped realtime: Int64) -> LocalInstant {
    guard realtime != 0 else { return now }
    let stamp = LocalInstant(nanoseconds: realtime &- distance)
    let age = now - stamp
    if trusted { ages.observe(age, at: now) }
    guard trusted, !ages.isForeign, age >= -Self.sandwich, stamp >= earliest else {
      refused += 1
      return now
    }
    return min(stamp, now)
  }

  /// Before this, nothing that is read now can have arrived.
  private var earliest: LocalInstant {
    emptied.map { $0 - Self.queueing } ?? (now - Self.oldest)
  }
}

/// The age of the freshest stamps: tells whether they are of the clock that they are compared with.
struct StampAges: Sendable {
  /// On our clock, a packet that wakes a thread at once is 5-100 us old when it is read; deep sleep
  /// states of a processor may add 200 us. Another clock is within this by a rare accident only, and
  /// one that drifts leaves it.
  static let plausible =
    Nanoseconds(0) - KernelStampConverter.sandwich...Nanoseconds.microseconds(500)
  /// Long enough for a few dozen packets, 16 clock replies a second.
  static let window = Nanoseconds.seconds(4)
  /// Fewer say nothing: all may have waited behind something.
  static let fewest = 16

  /// Whether the last window's freshest stamp had an age that none of our clock has.
  private(set) var isForeign = false

  private var freshest: Nanoseconds?
  private var began: LocalInstant?
  private var count = 0

  /// Takes in the age of a stamp that was read at `now`.
  mutating func observe(_ age: Nanoseconds, at now: LocalInstant) {
    freshest = min(freshest ?? age, age)
    count += 1
    let start = began ?? now
    began = start
    guard now - start >= Self.window, count >= Self.fewest else { return }
    isForeign = freshest.map { !Self.plausible.contains($0) } ?? false
    (freshest, began, count) = (nil, nil, 0)
  }
}
