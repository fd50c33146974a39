// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// When to read a device whose pointer moves in steps.
//
// A reading at any time t with the pointer at h says two things: frame h was heard by then, and the next
// step was not yet:      T(h) <= t < T(h + step)
//
// So each reading narrows an interval in which the edge lies, and the best moment for the next one is
// the interval's middle: it halves. Five readings, one a period, bring 10 ms down to 0.3. Then the
// edge is *watched*: read in quick succession from shortly before until the pointer has moved, which
// holds it between two readings some microseconds apart. Until that works (steps that vary, an unknown
// step) three readings a period at random moments must do.
//
//   pointer   ────────┐         ┌ watch: |||||
//                     └─────────┴──────────
//
// Watching is a spin of the audio thread, so it is bounded: at most 300 us at a time, ten times in the
// first second and then four times a second (0.3 and 0.12 % of a core at the very most).

/// Readings that the plan asks for: one at `from`, then on while the plan says so, to `until` at most.
public struct ReadingOrder: Sendable, Hashable, BitwiseCopyable {
  /// When to read first.
  public var from: LocalInstant
  /// When to give up; equal to `from` for a single reading.
  public var until: LocalInstant
}

/// Decides when a device is read beside the once per block. Owned by whoever owns the DAC model.
public struct ReadingPlan: Sendable {
  /// Edges that were held between two readings.
  public private(set) var edgesSeen = 0

  private var edge: PointerEdge?
  private var latest: LocalInstant?
  private var watch: Watch?
  private var nextWatch = LocalInstant(nanoseconds: .min)
  private var failures = 0
  /// Seconds that the latest stamp may be off by.
  private var doubt = 0.0
  private var guardTime = Self.firstGuard
  private var extrasLeft = 0
  private var block = LocalInstant(nanoseconds: .min)
  private var random: UInt64 = 0x9E37_79B9_7F4A_7C15

  private struct Watch: Sendable {
    var until: LocalInstant
    /// The pointer after the step that is waited for.
    var target: Int64
    /// The pointer at the reading before, once there was one.
    var before: Int64?
  }

  /// A plan for a device that has not been read.
  public init() {}

  /// Forgets the phase: the device was stopped, or its pointer has jumped.
  public mutating func restart() {
    edge = nil
    watch = nil
    latest = nil
  }

  /// Whether the reading just taken is to be followed by another at once.
  public func goesOn(at now: LocalInstant) -> Bool {
    guard let watch else { return false }
    return now < watch.until
  }

  /// Takes in a reading, after the model has.
  public mutating func observe(
    framesHeard frame: Int64, at now: LocalInstant, uncertainty: Nanoseconds, model: DACModel
  ) {
    guard let step = model.pointerStep else { return restart() }
    let gap = latest.map { (now - $0).inSeconds } ?? 0
    latest = now
    doubt = uncertainty.inSeconds
    let reading = PointerEdge.Reading(frame: frame, at: now, doubt: doubt)
    if edge == nil { edge = PointerEdge(reading, step: step, model: model) }
    if edge?.narrow(by: reading, elapsed: gap, step: step, model: model) == true {
      nextWatch = now
    }
    judgeWatch(reading, gap: gap, isCalm: model.isCalm)
  }

  /// The next readings before the block's own.
  ///
  /// - Parameters:
  ///   - now: The present.
  ///   - wake: When the device is read anyway.
  ///   - model: What is known of the device.
  /// - Returns: nil: none before `wake`.
  public mutating func order(
    after now: LocalInstant, before wake: LocalInstant, model: DACModel
  ) -> ReadingOrder? {
    watch = nil
    guard model.wantsExtraReadings else { return nil }
    if wake != block { (block, extrasLeft) = (wake, Self.extras) }
    guard extrasLeft > 0 else { return nil }
    if let step = model.pointerStep, let edge {
      if edge.width > Self.narrow + 4 * doubt {
        if let order = halving(edge, step, after: now, before: wake, model: model) { return order }
      } else if now >= nextWatch {
        return watching(edge, step, after: now, before: wake, model: model)
      }
    }
    return isByChance ? atRandom(after: now, before: wake) : nil
  }
}

// MARK: - Orders

extension ReadingPlan {
  /// No edge was seen where it was expected: chance must do.
  private var isByChance: Bool { edgesSeen == 0 || failures > 2 }

  private mutating func watching(
    _ edge: PointerEdge, _ step: Int64, after now: LocalInstant, before wake: LocalInstant,
    model: DACModel
  ) -> ReadingOrder? {
    let next = edge.next(
      after: now + guardTime, shifted: edge.low, step: step, model: model)
    let from = next.moment + Nanoseconds(seconds: edge.low) - guardTime
    let until = min(
      next.moment + Nanoseconds(seconds: edge.high) + Self.afterEdge, from + Self.longestWatch)
    guard until < wake else { return nil }
    extrasLeft -= 1
    watch = Watch(until: until, target: next.frame)
    return ReadingOrder(from: from, until: until)
  }

  private mutating func halving(
    _ edge: PointerEdge, _ step: Int64, after now: LocalInstant, before wake: LocalInstant,
    model: DACModel
  ) -> ReadingOrder? {
    let middle = (edge.low + edge.high) / 2
    let next = edge.next(
      after: now + Self.usualOvershoot, shifted: middle, step: step, model: model)
    let at = next.moment + Nanoseconds(seconds: middle) - Self.usualOvershoot
    guard at < wake else { return nil }
    extrasLeft -= 1
    return ReadingOrder(from: at, until: at)
  }

  private mutating func atRandom(
    after now: LocalInstant, before wake: LocalInstant
  ) -> ReadingOrder? {
    // Evenly over what is left of the block: the earliest of so many.
    let part = (wake - now).count / Int64(extrasLeft)
    guard part > 0 else { return nil }
    // xorshift64: any sequence will do that is not periodic in a step.
    random ^= random << 13
    random ^= random >> 7
    random ^= random << 17
    extrasLeft -= 1
    let at = now + Nanoseconds(Int64(random % UInt64(part)))
    return ReadingOrder(from: at, until: at)
  }

  private mutating func judgeWatch(
    _ reading: PointerEdge.Reading, gap: Double, isCalm: Bool
  ) {
    guard let watch else { return }
    if let before = watch.before, reading.frame > before, gap < DACModel.widestBracket {
      edgesSeen += 1
      failures = 0
      guardTime = max(Self.leastGuard, guardTime * 19 / 20)
      nextWatch = reading.at + (isCalm ? Self.watchInterval : Self.firstInterval)
      self.watch = nil
    } else if reading.frame >= watch.target {
      // Woken too late, or interrupted over the edge: it cost one reading, so try the next.
      guardTime = min(Self.largestGuard, guardTime * 3 / 2)
      self.watch = nil
    } else if reading.at >= watch.until {
      failures += 1
      nextWatch = reading.at + Self.failureInterval
      self.watch = nil
    } else {
      self.watch?.before = reading.frame
    }
  }
}

// MARK: - Tuning

extension ReadingPlan {
  /// Additional readings or watches a block.
  private static var extras: Int { 3 }
  /// An edge known this well, in seconds, is watched; one known worse is narrowed down first.
  private static var narrow: Double { 150e-6 }
  /// How long before the edge to wake. Timers overshoot by 30 to 80 us at p50 here (measured).
  private static var firstGuard: Nanoseconds { .microseconds(120) }
  private static var leastGuard: Nanoseconds { .microseconds(60) }
  private static var largestGuard: Nanoseconds { .microseconds(200) }
  private static var usualOvershoot: Nanoseconds { .microseconds(50) }
  /// For an edge that is a little later than it can be.
  private static var afterEdge: Nanoseconds { .microseconds(20) }
  /// The longest spin.
  private static var longestWatch: Nanoseconds { .microseconds(300) }
  /// One in each of the model's short windows, one in each of the long ones.
  private static var firstInterval: Nanoseconds { .milliseconds(95) }
  private static var watchInterval: Nanoseconds { .milliseconds(240) }
  private static var failureInterval: Nanoseconds { .milliseconds(50) }
}
