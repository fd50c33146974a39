// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

// Stored music has its playout delay to itself: nobody minds six seconds. A live input is wanted soon,
// so its delay is as short as the links of the house allow, and they change:
//
//   needed(room) = device + decoding + the latest packet or repair of the last minute
//   wanted       = max over rooms, within the mode's limits
//
//   a room had a gap, and more is wanted    step: the gap is heard anyway, so it is the time to grow
//   more is wanted                          ramp up at 2000 ppm (3.5 cents): 50 ms in 25 s
//   much less is wanted for a minute        ramp down at 200 ppm (0.3 cents)
//
// All rooms of a group keep one delay, or they would not be together.

/// What one room tells of its packets, for the time since it told the last time.
public struct DeliveryReport: Sendable, Hashable {
  /// What the room's device holds.
  public var outputLatency: Nanoseconds
  /// How much later than the quickest its latest packet came.
  public var lateness: Nanoseconds
  /// How long after it was due its latest repaired packet came; zero when none had to be repaired.
  public var repairTime: Nanoseconds
  /// Packets that came too late, or not at all.
  public var missed: Int

  /// A room's report.
  public init(
    outputLatency: Nanoseconds, lateness: Nanoseconds = .zero, repairTime: Nanoseconds = .zero,
    missed: Int = 0
  ) {
    self.outputLatency = outputLatency
    self.lateness = lateness
    self.repairTime = repairTime
    self.missed = missed
  }
}

/// Finds the playout delay of a live group, and the ramps by which it changes.
public struct AdaptiveDelay: Sendable {
  /// Within which limits the delay moves.
  public enum Mode: Sendable, Hashable {
    /// Live sound: 200 ms to 2 s.
    case live
    /// Sound that belongs to a picture: 40 to 60 ms. Wired rooms only; no time to repair anything.
    case lowDelay
    /// The listener's own figure, or one that guests were given: it does not move.
    case pinned(Nanoseconds)

    /// The shortest and the longest delay.
    public var limits: ClosedRange<Nanoseconds> {
      switch self {
      case .live: .milliseconds(200) ... .seconds(2)
      case .lowDelay: .milliseconds(40) ... .milliseconds(60)
      case .pinned(let delay): delay...delay
      }
    }

    /// What a room needs beside its device and its link.
    ///
    /// Live: decoding begins 40 ms before a frame goes to the device, and a packet is 20 ms long.
    /// Low delay: decoded when they come, 15 ms before they go to the device; packets of 5 ms.
    var overhead: Nanoseconds {
      switch self {
      case .live, .pinned: .milliseconds(60)
      case .lowDelay: .milliseconds(20)
      }
    }

    /// The longest delay at which rooms keep little in their devices and packets are short: above, there
    /// is time for neither to matter.
    static let short = Nanoseconds.milliseconds(150)

    /// Whether there is no time for a full device and long packets.
    public var isShort: Bool { limits.upperBound < Self.short }

    /// Frames in a packet: 5 ms where time is short, else 20 ms.
    public var packetFrames: Int64 { isShort ? 240 : 960 }

    /// What rooms are to keep in their devices; nil: as much as they like.
    public var deviceFill: Nanoseconds? { isShort ? .milliseconds(25) : nil }

    /// Before anything is known of the rooms.
    public var start: Nanoseconds {
      switch self {
      case .live: .milliseconds(400)
      case .lowDelay: .milliseconds(60)
      case .pinned(let delay): delay
      }
    }
  }

  /// The delay as last published.
  public private(set) var ramp: DelayRamp
  /// The limits in force.
  public let mode: Mode
  private var needs: [String: PeakNeed] = [:]
  private var secondsOfPlenty = 0

  /// A group that starts to play.
  public init(mode: Mode) {
    self.mode = mode
    ramp = DelayRamp(constant: mode.start)
  }

  /// A generation begins: the delay that it begins with, and keeps until the next decision.
  ///
  /// It begins in silence, where a longer delay costs nothing.
  public mutating func begin() -> DelayRamp {
    ramp = DelayRamp(constant: needs.isEmpty ? ramp.d1 : max(ramp.d1, wanted))
    secondsOfPlenty = 0
    return ramp
  }

  /// The delay that the rooms need at present, within the limits.
  public var wanted: Nanoseconds {
    let needed = needs.values.map(\.value).max() ?? mode.start
    return min(max(needed, mode.limits.lowerBound), mode.limits.upperBound)
  }

  /// Rooms that need more than the mode allows: they will have gaps, and people should be told.
  public var roomsBeyondLimit: [String] {
    needs.filter { $0.value.value > mode.limits.upperBound }.map(\.key).sorted()
  }

  /// Forgets a room that left the group.
  public mutating func leave(_ room: String) { needs[room] = nil }

  /// Forgets all rooms but these.
  public mutating func keep(_ rooms: Set<String>) {
    needs = needs.filter { rooms.contains($0.key) }
  }

  /// Decides, once a second.
  ///
  /// - Parameters:
  ///   - reports: What the rooms of the group told since the last decision, by room.
  ///   - frame: The first stamp that a change published now can still reach everywhere.
  /// - Returns: The new ramp to publish; nil when the present one goes on.
  public mutating func decide(_ reports: [String: DeliveryReport], from frame: MediaFrame)
    -> DelayRamp?
  {
    for (room, report) in reports { needs[room, default: PeakNeed()].note(need(report)) }
    let present = ramp.delay(at: frame)
    let shortage = wanted - present
    let hasGap = reports.values.contains { $0.missed > 0 }
    secondsOfPlenty = shortage < .zero - Self.plenty ? secondsOfPlenty + 1 : 0
    if hasGap, shortage > .zero { return publish(step(to: wanted, at: frame)) }
    if shortage > Self.tolerance { return growth(from: present, at: frame) }
    guard secondsOfPlenty >= Self.patience, !leads(to: wanted) else { return nil }
    secondsOfPlenty = 0
    return publish(slide(from: present, at: frame, slope: Self.shrinkSlope))
  }

  private mutating func growth(from present: Nanoseconds, at frame: MediaFrame) -> DelayRamp? {
    guard !leads(to: wanted) else { return nil }
    return publish(slide(from: present, at: frame, slope: Self.growthSlope))
  }

  /// A ramp to what is wanted. One that is under way that way already goes on, only further: rooms that
  /// have not heard of it yet are at the same place as those that have.
  private func slide(
    from present: Nanoseconds, at frame: MediaFrame, slope: PartsPerMillion
  ) -> DelayRamp {
    let goesOn =
      ramp.slope == slope && present != ramp.d1 && frame >= ramp.t0
      && (ramp.d1 > ramp.d0) == (wanted > present)
    guard goesOn else { return DelayRamp(t0: frame, d0: present, d1: wanted, slope: slope) }
    return DelayRamp(t0: ramp.t0, d0: ramp.d0, d1: wanted, slope: slope)
  }

  /// Whether the present ramp ends there anyway.
  private func leads(to delay: Nanoseconds) -> Bool {
    (ramp.d1 - delay).magnitude <= Self.tolerance
  }

  private func step(to delay: Nanoseconds, at frame: MediaFrame) -> DelayRamp {
    DelayRamp(t0: frame, d0: delay, d1: delay, slope: PartsPerMillion(0))
  }

  private mutating func publish(_ next: DelayRamp) -> DelayRamp? {
    guard next.d1 != ramp.d1 || next.d0 != ramp.d0 else { return nil }
    ramp = next
    return next
  }

  private func need(_ report: DeliveryReport) -> Nanoseconds {
    report.outputLatency + mode.overhead + max(report.lateness, report.repairTime)
  }
}

// MARK: - Tuning

extension AdaptiveDelay {
  /// Less is not worth a change: half a packet.
  static let tolerance = Nanoseconds.milliseconds(10)
  /// So much too long, for so many seconds, and the delay shrinks.
  static let plenty = Nanoseconds.milliseconds(50)
  /// In decisions, which are a second apart.
  static let patience = 60
  /// 3.5 cents: below the 5 that trained ears notice.
  static let growthSlope = PartsPerMillion(2_000)
  /// 0.3 cents.
  static let shrinkSlope = PartsPerMillion(200)
}

/// The largest need of the last minute: sleeps and bursts of loss come again.
private struct PeakNeed: Sendable {
  private var seconds: [Nanoseconds] = []

  var value: Nanoseconds { seconds.max() ?? .zero }

  mutating func note(_ need: Nanoseconds) {
    seconds.append(need)
    if seconds.count > 60 { seconds.removeFirst() }
  }
}
