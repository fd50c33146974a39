// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// How long to wait for whom. Both parts are plain schedules: they are told what happened and answer
// what to do next, and when.

/// Decides when a control link is asked whether it still lives, and when it is given up.
public struct LinkKeepalive: Sendable, Hashable {
  /// A link on which nothing has come for so long is asked.
  public static let interval = Nanoseconds.seconds(1)
  /// A link on which nothing has come for so long is dead.
  public static let patience = Nanoseconds.seconds(3)

  /// What to do about a link.
  public enum Verdict: Sendable, Hashable {
    /// Nothing before this moment.
    case wait(until: LocalInstant)
    /// Send a ping, and ask again.
    case ping
    /// Give it up.
    case dead
  }

  private var lastHeard: LocalInstant
  private var lastPing: LocalInstant
  private var lastLook: LocalInstant

  /// A link that came up at `now`.
  public init(at now: LocalInstant) {
    lastHeard = now
    lastPing = now
    lastLook = now
  }

  /// Something came.
  public mutating func heard(at now: LocalInstant) { lastHeard = now }

  /// Whether nothing has come for longer than a link that is well is silent.
  ///
  /// - Parameter now: This host's clock.
  /// - Returns: Whether it is silent; it may still live.
  public func isSilent(at now: LocalInstant) -> Bool {
    now - lastHeard > Self.interval * 3 / 2
  }

  /// What to do at `now`.
  ///
  /// - Parameter now: This host's clock.
  /// - Returns: A `ping` counts as sent.
  public mutating func verdict(at now: LocalInstant) -> Verdict {
    // Who stood still (SIGSTOP, a machine without breath) has heard nobody, and nobody is to blame:
    // what came meanwhile is still to be read.
    if now - lastLook >= Self.patience { lastHeard = max(lastHeard, now - Self.interval) }
    lastLook = now
    let death = lastHeard + Self.patience
    if now >= death { return .dead }
    let ping = lastPing + Self.interval
    if now < ping { return .wait(until: min(ping, death)) }
    lastPing = now
    return .ping
  }
}

/// Decides when a speaker that does not answer is called again.
///
/// A speaker that was there a moment ago is most likely restarting or out of Wi-Fi for a second: it is
/// called often for half a minute. After that, a call every few seconds costs nobody anything and still
/// finds it soon when it comes back.
public struct RedialBackoff: Sendable, Hashable {
  /// After the first failure.
  static let first = Nanoseconds.milliseconds(100)
  /// While the speaker was there lately.
  static let eager = Nanoseconds.milliseconds(400)
  /// How long "lately" is.
  static let lately = Nanoseconds.seconds(30)
  /// The longest pause.
  static let longest = Nanoseconds.seconds(5)

  private var pause = Self.first
  private var lastUp: LocalInstant?

  /// A speaker that has not been called yet.
  public init() {}

  /// The link is up.
  public mutating func succeeded() { pause = Self.first }

  /// The link was up until now.
  public mutating func lost(at now: LocalInstant) {
    lastUp = now
    pause = Self.first
  }

  /// A call has failed, or a link is gone.
  ///
  /// - Parameter now: This host's clock.
  /// - Returns: When to call again.
  public mutating func nextCall(after now: LocalInstant) -> LocalInstant {
    defer { pause = min(pause * 2, Self.longest) }
    guard let lastUp, now - lastUp < Self.lately else { return now + pause }
    return now + min(pause, Self.eager)
  }
}
