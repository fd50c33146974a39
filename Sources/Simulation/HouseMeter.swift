// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Playout

// Judges a house while it plays, by the truth. A room is *disturbed* when it is switched on, when music
// starts, and when something befalls its card or its clock; then it has 5 s to settle. What no room can
// know - half the difference of the two ways - is taken off its error first, and told by the bound.

/// What a room was like at one moment.
public struct RoomSample: Sendable {
  /// In seconds.
  public var at: Double
  /// Which room.
  public var room: Int
  /// Heard less due in microseconds; nil: nothing sounded.
  public var error: Double?
  /// How far the room's media clock was off, in microseconds; positive: ahead.
  public var clockError: Double?
  /// What the room thought of that: one standard deviation, in microseconds.
  public var sigma: Double?
  /// The most it thought possible, in microseconds.
  public var bound: Double?
  /// Music at hand, in seconds.
  public var buffered: Double
}

/// Why a room has to settle.
enum Disturbance {
  /// Music starts in a room that is ready: its first frame is to be on time.
  case start
  /// The room was switched on, or was not ready when music started.
  case join
  /// Something befell its card or its host while it played.
  case shock
}

/// Takes the figures of a house.
struct HouseMeter {
  /// How far a room's own story has come.
  private struct Story {
    /// What no exchange of stamps shows, in microseconds; positive: late.
    var invisible: Double
    /// When the room was disturbed; nil: it is not there.
    var since: Double?
    var cause = Disturbance.join
    var isFirstHeard = false
    /// In time without a break from here on.
    var inTimeFrom: Double?
    var isInTime = false
  }

  private(set) var report: HouseReport
  private var stories: [Story]

  init(_ scenario: HouseScenario) {
    report = HouseReport(scenario)
    stories = scenario.rooms.map {
      Story(invisible: $0.configuration.invisibleError * 1e6)
    }
  }

  /// Something befell `room`: it has to settle again.
  ///
  /// - Parameters:
  ///   - room: Which.
  ///   - cause: Why.
  ///   - moment: When it could begin to.
  mutating func disturb(_ room: Int, by cause: Disturbance, at moment: Double) {
    let before = stories[room]
    // Whoever was hit a moment ago cannot be asked for an exact start.
    let isShaken = before.cause == .shock && moment - (before.since ?? 0) < Self.shakenTime
    stories[room].since = max(moment, before.since ?? moment)
    stories[room].cause = cause == .start && isShaken ? .join : cause
    stories[room].isFirstHeard = false
    stories[room].inTimeFrom = nil
    stories[room].isInTime = false
  }

  /// The room is not there any more.
  mutating func forget(_ room: Int) { stories[room].since = nil }

  /// A block of `room` was heard.
  mutating func heard(_ block: HeardBlock, in room: Int) {
    guard let since = stories[room].since, block.seconds >= since else { return }
    let error = block.error * 1e6 - stories[room].invisible
    if !stories[room].isFirstHeard {
      stories[room].isFirstHeard = true
      if stories[room].cause == .start { report.starts.add(error) }
      if stories[room].cause == .join { report.joins.add(error) }
    }
    guard !stories[room].isInTime else { return }
    guard abs(error) <= Self.inTime else {
      stories[room].inTimeFrom = nil
      return
    }
    let from = stories[room].inTimeFrom ?? block.seconds
    stories[room].inTimeFrom = from
    guard block.seconds - from >= Self.proof else { return }
    stories[room].isInTime = true
    if stories[room].cause == .shock {
      report.recovery.add((from - since) * 1e3)
    } else {
      report.settling.add((from - since) * 1e3)
    }
  }

  /// Takes in what all rooms were like at one moment.
  mutating func take(_ samples: [RoomSample]) {
    var settled: [Double] = []
    for sample in samples {
      let age = stories[sample.room].since.map { sample.at - $0 } ?? -1
      if age > Self.clockAge { judgeClock(sample) }
      guard age > Self.settlingTime, let error = sample.error else { continue }
      let net = error - stories[sample.room].invisible
      report.errors.add(net)
      settled.append(net)
    }
    for first in settled.indices {
      for second in settled.indices.dropFirst(first + 1) {
        report.skew.add(settled[first] - settled[second])
      }
    }
  }

  private mutating func judgeClock(_ sample: RoomSample) {
    guard let error = sample.clockError, let sigma = sample.sigma, let bound = sample.bound else {
      return
    }
    report.clockSamples += 1
    if abs(error + stories[sample.room].invisible) > 4 * sigma { report.beyondSigma += 1 }
    if abs(error) > bound { report.beyondBound += 1 }
  }

  /// Adds what rooms have counted.
  mutating func count(_ room: VirtualRoom) {
    report.resyncs += Int(room.resyncs)
    report.missingFrames += Int(room.missingFrames)
    report.concealed += Int(room.receiver.counters.concealed)
    report.cardUnderruns += Int(room.cardUnderruns)
  }

  /// A room held so many packets.
  mutating func note(packets: Int) { report.mostPackets = max(report.mostPackets, packets) }

  /// So many events were waiting.
  mutating func note(events: Int) { report.mostEvents = max(report.mostEvents, events) }

  /// Microseconds: what a listener could at best hear between two rooms is ten times that.
  private static let inTime = 100.0
  /// Seconds after a shock in which a start counts as a join.
  private static let shakenTime = 3.0
  /// Seconds in which a room stays in time before that is believed.
  private static let proof = 1.0
  /// Seconds.
  private static let settlingTime = 5.0
  /// Seconds after which a clock is judged: a host that slept needs some exchanges to notice.
  private static let clockAge = 1.0
}
