// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Two kinds of source look alike at first. One has a clock (a sound card, a phone that sends): it hands
// over a second of sound a second, in lumps of half a second at most. The other has none: a decoder that
// writes as fast as the pipe takes it, and waits. Read to the end, it would race through its music.
//
//   surplus = what came - what a second of sound a second would have been, never below zero
//
// A clock never gets 0.9 s ahead of itself: a lump, what waited in the pipe when it was opened, and some.

/// Tells a source that waits for its reader from one that has a clock.
struct SurplusMeter: Sendable {
  /// Seconds.
  static let limit = 0.9
  /// Crystals and servos, as a ratio: more than +-500 ppm.
  static let tolerance = 2e-3

  private let rate: Double
  private var seconds = 0.0
  private var last: LocalInstant?

  init(rate: Int) { self.rate = Double(max(1, rate)) }

  /// Whether more came than any clock makes.
  var isExceeded: Bool { seconds > Self.limit }

  /// Takes in that `frames` came.
  mutating func note(frames: Int, at now: LocalInstant) {
    let elapsed = last.map { max(0, (now - $0).inSeconds) } ?? 0
    last = now
    seconds = max(0, seconds - elapsed * (1 + Self.tolerance)) + Double(frames) / rate
  }
}

/// How much is taken from a source that nobody listens to, and thrown away: a second of sound a second,
/// so that one with a clock is not held up, and one without does not race on.
public struct IdleDrain: Sendable {
  private var meter: Double
  private let rate: Double
  private var last: LocalInstant?

  /// A drain for a source that claims `rate` frames per second.
  public init(rate: Int) {
    self.rate = Double(max(1, rate))
    meter = SurplusMeter.limit
  }

  /// Frames that may be taken now.
  public mutating func appetite(at now: LocalInstant) -> Int {
    let elapsed = last.map { max(0, (now - $0).inSeconds) } ?? 0
    last = now
    meter = min(SurplusMeter.limit, meter + elapsed * (1 + SurplusMeter.tolerance))
    return Int(meter * rate)
  }

  /// `frames` were thrown away.
  public mutating func took(frames: Int) { meter = max(0, meter - Double(frames) / rate) }
}
