// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import Glibc
internal import LinuxNetworking
internal import Synchronization

// The media clock is CLOCK_MONOTONIC_RAW plus a constant that made it read about UTC, in NTP form,
// when it was first set. The constant is kept with the id of the boot, so that a coordinator that is
// restarted within a boot goes on with the *same* clock and no room notices.
//
// RAW does not count while the host sleeps. Rooms would see the clock jump back against their own, so
// after a sleep (BOOTTIME - MONOTONIC has grown) and after a reboot the clock is set anew, under a new
// random identity.

/// The media clock as it is kept across restarts.
public struct SavedMediaClock: Sendable, Hashable {
  /// The boot in which it is valid, from /proc/sys/kernel/random/boot_id.
  public var bootID: String
  /// Media nanoseconds since 1900 minus CLOCK_MONOTONIC_RAW.
  public var constant: Int64
  /// The identity of this run of the clock.
  public var clockID: ClockID
  /// How long the host had slept in this boot when the clock was set, in nanoseconds.
  public var suspended: Int64

  /// A saved clock.
  public init(bootID: String, constant: Int64, clockID: ClockID, suspended: Int64) {
    self.bootID = bootID
    self.constant = constant
    self.clockID = clockID
    self.suspended = suspended
  }
}

/// What a media clock is set from; a test has its own.
public struct HostClocks: Sendable {
  /// CLOCK_MONOTONIC_RAW.
  public var local: @Sendable () -> LocalInstant
  /// CLOCK_REALTIME, nanoseconds since 1970.
  public var realtime: @Sendable () -> Int64
  /// CLOCK_BOOTTIME - CLOCK_MONOTONIC: how long the host has slept, in nanoseconds. A range, since
  /// the two are read one after the other and a busy host may take the processor away in between.
  public var suspended: @Sendable () -> ClosedRange<Int64>
  /// The id of this boot.
  public var bootID: @Sendable () -> String

  /// Clocks read by these functions.
  public init(
    local: @escaping @Sendable () -> LocalInstant, realtime: @escaping @Sendable () -> Int64,
    suspended: @escaping @Sendable () -> ClosedRange<Int64>,
    bootID: @escaping @Sendable () -> String
  ) {
    self.local = local
    self.realtime = realtime
    self.suspended = suspended
    self.bootID = bootID
  }
}

/// The coordinator's media clock: reads about UTC since 1900 and never steps.
///
/// Safe on any thread; a reading costs about 50 ns.
public final class MediaClock: Sendable {
  /// 1900 to 1970 in seconds (RFC 868).
  private static let secondsTo1970: Int64 = 2_208_988_800

  private let host: HostClocks
  private let storage: any StreamStorage
  private let state: Mutex<SavedMediaClock>

  /// Goes on with the saved clock when it is of this boot and the host has not slept since; else
  /// sets a new one.
  public init(storage: any StreamStorage, host: HostClocks = .system) {
    self.host = host
    self.storage = storage
    let (bootID, suspended) = (host.bootID(), host.suspended())
    if let saved = storage.savedClock(), saved.bootID == bootID,
      !Self.hasSlept(suspended, since: saved), saved.clockID.rawValue != 0
    {
      state = Mutex(saved)
    } else {
      let fresh = Self.fresh(host, bootID: bootID, suspended: suspended.upperBound)
      state = Mutex(fresh)
      storage.save(fresh)
    }
  }

  /// Which run of the clock this is.
  public var clockID: ClockID { state.withLock { $0.clockID } }

  /// The media clock now.
  public func now() -> MediaInstant { media(at: host.local()) }

  /// What the media clock read, or will read, at a moment of this host's clock.
  public func media(at local: LocalInstant) -> MediaInstant {
    let constant = state.withLock { $0.constant }
    return MediaInstant(nanosecondsSince1900: local.nanoseconds &+ constant)
  }

  /// When this host's clock reads what the media clock reads at `media`.
  public func local(at media: MediaInstant) -> LocalInstant {
    let constant = state.withLock { $0.constant }
    return LocalInstant(nanoseconds: media.nanosecondsSince1900 &- constant)
  }

  /// What the clock service answers with, of one run of the clock: when something was received, and
  /// the moment now. Nil right after a sleep of the host, until the clock is set anew: no answer is
  /// better than one that is off by the sleep.
  func stamps(received: LocalInstant) -> (
    received: MediaInstant, now: MediaInstant, clockID: ClockID
  )? {
    let clock = state.withLock { $0 }
    guard !Self.hasSlept(host.suspended(), since: clock) else { return nil }
    let now = host.local()
    return (
      MediaInstant(nanosecondsSince1900: received.nanoseconds &+ clock.constant),
      MediaInstant(nanosecondsSince1900: now.nanoseconds &+ clock.constant), clock.clockID
    )
  }

  /// Sets the clock anew if the host has slept since it was set; about 200 ns otherwise.
  ///
  /// - Returns: Nil when the clock goes on.
  public func renewIfHostSlept() -> ClockRenewal? {
    let suspended = host.suspended()
    var renewal: ClockRenewal?
    let renewed = state.withLock { clock -> SavedMediaClock? in
      guard Self.hasSlept(suspended, since: clock) else { return nil }
      let slept = suspended.upperBound &- clock.suspended
      let old = host.local().nanoseconds &+ clock.constant &+ slept
      clock = Self.fresh(host, bootID: clock.bootID, suspended: suspended.upperBound)
      renewal = ClockRenewal(
        clockID: clock.clockID, before: MediaInstant(nanosecondsSince1900: old))
      return clock
    }
    if let renewed { storage.save(renewed) }
    return renewal
  }

  private static func hasSlept(
    _ suspended: ClosedRange<Int64>, since clock: SavedMediaClock
  ) -> Bool {
    suspended.lowerBound - clock.suspended >= SleepWatch.shortestSleep.count
  }

  private static func fresh(
    _ host: HostClocks, bootID: String, suspended: Int64
  ) -> SavedMediaClock {
    let utc = host.realtime() + secondsTo1970 * 1_000_000_000
    return SavedMediaClock(
      bootID: bootID, constant: utc - host.local().nanoseconds,
      clockID: ClockID(rawValue: .random(in: 1...UInt64.max)), suspended: suspended)
  }
}

/// The media clock begins anew.
public struct ClockRenewal: Sendable, Hashable {
  /// The new identity.
  public var clockID: ClockID
  /// What the clock before would show now, had it not stood still: by it rooms play on. As exact as
  /// the host knows how long it slept.
  public var before: MediaInstant
}

extension HostClocks {
  /// The clocks of this host.
  public static let system = HostClocks(
    local: { LocalClock.now() }, realtime: { read(CLOCK_REALTIME) },
    suspended: { SleepWatch.total() }, bootID: { readBootID() })

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Empty when /proc is not there: then every start is a new boot.
  private static func readBootID() -> String {
    let file = open("/proc/sys/kernel/random/boot_id", O_RDONLY)
    guard file >= 0 else { return "" }
    defer { close(file) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(0, Glibc.read(file, buffer.baseAddress, 64))
    }
    return String(decoding: bytes.prefix { $0 > 0x20 }, as: UTF8.self)
  }
}
