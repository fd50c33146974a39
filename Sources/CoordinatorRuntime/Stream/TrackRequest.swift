// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol
public import House
public import LinuxNetworking

/// A track that the engine is to play.
public struct TrackRequest: Sendable, Hashable {
  /// The item of the queue; comes back in the events.
  public var itemID: ItemID
  /// Where the music is.
  public var source: TrackSource
  /// The first frame that is wanted, in frames of 48 kHz of the source.
  public var startFrame: Int64
  /// Whether a server that cannot be reached is waited for, as long as it takes: a station's is.
  public var isWaitedFor = false
  /// How its loudness is brought to that of others.
  public var loudness = LoudnessMode.off

  /// A request for a track.
  public init(itemID: ItemID, location: MediaLocation, startFrame: Int64 = 0) {
    self.init(itemID: itemID, source: .media(location), startFrame: startFrame)
  }

  /// A request for a track of any source.
  public init(itemID: ItemID, source: TrackSource, startFrame: Int64 = 0) {
    self.itemID = itemID
    self.source = source
    self.startFrame = startFrame
  }
}

/// Where a track's music is.
public enum TrackSource: Sendable, Hashable {
  /// In a file or behind an address; a decoder reads it.
  case media(MediaLocation)
  /// A live input, which is heard now.
  case input(LiveTrack)

  /// The live input, if it is one.
  var live: LiveTrack? { if case .input(let live) = self { live } else { nil } }
}

/// A live input that is to be played.
public struct LiveTrack: Sendable, Hashable {
  /// Its name.
  public var name: String
  /// How its playout delay is found.
  public var delay: AdaptiveDelay.Mode

  /// A live input.
  public init(name: String, delay: AdaptiveDelay.Mode) {
    self.name = name
    self.delay = delay
  }

  /// Frames in a packet, and in each block that is read.
  var packetFrames: Int64 { delay.packetFrames }
}

/// A room that gets the stream.
public struct RoomDestination: Sendable, Hashable {
  /// Who it is.
  public var id: RoomID
  /// Counts the room's control links: a room that was away has lost what it held, so with another
  /// number it gets everything still playable again.
  public var session: UInt64
  /// Where it receives UDP.
  public var address: SocketAddress
  /// How soon it can sound.
  public var readiness: RoomReadiness
  /// Whether its control link is up.
  public var isLinked: Bool

  /// A room at an address.
  public init(
    id: RoomID, session: UInt64, address: SocketAddress, readiness: RoomReadiness,
    isLinked: Bool = true
  ) {
    self.id = id
    self.session = session
    self.address = address
    self.readiness = readiness
    self.isLinked = isLinked
  }
}
