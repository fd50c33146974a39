// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import WireProtocol

/// What came over the network, in packets, since the program's start. Fields as in `StateReport`.
public struct ReceptionCounters: Sendable, Hashable {
  /// Arrived in time.
  public var received: UInt64 = 0
  /// Arrived when their place had been played or concealed.
  public var late: UInt64 = 0
  /// Never arrived in time: gaps in the sequence that playing went over.
  public var lost: UInt64 = 0
  /// Arrived in time because they were asked for again; not in `received`.
  public var repaired: UInt64 = 0
  /// Asked for, every try counted.
  public var requested: UInt64 = 0
  /// Sent again for nothing: the packet was here already, or its place was past.
  public var superfluous: UInt64 = 0
  /// Replaced by concealment.
  public var concealed: UInt64 = 0
  /// Arrived twice; the second one is dropped.
  public var duplicates: UInt64 = 0
  /// Foreign, malformed, of another generation, or from the far future.
  public var discarded: UInt64 = 0

  /// Nothing counted yet.
  public init() {}
}

/// Interarrival jitter, RFC 3550 section 6.4.1 and appendix A.8.
struct InterarrivalJitter {
  private var last: (arrival: LocalInstant, timestamp: RTPTimestamp)?
  private var frames = 0.0

  /// The running mean of how unevenly packets arrive.
  var value: Nanoseconds { Nanoseconds(seconds: frames / Double(MediaFrame.rate)) }

  /// Takes in a packet of the current generation.
  mutating func receive(_ timestamp: RTPTimestamp, at arrival: LocalInstant) {
    if let last {
      let arrived = (arrival - last.arrival).inSeconds * Double(MediaFrame.rate)
      let stamped = Double(Int32(truncatingIfNeeded: timestamp.rawValue &- last.timestamp.rawValue))
      frames += (abs(arrived - stamped) - frames) / 16
    }
    last = (arrival, timestamp)
  }

  /// Forgets the last packet: the next one belongs to another generation.
  mutating func restart() { last = nil }
}
