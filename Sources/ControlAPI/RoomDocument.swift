// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a room is doing.
public enum RoomPhase: String, Codable, Sendable, Hashable, CaseIterable {
  /// Connected, its device closed.
  case idle
  /// Its device is open and ready to sound at once.
  case armed
  /// It has music but not yet the time.
  case waitingForClock
  /// It collects music before it can start.
  case buffering
  /// It sounds.
  case playing
  /// It fades out.
  case stopping
  /// Its device or stream fails; `detail` says how.
  case trouble
  /// No connection; `lastSeenSecondsAgo` says since when.
  case unreachable
  /// A phase that this version does not know.
  case unknown

  /// Reads a phase; a word of a later version becomes ``unknown``.
  ///
  /// - Parameter decoder: Where to read from.
  /// - Throws: When there is no text.
  public init(from decoder: any Decoder) throws {
    let word = try decoder.singleValueContainer().decode(String.self)
    self = RoomPhase(rawValue: word) ?? .unknown
  }
}

/// A room: who it is, what it does and how well.
///
/// Absent measurements are absent in JSON, never zero.
public struct RoomDocument: Codable, Sendable, Hashable, Identifiable {
  /// SHA-256 of the speaker's public key in hexadecimal.
  public var id: String
  /// The room's name.
  public var name: String
  /// What it does.
  public var state: RoomPhase
  /// More about the state in words; empty when there is nothing to add.
  public var detail: String
  /// The group it belongs to.
  public var groupID: String
  /// Whether the control link is up.
  public var isConnected: Bool
  /// How long the link has been down; absent while it is up.
  public var lastSeenSecondsAgo: Double?
  /// 0 to 100, as the room reported it last.
  public var volume: Int
  /// Whether it is muted.
  public var isMuted: Bool
  /// Where it was found: `host:port`.
  public var address: String
  /// The output it plays to: `alsa:default`.
  public var output: String
  /// The speaker's software version.
  public var softwareVersion: String
  /// What the listener added for this room, in milliseconds.
  public var latencySettingMilliseconds: Double
  /// How well it does; absent before the first report.
  public var health: RoomHealthDocument?

  /// A room with nothing measured yet.
  ///
  /// - Parameters:
  ///   - id: SHA-256 of the speaker's public key in hexadecimal.
  ///   - name: The room's name.
  ///   - state: What it does.
  ///   - groupID: The group it belongs to.
  public init(id: String, name: String, state: RoomPhase, groupID: String) {
    self.id = id
    self.name = name
    self.state = state
    self.groupID = groupID
    detail = ""
    isConnected = false
    volume = 0
    isMuted = false
    address = ""
    output = ""
    softwareVersion = ""
    latencySettingMilliseconds = 0
  }
}

/// What a room measured about itself in its last report.
public struct RoomHealthDocument: Codable, Sendable, Hashable {
  /// Music held ahead of what is heard.
  public var bufferedMilliseconds: Double = 0
  /// How unevenly packets arrive.
  public var jitterMicroseconds: Double = 0
  /// Packets of the current stream, by fate.
  public var packets = PacketCountsDocument()
  /// Heard minus due, median of the last second; absent while it does not play.
  public var syncErrorP50Microseconds: Double?
  /// Heard minus due, 99th percentile of the magnitude.
  public var syncErrorP99Microseconds: Double?
  /// Heard minus due, largest magnitude.
  public var syncErrorMaxMicroseconds: Double?
  /// Heard minus due over the last ten seconds; absent when it did not play.
  public var syncErrorTenSeconds: SyncErrorDocument?
  /// Heard minus due over the last five minutes; absent when it did not play.
  public var syncErrorFiveMinutes: SyncErrorDocument?
  /// Standard deviation of its estimate of the media clock.
  public var clockSigmaMicroseconds: Double?
  /// A limit that the clock's error cannot pass.
  public var clockBoundMicroseconds: Double?
  /// How much its host clock is fast against the coordinator's.
  public var hostFrequencyPPM: Double?
  /// How much its card is fast against its host clock.
  public var cardFrequencyPPM: Double?
  /// What the device holds.
  public var outputLatencyMilliseconds: Double = 0
  /// How long it would take to sound.
  public var readyInMilliseconds: Double = 0
  /// Times the device ran dry.
  public var underruns: UInt64 = 0
  /// Cross-faded jumps.
  public var resyncs: UInt64 = 0
  /// How late the latest packet came since the report before: what the way to the room takes of the
  /// playout delay. Absent when none came.
  public var latenessMilliseconds: Double?
  /// The same of packets that were asked for again.
  public var repairTimeMilliseconds: Double?
  /// Answers of the clock service that were not believed.
  public var clockRepliesRefused: UInt64 = 0

  /// A report with nothing measured yet.
  public init() {}
}

/// Packets by fate, since the stream began.
public struct PacketCountsDocument: Codable, Sendable, Hashable {
  /// Packets that came.
  public var received: UInt64 = 0
  /// Packets that came too late to be heard.
  public var late: UInt64 = 0
  /// Packets that never came.
  public var lost: UInt64 = 0
  /// Lost packets that a repeat brought back.
  public var repaired: UInt64 = 0
  /// Lost packets that were covered up.
  public var concealed: UInt64 = 0
  /// Packets of other streams, doubles and nonsense.
  public var discarded: UInt64 = 0
  /// Packets asked for again, every try counted.
  public var requested: UInt64 = 0
  /// Packets sent again for nothing: they were there already, or too late.
  public var superfluous: UInt64 = 0

  /// No packets.
  public init() {}
}
