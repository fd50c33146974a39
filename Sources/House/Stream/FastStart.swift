// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Buttons do not wait for the playout delay. The first frame of a generation is heard `lead` after
// the button, whatever D is: it is stamped as if it had been sent D - lead ago, and everything
// up to D ahead follows in a burst.
//
//   stamp:   firstAudible            now
//   ----------|-----------------------|-----------------------------> media clock
//             |<------ D - lead ----->|<- lead ->|
//             |<---------------- D ------------->| heard

/// What the start of a generation has to know of one room.
public struct RoomReadiness: Sendable, Hashable {
  /// What the room's device holds between writing and hearing.
  public var outputLatency: Nanoseconds
  /// Whether its devices are open and warm.
  public var isArmed: Bool
  /// How long a room that is not armed needs to become so.
  public var readyIn: Nanoseconds
  /// The 99th percentile of how late packets reach it, beyond the fastest ones.
  public var lateness: Nanoseconds

  /// A room's readiness.
  public init(
    outputLatency: Nanoseconds, isArmed: Bool, readyIn: Nanoseconds = .zero,
    lateness: Nanoseconds = .zero
  ) {
    self.outputLatency = outputLatency
    self.isArmed = isArmed
    self.readyIn = readyIn
    self.lateness = lateness
  }
}

/// When the first frame of a new generation is heard.
public enum FastStart {
  /// No start is heard sooner: time to encode, send and render (design section 5).
  public static let shortestLead = Nanoseconds.milliseconds(120)
  /// What a room needs beside its device: network, decoding, one block of rendering.
  static let margin = Nanoseconds.milliseconds(60)
  /// A house in which no room is armed is waited for, but not for ever: a cold start is to be heard
  /// within 700 ms, and a room that takes longer joins late by itself.
  static let longestWait = Nanoseconds.milliseconds(500)

  /// How far ahead of now the first frame is heard.
  ///
  /// Armed rooms do not wait for cold ones, which join when they are ready. Only when no room is
  /// armed does the start wait, so that its beginning is not lost everywhere.
  ///
  /// - Parameters:
  ///   - rooms: The rooms of the group; may be empty.
  ///   - delay: The group's playout delay, which the lead never exceeds.
  /// - Returns: Between `shortestLead` and `delay`.
  public static func lead(rooms: [RoomReadiness], delay: Nanoseconds) -> Nanoseconds {
    let armed = rooms.filter(\.isArmed)
    let awaited = armed.isEmpty ? rooms : armed
    let slowest = awaited.map { room in
      let wait = room.isArmed ? .zero : min(max(room.readyIn, .zero), longestWait)
      return wait + room.outputLatency + margin + room.lateness
    }.max()
    return max(min(max(shortestLead, slowest ?? .zero), delay), .zero)
  }

  /// The stamp of the first frame: what is heard at `now + lead`.
  ///
  /// Rounded up, so that the promise to the slowest room is kept to the nanosecond.
  public static func firstAudible(
    at now: MediaInstant, lead: Nanoseconds, delay: Nanoseconds
  ) -> MediaFrame {
    MediaFrame(now + lead - delay) + 1
  }
}
