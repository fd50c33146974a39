// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

/// A room's last hour: how well it was in time, and what happened to it.
public struct RoomRecord: Sendable {
  /// How well it was in time.
  public private(set) var history = SyncHistory()
  /// What happened to it.
  public private(set) var diary = RoomDiary()

  /// A room of which nothing is known.
  public init() {}

  /// The room is connected.
  public mutating func connected(runID: UInt64, wall: WallTime) {
    diary.connected(runID: runID, wall: wall)
  }

  /// The room's link is gone.
  public mutating func disconnected(because reason: String, wall: WallTime) {
    diary.disconnected(because: reason, wall: wall)
  }

  /// Another speaker with the room's identity was refused.
  public mutating func refusedTwin(_ detail: String, at now: LocalInstant, wall: WallTime) {
    diary.refusedTwin(detail, at: now, wall: wall)
  }

  /// The room tells how it is.
  public mutating func take(_ report: StateReport, at now: LocalInstant, wall: WallTime) {
    history.take(report, at: now, wall: wall)
    diary.take(report, at: now, wall: wall)
  }
}
