// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// How well a room is in time, in the units and words of people.
struct ErrorText {
  let ink: Ink

  /// Within this, rooms are in time by our own measure (the promise on Wi-Fi), in microseconds.
  static let goodLimit = 100.0
  /// From here on a room jumps back into time, in microseconds (docs/clocks.md).
  static let badLimit = 2_000.0
  /// A five-minute window that sounded for so many seconds is called that.
  private static let wholeWindow = 299.0

  /// `12 µs`, `1.2 ms`, `2.5 s`.
  func time(_ microseconds: Double) -> String {
    let size = abs(microseconds)
    if size < 9.95 { return "\(number(microseconds, 1)) \(ink.micro)" }
    if size < 999.5 { return "\(number(microseconds, 0)) \(ink.micro)" }
    if size < 99_950 { return "\(number(microseconds / 1e3, 1)) ms" }
    if size < 999_500 { return "\(number(microseconds / 1e3, 0)) ms" }
    return "\(number(microseconds / 1e6, 1)) s"
  }

  func time(_ microseconds: Double?) -> String { microseconds.map(time) ?? "-" }

  /// `±12 µs`: 99 of 100 blocks of the last ten seconds; nil in silence.
  func compact(_ health: RoomHealthDocument) -> String? {
    Self.current(health).map { ink.plusMinus + time($0) }
  }

  /// The figure to show, in microseconds. An older speaker's last second is its last ten.
  static func current(_ health: RoomHealthDocument) -> Double? {
    if let window = health.syncErrorTenSeconds { return window.p99Microseconds }
    return health.syncErrorFiveMinutes == nil ? health.syncErrorP99Microseconds : nil
  }

  /// Good, fair or bad.
  static func paint(_ microseconds: Double?) -> Ink.Paint {
    guard let microseconds else { return .plain }
    return microseconds < goodLimit ? .good : microseconds < badLimit ? .fair : .bad
  }

  /// `in time within 12 µs (99 % of the last 5 min: 31 µs)`.
  func sentence(_ health: RoomHealthDocument) -> String? {
    guard let now = Self.current(health) else { return nil }
    let word = now < Self.badLimit ? "in time within" : "out of time by up to"
    guard let window = health.syncErrorFiveMinutes else { return "\(word) \(time(now))" }
    let span =
      window.soundingSeconds >= Self.wholeWindow
      ? "the last 5 min" : "\(number(window.soundingSeconds, 0)) s"
    return "\(word) \(time(now)) (99 % of \(span): \(time(window.p99Microseconds)))"
  }

  /// `p50 4 µs, p99 12 µs, max 31 µs, mean 2 µs late`.
  func window(_ window: SyncErrorDocument?) -> String {
    guard let window else { return "nothing sounded" }
    return "p50 \(time(window.p50Microseconds)), p99 \(time(window.p99Microseconds)), "
      + "max \(time(window.maxMicroseconds)), mean \(signed(window.meanMicroseconds))"
  }

  /// `p50 4 µs, worst p99 40 µs, max 90 µs, mean 2 µs late`.
  func hour(_ hour: SyncHourDocument?) -> String {
    guard let hour else { return "nothing sounded" }
    return "p50 \(time(hour.typicalMicroseconds)), "
      + "worst p99 \(time(hour.worstP99Microseconds)), max \(time(hour.maxMicroseconds)), "
      + "mean \(signed(hour.meanMicroseconds))"
  }

  /// A mean: its size, and which way.
  private func signed(_ microseconds: Double) -> String {
    time(abs(microseconds)) + (microseconds < 0 ? " early" : " late")
  }
}
