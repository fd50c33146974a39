// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// The kernel stamps packets on CLOCK_REALTIME; sound is timed on CLOCK_MONOTONIC_RAW. The two are
// read together (RAW, REALTIME, RAW) right after a batch is received, and the distance moves the
// stamps over. NTP or a person may set REALTIME between the stamp and the reading: then the
// distance has jumped since the last batch, and the stamps of this batch are worth nothing.

/// Moves the kernel's packet stamps from CLOCK_REALTIME to CLOCK_MONOTONIC_RAW.
///
/// One per socket; about 110 ns per batch. Source of the limits: timing.md, "Kernel stamps".
public struct KernelStampConverter: Sendable {
  /// What a slewed REALTIME may move by in no time at all: reading noise.
  static let jumpFloor = Nanoseconds.microseconds(200)
  /// What a slewed REALTIME may move by per second: adjtime's 500 ppm, doubled.
  static let slewLimit = 1_000e-6
  /// A stamp older than this is not believed: no reader of ours is that late.
  static let oldest = Nanoseconds.seconds(2)

  private var distance: Int64 = 0
  private var measured: LocalInstant?
  private var trusted = false
  private var now = LocalInstant(nanoseconds: 0)

  /// A converter that has seen no clock yet.
  public init() {}

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

  /// The moment a packet reached this host.
  ///
  /// - Parameter realtime: The kernel's stamp, 0 when it gave none.
  /// - Returns: The stamp on RAW, or the time of the last reading when the stamp cannot be trusted.
  public func arrival(stamped realtime: Int64) -> LocalInstant {
    guard trusted, realtime != 0 else { return now }
    let stamp = LocalInstant(nanoseconds: realtime &- distance)
    let isPlausible = stamp <= now && now - stamp < Self.oldest
    return isPlausible ? stamp : now
  }
}
