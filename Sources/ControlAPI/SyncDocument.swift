// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How well a room was in time over a window that ends now: heard minus due.
public struct SyncErrorDocument: Codable, Sendable, Hashable {
  /// Magnitude, median.
  public var p50Microseconds: Double
  /// Magnitude, 99th percentile.
  public var p99Microseconds: Double
  /// Magnitude, largest.
  public var maxMicroseconds: Double
  /// Mean with its sign; positive: late.
  public var meanMicroseconds: Double
  /// How much of the window was spent sounding.
  public var soundingSeconds: Double

  /// A window.
  public init(
    p50Microseconds: Double, p99Microseconds: Double, maxMicroseconds: Double,
    meanMicroseconds: Double, soundingSeconds: Double
  ) {
    self.p50Microseconds = p50Microseconds
    self.p99Microseconds = p99Microseconds
    self.maxMicroseconds = maxMicroseconds
    self.meanMicroseconds = meanMicroseconds
    self.soundingSeconds = soundingSeconds
  }
}

/// What `GET /api/v1/rooms/{id}/sync` answers: a room's last hour.
public struct RoomSyncDocument: Codable, Sendable, Hashable {
  /// The room's id.
  public var roomID: String
  /// The room's name.
  public var roomName: String
  /// From one sample to the next.
  public var intervalSeconds: Double
  /// The hour in one line; absent when nothing sounded.
  public var hour: SyncHourDocument?
  /// Oldest first; while the room is not connected there are none.
  public var samples: [SyncSampleDocument]

  /// A room's hour.
  public init(
    roomID: String, roomName: String, intervalSeconds: Double, hour: SyncHourDocument?,
    samples: [SyncSampleDocument]
  ) {
    self.roomID = roomID
    self.roomName = roomName
    self.intervalSeconds = intervalSeconds
    self.hour = hour
    self.samples = samples
  }
}

/// An hour in one line.
public struct SyncHourDocument: Codable, Sendable, Hashable {
  /// Time that sounded.
  public var soundingSeconds: Double
  /// The median of the samples' medians: an ordinary moment.
  public var typicalMicroseconds: Double
  /// The largest 99th percentile of all samples: the worst ten seconds.
  public var worstP99Microseconds: Double
  /// The largest error.
  public var maxMicroseconds: Double
  /// Mean with its sign; positive: late.
  public var meanMicroseconds: Double

  /// An hour.
  public init(
    soundingSeconds: Double, typicalMicroseconds: Double, worstP99Microseconds: Double,
    maxMicroseconds: Double, meanMicroseconds: Double
  ) {
    self.soundingSeconds = soundingSeconds
    self.typicalMicroseconds = typicalMicroseconds
    self.worstP99Microseconds = worstP99Microseconds
    self.maxMicroseconds = maxMicroseconds
    self.meanMicroseconds = meanMicroseconds
  }
}

/// Ten seconds of a room.
public struct SyncSampleDocument: Codable, Sendable, Hashable {
  /// When the ten seconds ended: seconds since 1970.
  public var endedUnixSeconds: Double
  /// Heard minus due in them; absent when nothing sounded.
  public var syncError: SyncErrorDocument?
  /// Standard deviation of the clock's estimate at their end.
  public var clockSigmaMicroseconds: Double?
  /// A limit that the clock's error cannot pass, at their end.
  public var clockBoundMicroseconds: Double?
  /// What was counted in them.
  public var counted: SyncCountsDocument

  /// Ten seconds.
  public init(endedUnixSeconds: Double, counted: SyncCountsDocument) {
    self.endedUnixSeconds = endedUnixSeconds
    self.counted = counted
  }
}

/// What happened between two moments.
public struct SyncCountsDocument: Codable, Sendable, Hashable {
  /// Packets that never came.
  public var lostPackets: UInt64 = 0
  /// Packets that came too late.
  public var latePackets: UInt64 = 0
  /// Packets that a repeat brought back.
  public var repairedPackets: UInt64 = 0
  /// Packets that were covered up.
  public var concealedPackets: UInt64 = 0
  /// Times the device ran dry.
  public var underruns: UInt64 = 0
  /// Cross-faded jumps.
  public var resyncs: UInt64 = 0

  /// Nothing.
  public init() {}
}
