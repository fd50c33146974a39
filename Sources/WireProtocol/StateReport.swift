// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// What a room is doing.
public enum RoomState: UInt32, Sendable, Hashable, CaseIterable {
  /// Nothing to play; devices closed.
  case idle = 1
  /// Ready: devices open, running on silence.
  case armed = 2
  /// A stream is there, the media clock is not known well enough yet.
  case waitingForClock = 3
  /// A stream is there, its first frame is not due or not here yet.
  case buffering = 4
  /// Sounding.
  case playing = 5
  /// Fading out.
  case stopping = 6
  /// Something is wrong with the device; `detail` says what.
  case trouble = 7
}

/// What a room says about itself each second and at every change.
///
/// Counters count from the start of the program. What a room cannot know yet is absent, not zero.
public struct StateReport: Sendable, Hashable {
  /// What the room is doing; a state this build does not know is read as `trouble`.
  public var state: RoomState = .idle
  /// In words, for people; empty when all is well.
  public var detail: String = ""
  /// 0...100.
  public var volume: Int = 0
  /// Silent whatever the volume is.
  public var muted: Bool = false
  /// The serial of the last `SetVolume` that was obeyed.
  public var volumeSerial: UInt64 = 0
  /// Audio at hand ahead of what sounds: encoded, decoded, and in the device.
  public var buffered: Nanoseconds = .zero
  /// Interarrival jitter (RFC 3550).
  public var jitter: Nanoseconds = .zero
  /// Packets received in time.
  public var received: UInt64 = 0
  /// Packets that came too late to be played.
  public var late: UInt64 = 0
  /// Packets that never came in time.
  public var lost: UInt64 = 0
  /// Packets that came because they were asked for again.
  public var repaired: UInt64 = 0
  /// Packets replaced by concealment.
  public var concealed: UInt64 = 0
  /// Datagrams thrown away: foreign, malformed, or of another generation.
  public var discarded: UInt64 = 0
  /// Heard minus due, magnitude, median of the last second; an older speaker means ten.
  public var syncErrorP50: Nanoseconds?
  /// As above, 99th percentile.
  public var syncErrorP99: Nanoseconds?
  /// As above, largest.
  public var syncErrorMax: Nanoseconds?
  /// Standard deviation of the clock offset, assuming a symmetric path.
  public var clockSigma: Nanoseconds?
  /// Bound of the clock offset whatever the path is.
  public var clockBound: Nanoseconds?
  /// The media clock's frequency as seen from the host's clock, minus one.
  public var hostFrequency: PartsPerMillion?
  /// The card's frequency as seen from the host's clock, minus one.
  public var cardFrequency: PartsPerMillion?
  /// What the device holds.
  public var outputLatency: Nanoseconds?
  /// How long until the room could sound, from now; zero when it could at once.
  public var readyIn: Nanoseconds?
  /// Times the device ran dry.
  public var underruns: UInt64 = 0
  /// Cross-faded jumps.
  public var resyncs: UInt64 = 0
  /// The generation that is playing or awaited.
  public var ssrc: SSRC?
  /// The last frame heard, by its stamp.
  public var playedFrame: MediaFrame?
  /// The output, such as `alsa:default`.
  public var output: String = ""
  /// The room's latency setting; positive: its sound is made earlier.
  public var latencySetting: Nanoseconds = .zero
  /// Heard minus due over the last ten seconds; absent when nothing sounded.
  public var syncErrorTenSeconds: SyncErrorWindow?
  /// Heard minus due over the last five minutes; absent when nothing sounded.
  public var syncErrorFiveMinutes: SyncErrorWindow?
  /// How long after its stamp, which is when it is sent, the latest packet came since the report
  /// before; absent when none came.
  public var lateness: Nanoseconds?
  /// The same of packets that were asked for again.
  public var repairTime: Nanoseconds?
  /// Packets asked for again, every try counted.
  public var requested: UInt64 = 0
  /// Packets sent again for nothing: the original came after all, or both came too late.
  public var superfluous: UInt64 = 0
  /// Answers of the clock service that were not believed.
  public var clockRepliesRefused: UInt64 = 0

  /// A report in which everything is absent and the state is `idle`.
  public init() {}
}
