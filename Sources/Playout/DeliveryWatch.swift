// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// How much of D the way to this room uses up. Packets leave at their stamp, so how long after it one
// comes is what it cost: its turn among the rooms, the network, and waiting for a repair.
//
//   late   | .                      a burst: what was stamped before this room came, as fast as the
//          |   .                    line allows. It says nothing of the way.
//          |     .  . . .' . . .    steady: from here on each packet tells
//          +------------------------> arrival

/// The latest packets between two reports.
public struct DeliveryPeaks: Sendable, Hashable {
  /// How long after its stamp the latest packet came; nil when none came, or the clock is unknown.
  public var lateness: Nanoseconds?
  /// How long after its stamp the latest packet came that was sent again; nil when none was.
  public var repairTime: Nanoseconds?

  /// Nothing came.
  public init() {}

  /// The larger of both.
  public mutating func merge(_ other: Self) {
    lateness = Self.later(lateness, other.lateness)
    repairTime = Self.later(repairTime, other.repairTime)
  }

  private static func later(_ a: Nanoseconds?, _ b: Nanoseconds?) -> Nanoseconds? {
    guard let a, let b else { return a ?? b }
    return max(a, b)
  }
}

/// Finds the peaks of one generation after the other.
struct DeliveryWatch: Sendable {
  /// A line that is quiet for so long is down, which no live delay covers (2 s at most).
  static var outage: Nanoseconds { .seconds(2) }
  /// In a burst each packet is later than the next by more than this: half a packet.
  static var catchingUp: Nanoseconds { .milliseconds(10) }
  /// Later packets, or earlier by this much, carry no stamp of ours.
  static var plausible: Nanoseconds { .seconds(10) }

  private var peaks = DeliveryPeaks()
  private var last: (lateness: Nanoseconds, arrival: LocalInstant)?
  /// The first packet that was no part of a burst.
  private var steadyFrom: MediaFrame?

  /// Another generation begins.
  mutating func restart() { (last, steadyFrom) = (nil, nil) }

  /// Takes in a packet of the newest generation.
  ///
  /// - Parameters:
  ///   - stamp: Its first frame.
  ///   - clock: The frame of the media clock when it came.
  ///   - arrival: The same on this host's clock.
  ///   - isRepair: Whether it was sent again.
  mutating func receive(
    _ stamp: MediaFrame, clock: MediaFrame, at arrival: LocalInstant, isRepair: Bool
  ) {
    let lateness = clock.instant - stamp.instant
    guard lateness.magnitude < Self.plausible else { return }
    if !isRepair { follow(lateness, stamp: stamp, at: arrival) }
    guard let steadyFrom, stamp >= steadyFrom else { return }
    var now = DeliveryPeaks()
    if isRepair {
      now.repairTime = max(lateness, .zero)
    } else {
      now.lateness = max(lateness, .zero)
    }
    peaks.merge(now)
  }

  private mutating func follow(_ lateness: Nanoseconds, stamp: MediaFrame, at arrival: LocalInstant)
  {
    if let last, arrival - last.arrival >= Self.outage { restart() }
    if steadyFrom == nil, let last, lateness > last.lateness - Self.catchingUp {
      steadyFrom = stamp
    }
    last = (lateness, arrival)
  }

  /// The peaks since this was called last.
  mutating func take() -> DeliveryPeaks {
    defer { peaks = DeliveryPeaks() }
    return peaks
  }
}
