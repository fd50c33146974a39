// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Playing, pausing and stopping, as a state machine over the queue. It decides; the playback engine
// carries out.
//
//              play, resume                 pause
//   stopped ───────────────────▶ playing ◀────────▶ paused
//      ▲                            │      resume      │
//      └── stop, end, nothing plays ┴──────────────────┘  stop
//
// The engine reads ahead of what is heard by the playout delay (seconds), which may span several short
// tracks: `ahead` is the chain from the one that is heard (`queue.current`) to the one that is being
// read, and `offered` is what the engine has been told to follow that with. The engine's events come
// with a delay, so one that names a track outside of the chain tells of the past and is passed over.
//
// A track that fails is remembered in `failures` and passed over until a listener acts or some track
// has played to its end, so that a queue of broken files is tried once and never spins.

/// Whether a group plays.
public enum PlaybackState: String, Sendable, Hashable, CaseIterable {
  /// Silent, at the start of the queue.
  case stopped
  /// Sounding, or about to.
  case playing
  /// Silent, and able to go on at the very sample.
  case paused
}

/// A track that could not be played, or not to its end.
public struct TrackFailure: Sendable, Hashable {
  /// The track.
  public var item: ItemID
  /// What the listener calls it.
  public var label: String
  /// What is wrong with it, in words.
  public var reason: String

  /// A failure.
  ///
  /// - Parameters:
  ///   - item: The track.
  ///   - label: What the listener calls it.
  ///   - reason: What is wrong with it, in words.
  public init(item: ItemID, label: String, reason: String) {
    self.item = item
    self.label = label
    self.reason = reason
  }
}

/// What the playback engine has to do.
public enum TransportEffect: Sendable, Hashable {
  /// Cut what sounds and play this track from a frame of its own (48 kHz) on.
  case play(QueueItem, fromFrame: Int64)
  /// Let this track follow without a gap; nil: let the music end. `after` is the track that it
  /// follows, when that is not the one that is being read: what was laid out behind it is taken back.
  case setNext(QueueItem?, after: ItemID? = nil)
  /// Fall silent and keep the place.
  case pause
  /// Go on where `pause` stopped.
  case resume
  /// Fall silent.
  case stop
}

/// Why a command was not carried out.
public enum TransportRefusal: Error, Sendable, Hashable {
  /// There is nothing in the queue to play.
  case queueEmpty
  /// Only something that plays or pauses has a place to move in.
  case nothingPlaying
  /// A live input is heard now: there is no other place in it. Names it.
  case live(String)
  /// The queue did not take the edit.
  case queue(QueueError)
}

/// What plays in a group, and what happens next.
///
/// A value without clock or threads: commands and the engine's events go in, effects come out, in
/// the order in which they are to be carried out.
public struct Transport: Sendable, Equatable {
  /// The tracks and the current one.
  public internal(set) var queue = PlayQueue()
  /// Whether the group plays.
  public internal(set) var state = PlaybackState.stopped
  /// The tracks that failed since a listener last began something or a track played to its end.
  public internal(set) var failures: [TrackFailure] = []
  /// Why playback stopped by itself, in words; nil when it was told to or reached the end.
  public internal(set) var stopReason: String?
  /// Where "resume" begins afresh, in frames of the current track; nil: the engine keeps the place.
  public internal(set) var resumeFrame: Int64?

  /// Tracks behind addresses that turned out to be live: radio stations.
  var broadcasts: Set<ItemID> = []

  /// The tracks from the one that is heard, or awaited, to the one that the engine reads.
  var ahead: [ItemID] = []
  /// What the engine has been told to follow `reading` with.
  var offered: ItemID?
  /// Whether the current track has been heard since it was asked for.
  var isHeard = false
  /// Whether anything has been heard since a listener last began something.
  var hasSounded = false

  /// Stopped, with an empty queue.
  public init() {}

  /// How playback stood when it was saved.
  public enum RestoredPlayback: Sendable, Hashable {
    /// Nothing played.
    case stopped
    /// Silent at a frame of the current track.
    case paused(atFrame: Int64)
    /// The engine has been told to go on by itself.
    case playing
  }

  /// A group as it was saved.
  ///
  /// - Parameters:
  ///   - queue: Its queue.
  ///   - playback: How it played; stopped when the queue is empty.
  public init(restoring queue: PlayQueue, playback: RestoredPlayback) {
    self.queue = queue
    guard queue.current != nil else { return }
    switch playback {
    case .stopped: break
    case .paused(let frame):
      state = .paused
      resumeFrame = frame
    case .playing:
      state = .playing
      ahead = queue.current.map { [$0] } ?? []
      isHeard = true
      hasSounded = true
    }
  }

  var failedItems: Set<ItemID> { Set(failures.map(\.item)) }

  /// A track turned out to be live when it was opened: it has no places, and a pause of it goes on
  /// at what it says then.
  public mutating func noteLive(_ id: ItemID) {
    broadcasts = broadcasts.filter { queue.item($0) != nil }
    if queue.item(id) != nil { broadcasts.insert(id) }
  }

  /// Whether a track is heard as it comes.
  func isLive(_ item: QueueItem) -> Bool { item.source.isLive || broadcasts.contains(item.id) }

  /// Begins the current track, or refuses when there is none.
  mutating func begin(fromFrame frame: Int64 = 0) -> [TransportEffect] {
    guard let item = queue.currentItem else { return halt(because: nil) }
    state = .playing
    stopReason = nil
    resumeFrame = nil
    ahead = [item.id]
    offered = nil
    isHeard = false
    return [.play(item, fromFrame: frame)]
  }

  /// Falls silent and goes back to the start of the queue.
  mutating func halt(because reason: String?) -> [TransportEffect] {
    let wasActive = state != .stopped
    state = .stopped
    stopReason = reason
    resumeFrame = nil
    ahead = []
    offered = nil
    isHeard = false
    queue.rewind()
    return wasActive ? [.stop] : []
  }

  /// Forgets what went wrong: a listener has begun something.
  mutating func beginAfresh() {
    failures = []
    hasSounded = false
  }

  /// Tells the engine what follows, when that is not what it has been told already.
  mutating func offerSuccessor() -> [TransportEffect] {
    guard state != .stopped, resumeFrame == nil, let last = ahead.last else { return [] }
    if let place = firstWrongPlace() {
      let before = ahead[place - 1]
      ahead.removeSubrange(place...)
      offered = follower(of: before)
      return [.setNext(offered.flatMap(queue.item), after: before)]
    }
    let next = follower(of: last)
    guard next != offered else { return [] }
    offered = next
    return [.setNext(next.flatMap(queue.item))]
  }

  /// What is heard after `id` without a gap. A live input is no part of that: read ahead, it would be
  /// heard as late as stored music is.
  private func follower(of id: ItemID) -> ItemID? {
    guard let next = queue.successor(of: id, skipping: failedItems),
      queue.item(next)?.source.isLive == false
    else { return nil }
    return next
  }

  /// Where what the engine has read ahead is not what the queue says any more.
  private func firstWrongPlace() -> Int? {
    // A track that broke off plays as far as it was read.
    let passedOver = failedItems.subtracting(ahead)
    return ahead.indices.dropFirst().first { place in
      queue.successor(of: ahead[place - 1], skipping: passedOver) != ahead[place]
    }
  }
}

extension Transport {
  /// Makes shuffled orders differ from run to run: the only chance in the house comes in here.
  ///
  /// - Parameter seed: A random number.
  public mutating func seedShuffle(_ seed: UInt64) {
    queue.random = ShuffleRandom(seed: seed)
  }
}
