// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import DecoderProtocol
public import House
public import LinuxNetworking
public import WireProtocol

/// What the playback engine tells its driver, in the order in which it happened.
public enum EngineEvent: Sendable, Hashable {
  /// A generation has begun: announce it to every room at once (and to rooms that join later,
  /// see `PlaybackEngine.status`). Its packets are on their way already.
  case generationStarted(StreamAnnounce)
  /// The playout delay of the generation that sounds changes: announce it to every room at once.
  case delayChanged(StreamAnnounce)
  /// A track has been laid out: its first frame is *heard* at the run's first frame plus D, which
  /// may be seconds ahead. Persist the run: with it a restarted coordinator finds its place.
  case trackStarted(PositionRun, MediaInfo)
  /// The first frame of the run is heard now.
  case trackHeard(PositionRun)
  /// What a live stream plays has changed, and the new title is heard now.
  case titleHeard(ItemID, StreamTitle)
  /// The server of a live stream has gone, or is back. Told when it happens; what the rooms hold is
  /// still heard.
  case connection(ItemID, StreamConnection)
  /// A track cannot be opened, has no sound at or after the frame asked for, or cannot be read any
  /// further; what was read of it plays. The engine waits for `setNext`, or for `play` when it was
  /// the first of its chain.
  case trackFailed(ItemID, DecoderFailure)
  /// The track has been opened; say with `setNext` what follows it, or nil. Until then the engine
  /// waits at its end.
  case needsNext(after: ItemID)
  /// Forward on the control links; the engine repeats it on UDP until acknowledged.
  case flush(FlushPacket)
  /// The last packet has been made: forward to the rooms, so that they miss nothing after it.
  case streamEnds(StreamEnd)
  /// The rooms fall silent now, at this place; `resume` goes on there.
  case paused(at: StreamPosition)
  /// The last frame has been heard; nothing sounds any more.
  case finished(at: MediaFrame)
  /// The host slept, and the media clock begins anew under this identity. What was playing goes on
  /// in a new generation, which is announced next.
  case clockChanged(ClockID)
  /// Somebody who is no connected room asks for the time: a room whose link is gone, or that has
  /// another address by now. A few times a second at most.
  case clockAsked(by: SocketAddress)
}

/// Whether the engine sounds.
public enum EnginePhase: Sendable, Hashable {
  /// Nothing to play.
  case idle
  /// A source is being opened; what sounded before may still sound.
  case opening
  /// Packets flow, or have all been made and ring out.
  case playing
  /// Silent, and able to go on at the very sample.
  case paused
}

/// How the engine stands; a copy.
public struct EngineStatus: Sendable {
  /// Whether it sounds.
  public var phase = EnginePhase.idle
  /// The generation that sounds, for rooms that join; nil when nothing does.
  public var announce: StreamAnnounce?
  /// The playout delay of what sounds, or sounded last.
  public var delay = DelayRamp(constant: .zero)
  /// Rooms, by their ids, that need a longer delay than the live input allows: they will have gaps.
  public var roomsBeyondDelay: [String] = []
  /// Which item is heard when. Persist its `runs`.
  public var timeline = StreamTimeline()
}

/// What the engine has counted since it began.
public struct EngineCounters: Sendable, Hashable {
  /// Audio packets handed to the kernel, all rooms.
  public var packetsSent: UInt64 = 0
  /// Their octets of UDP payload.
  public var bytesSent: UInt64 = 0
  /// Audio packets the kernel refused (no route, no buffer).
  public var packetsRefused: UInt64 = 0
  /// Audio packets not sent because they could not be heard any more.
  public var packetsSkipped: UInt64 = 0
  /// Packets that rooms have asked for again, each time counted.
  public var repairsAsked: UInt64 = 0
  /// Packets sent again; not in `packetsSent`.
  public var repairsSent: UInt64 = 0
  /// Packets not sent again because they could not be decoded in time any more.
  public var repairsLate: UInt64 = 0
  /// Packets not sent again for any other reason: not kept, not made yet, or on their way.
  public var repairsRefused: UInt64 = 0
  /// Requests from addresses that are no room's: dropped.
  public var repairsForeign: UInt64 = 0
  /// Questions to the clock service that were answered.
  public var clockRequests: UInt64 = 0
  /// Flush acknowledgements.
  public var flushesAcknowledged: UInt64 = 0
  /// Flushes that some room never acknowledged on UDP.
  public var flushesUnacknowledged: UInt64 = 0
  /// RTCP packets of other kinds.
  public var otherReports: UInt64 = 0
  /// Datagrams that are nothing of ours, or malformed: dropped.
  public var garbage: UInt64 = 0
  /// How late the media thread woke up, at worst.
  public var latestWake = Nanoseconds.zero

  /// Nothing counted yet.
  public init() {}
}
