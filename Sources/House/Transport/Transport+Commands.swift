// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// What a listener asks for.
public enum TransportCommand: Sendable, Hashable {
  /// Replace the queue by these tracks and play the one at `startingAt`, from one of its frames on;
  /// nil: the first one, or any in a shuffled queue.
  case playTracks([PlayQueue.Addition], startingAt: Int?, fromFrame: Int64)
  /// Replace the queue by these tracks; what played goes on with the first one, else all is silent.
  case replace([PlayQueue.Addition])
  /// Play a track of the queue.
  case playItem(ItemID)
  /// Go on, or begin the current track.
  case resume
  /// Fall silent and keep the place.
  case pause
  /// Pause when playing, else resume.
  case toggle
  /// Fall silent and go back to the start of the queue.
  case stop
  /// Go to the track after this one.
  case next
  /// Go to the start of this track, or to the one before; `elapsed` is how much has been heard.
  case previous(elapsed: Nanoseconds)
  /// Go to a frame (48 kHz) of the current track.
  case seek(toFrame: Int64)
  /// Put tracks into the queue.
  case add([PlayQueue.Addition], to: QueuePosition = .end)
  /// Move tracks within the queue.
  case move([ItemID], to: QueuePosition)
  /// Take tracks out of the queue.
  case remove([ItemID])
  /// Take everything out of the queue, and stop.
  case clear
  /// Choose what happens at the end.
  case setRepeat(RepeatMode)
  /// Bring the tracks into a random order, or back into their own.
  case setShuffled(Bool)
}

extension Transport {
  /// Carries out what a listener asks for.
  ///
  /// - Parameter command: What is asked for.
  /// - Returns: What the engine has to do, in order; empty when nothing changes for it.
  /// - Throws: `TransportRefusal`; nothing has changed then.
  public mutating func perform(
    _ command: TransportCommand
  ) throws(TransportRefusal) -> [TransportEffect] {
    switch command {
    case .playTracks(let tracks, let index, let frame):
      try play(tracks, startingAt: index, fromFrame: frame)
    case .replace(let tracks): try replace(tracks)
    case .playItem(let id): try play(id)
    case .resume: try resume()
    case .pause: pause()
    case .toggle: state == .playing ? pause() : try resume()
    case .stop: halt(because: nil)
    case .next: try next()
    case .previous(let elapsed): try previous(elapsed: elapsed)
    case .seek(let frame): try seek(to: frame)
    case .add(let tracks, let position):
      try edit { queue throws(QueueError) in try queue.add(tracks, to: position) }
    case .move(let ids, let position):
      try edit { queue throws(QueueError) in try queue.move(ids, to: position) }
    case .remove(let ids): try remove(ids)
    case .clear: clear()
    case .setRepeat(let mode): try edit { queue in queue.repeatMode = mode }
    case .setShuffled(let isOn): setShuffled(isOn)
    }
  }

  private mutating func play(
    _ tracks: [PlayQueue.Addition], startingAt index: Int?, fromFrame frame: Int64
  ) throws(TransportRefusal) -> [TransportEffect] {
    guard !tracks.isEmpty else { throw .queueEmpty }
    let first = tracks[min(max(index ?? 0, 0), tracks.count - 1)]
    if frame > 0, first.source.isLive { throw .live(first.label) }
    try orRefuse { () throws(QueueError) in try queue.replace(with: tracks, startingAt: index) }
    beginAfresh()
    return begin(fromFrame: max(frame, 0))
  }

  private mutating func replace(
    _ tracks: [PlayQueue.Addition]
  ) throws(TransportRefusal) -> [TransportEffect] {
    if state == .playing { return try play(tracks, startingAt: nil, fromFrame: 0) }
    try orRefuse { () throws(QueueError) in try queue.replace(with: tracks, startingAt: nil) }
    beginAfresh()
    return halt(because: nil)
  }

  private mutating func play(_ id: ItemID) throws(TransportRefusal) -> [TransportEffect] {
    try orRefuse { () throws(QueueError) in try queue.select(id) }
    beginAfresh()
    return begin()
  }

  private mutating func resume() throws(TransportRefusal) -> [TransportEffect] {
    guard !queue.isEmpty else { throw .queueEmpty }
    switch state {
    case .playing: return []
    case .stopped:
      beginAfresh()
      return begin()
    case .paused:
      if let frame = resumeFrame {
        beginAfresh()
        return begin(fromFrame: frame)
      }
      state = .playing
      return [.resume]
    }
  }

  private mutating func pause() -> [TransportEffect] {
    guard state == .playing else { return [] }
    state = .paused
    guard let item = queue.currentItem, isLive(item) else { return [.pause] }
    // What something live says meanwhile is gone: it goes on at what it says then.
    resumeFrame = 0
    return [.stop]
  }

  private mutating func next() throws(TransportRefusal) -> [TransportEffect] {
    guard let current = queue.current else { throw .queueEmpty }
    beginAfresh()
    guard let following = queue.next(after: current) else { return halt(because: nil) }
    queue.advance(to: following)
    return go()
  }

  private mutating func previous(
    elapsed: Nanoseconds
  ) throws(TransportRefusal) -> [TransportEffect] {
    guard queue.goBack(elapsed: elapsed) != nil else { throw .queueEmpty }
    beginAfresh()
    return go()
  }

  /// Skipping while stopped only moves along the queue: silence stays silence.
  private mutating func go() -> [TransportEffect] { state == .stopped ? [] : begin() }

  private mutating func seek(to frame: Int64) throws(TransportRefusal) -> [TransportEffect] {
    if state != .stopped, let item = queue.currentItem, isLive(item) {
      throw .live(item.label)
    }
    switch state {
    case .stopped: throw .nothingPlaying
    case .playing:
      beginAfresh()
      return begin(fromFrame: max(frame, 0))
    case .paused:
      resumeFrame = max(frame, 0)
      return []
    }
  }

  private mutating func remove(_ ids: [ItemID]) throws(TransportRefusal) -> [TransportEffect] {
    let going = Set(ids)
    let wasCurrent = queue.current.map(going.contains) ?? false
    let wasLast = queue.current.flatMap { queue.survivor(after: $0, without: going) } == nil
    try orRefuse { () throws(QueueError) in try queue.remove(ids) }
    failures.removeAll { going.contains($0.item) }
    guard wasCurrent, state != .stopped else { return offerSuccessor() }
    // The one that moved into its place goes on; after the last track, the music ends.
    if queue.isEmpty || (wasLast && queue.repeatMode == .off) { return halt(because: nil) }
    if state == .playing { return begin() }
    resumeFrame = 0
    return []
  }

  /// What plays goes on; a silent queue may begin anywhere.
  private mutating func setShuffled(_ isOn: Bool) -> [TransportEffect] {
    queue.setShuffled(isOn, keepsCurrent: state != .stopped)
    return offerSuccessor()
  }

  private mutating func clear() -> [TransportEffect] {
    let effects = halt(because: nil)
    queue.clear()
    beginAfresh()
    return effects
  }

  private mutating func edit<Result>(
    _ change: (inout PlayQueue) throws(QueueError) -> Result
  ) throws(TransportRefusal) -> [TransportEffect] {
    do throws(QueueError) {
      _ = try change(&queue)
    } catch {
      throw .queue(error)
    }
    return offerSuccessor()
  }
}

@discardableResult
private func orRefuse<Result>(
  _ body: () throws(QueueError) -> Result
) throws(TransportRefusal) -> Result {
  do throws(QueueError) { return try body() } catch { throw .queue(error) }
}
