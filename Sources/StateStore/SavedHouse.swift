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

/// A queue as it is kept.
public struct SavedQueue: Sendable, Equatable {
  /// A track in the queue.
  public struct Item: Sendable, Hashable {
    /// Its identity.
    public var id: UInt64
    /// What `location` is: a word of the house's choosing.
    public var kind: String
    /// Where its sound comes from.
    public var location: String
    /// What it is called.
    public var label: String

    /// A track in the queue.
    ///
    /// - Parameters:
    ///   - id: Its identity.
    ///   - kind: What `location` is.
    ///   - location: Where its sound comes from.
    ///   - label: What it is called.
    public init(id: UInt64, kind: String, location: String, label: String) {
      self.id = id
      self.kind = kind
      self.location = location
      self.label = label
    }
  }

  /// The tracks in order.
  public var items: [Item] = []
  /// The current track.
  public var current: UInt64?
  /// How often the queue has been edited.
  public var revision: UInt64 = 0
  /// The repeat mode, a word of the house's choosing.
  public var repeatMode = "off"
  /// The identity for the next new track.
  public var nextID: UInt64 = 1

  /// An empty queue.
  public init() {}
}

/// Where playback stood, as a function of the media clock.
///
/// While a group plays, source frame `sourceFrame` of track `item` belongs to media frame
/// `mediaFrame`; both advance at 48 kHz from there, so the place at any later moment is computed and
/// never has to be written.
public struct SavedPlayback: Sendable, Equatable {
  /// Whether it played, paused or stood still, in a word of the house's choosing.
  public var state = "stopped"
  /// The track.
  public var item: UInt64?
  /// A frame of the track, 48 kHz; while paused, where to go on.
  public var sourceFrame: Int64 = 0
  /// The media frame (since 1900, 48 kHz) that `sourceFrame` is stamped with.
  public var mediaFrame: Int64 = 0
  /// The run of the media clock to which `mediaFrame` belongs.
  public var clockID: UInt64 = 0
  /// Session and generation of the stream.
  public var ssrc: UInt32 = 0
  /// The playout delay at the time, in nanoseconds.
  public var playoutDelayNanoseconds: Int64 = 0

  /// Nothing played.
  public init() {}
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

  /// A media clock.
  ///
  /// - Parameters:
  ///   - bootID: The boot during which `constant` holds.
  ///   - constant: Media nanoseconds since 1900 minus CLOCK_MONOTONIC_RAW.
  ///   - clockID: Which run of the media clock this is.
  public init(bootID: String, constant: Int64, clockID: UInt64) {
    self.bootID = bootID
    self.constant = constant
    self.clockID = clockID
  }
}
