// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// What outlives the coordinator, as plain values. The store knows rows, not policy: which of these
// still mean anything after a restart is for the house to decide.

/// Everything that is kept.
public struct SavedHouse: Sendable, Equatable {
  /// The queue of the group.
  public var queue = SavedQueue()
  /// Where playback stood.
  public var playback = SavedPlayback()
  /// The rooms in the order in which they were first met.
  public var rooms: [SavedRoom] = []

  /// A house that has never been saved.
  public init() {}
}

/// Where playback stood, as a function of the media clock.
///
/// While a group plays, each run says which source frame of which track belongs to a media frame; both
/// advance at 48 kHz from there, so the place at any later moment is computed and never written.
public struct SavedPlayback: Sendable, Equatable {
  /// From one media frame on, one track from one of its frames on.
  public struct Run: Sendable, Hashable {
    /// The track.
    public var item: UInt64
    /// The stamp of the run's first frame: since 1900, 48 kHz.
    public var mediaFrame: Int64
    /// The frame of the track (48 kHz) with that stamp.
    public var sourceFrame: Int64

    /// A run.
    ///
    /// - Parameters:
    ///   - item: The track.
    ///   - mediaFrame: The stamp of the run's first frame.
    ///   - sourceFrame: The frame of the track with that stamp.
    public init(item: UInt64, mediaFrame: Int64, sourceFrame: Int64) {
      self.item = item
      self.mediaFrame = mediaFrame
      self.sourceFrame = sourceFrame
    }
  }

  /// Whether it played, paused or stood still, in a word of the house's choosing.
  public var state = "stopped"
  /// While paused: the frame of the current track, 48 kHz, at which to go on.
  public var pausedAt: Int64 = 0
  /// The runs that were laid out, in order.
  public var runs: [Run] = []
  /// The run of the media clock to which the stamps belong.
  public var clockID: UInt64 = 0
  /// The playout delay at the time, in nanoseconds.
  public var playoutDelayNanoseconds: Int64 = 0

  /// Nothing played.
  public init() {}
}

/// Which generations of the stream may have been used.
public struct SavedGeneration: Sendable, Hashable {
  /// The random half of every name.
  public var session: UInt16
  /// The first one that was surely never used.
  public var firstUnused: UInt16

  /// A state of the generation counter.
  ///
  /// - Parameters:
  ///   - session: The random half of every name.
  ///   - firstUnused: The first one that was surely never used.
  public init(session: UInt16, firstUnused: UInt16) {
    self.session = session
    self.firstUnused = firstUnused
  }
}

/// A room as it is kept.
public struct SavedRoom: Sendable, Equatable {
  /// Its speaker's node id, in hex.
  public var id: String
  /// What it calls itself.
  public var name: String
  /// Where it answered last, as `host:port`.
  public var address: String?
  /// 0 to 100; nil when it never told.
  public var volume: Int?
  /// Whether it was muted.
  public var isMuted: Bool
  /// The number of the last order about its loudness.
  public var volumeSerial: UInt64

  /// A room.
  ///
  /// - Parameters:
  ///   - id: Its speaker's node id, in hex.
  ///   - name: What it calls itself.
  ///   - address: Where it answered last.
  ///   - volume: 0 to 100; nil when it never told.
  ///   - isMuted: Whether it was muted.
  ///   - volumeSerial: The number of the last order about its loudness.
  public init(
    id: String, name: String, address: String?, volume: Int?, isMuted: Bool, volumeSerial: UInt64
  ) {
    self.id = id
    self.name = name
    self.address = address
    self.volume = volume
    self.isMuted = isMuted
    self.volumeSerial = volumeSerial
  }
}

/// The media clock as it is kept: how it follows from this host's own clock.
public struct SavedClock: Sendable, Hashable {
  /// The boot during which `constant` holds.
  public var bootID: String
  /// Media nanoseconds since 1900 minus CLOCK_MONOTONIC_RAW, in nanoseconds.
  public var constant: Int64
  /// Which run of the media clock this is.
  public var clockID: UInt64
  /// How long the host had slept in this boot when the clock was set, in nanoseconds.
  public var suspended: Int64

  /// A media clock.
  ///
  /// - Parameters:
  ///   - bootID: The boot during which `constant` holds.
  ///   - constant: Media nanoseconds since 1900 minus CLOCK_MONOTONIC_RAW.
  ///   - clockID: Which run of the media clock this is.
  ///   - suspended: How long the host had slept in this boot when the clock was set.
  public init(bootID: String, constant: Int64, clockID: UInt64, suspended: Int64) {
    self.suspended = suspended
    self.bootID = bootID
    self.constant = constant
    self.clockID = clockID
  }
}
