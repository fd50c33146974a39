// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What the playback engine tells.
public enum TransportEvent: Sendable, Hashable {
  /// The first frame of the track is heard now.
  case trackHeard(ItemID)
  /// The engine is about to reach the end of what it reads and wants to know what follows.
  case needsNext(after: ItemID)
  /// The track cannot be opened, or not be read any further; in words.
  case trackFailed(ItemID, reason: String)
  /// The last frame of what the engine was given has been heard.
  case finished
}

extension Transport {
  /// Takes in what the engine tells.
  ///
  /// - Parameter event: What happened.
  /// - Returns: What the engine has to do, in order.
  public mutating func receive(_ event: TransportEvent) -> [TransportEffect] {
    guard state != .stopped else { return [] }
    switch event {
    case .trackHeard(let id): return trackHeard(id)
    case .needsNext(let id): return needsNext(after: id)
    case .trackFailed(let id, let reason): return trackFailed(id, reason: reason)
    case .finished: return finished()
    }
  }

  private mutating func trackHeard(_ id: ItemID) -> [TransportEffect] {
    let place = ahead.dropFirst(isHeard ? 1 : 0).firstIndex(of: id)
    guard let place, queue.item(id) != nil else { return [] }
    let isCompleted = isHeard && !failedItems.contains(ahead[0])
    if isCompleted { failures = [] }
    ahead.removeFirst(place)
    let isNewRound = queue.advance(to: id)
    queue.noteHeard(id)
    isHeard = true
    hasSounded = true
    return isNewRound ? offerSuccessor() : []
  }

  private mutating func needsNext(after id: ItemID) -> [TransportEffect] {
    if ahead.last != id {
      guard id == offered else { return [] }
      ahead.append(id)
    } else if offered == id {
      ahead.append(id)
    }
    return offerAnew()
  }

  private mutating func trackFailed(_ id: ItemID, reason: String) -> [TransportEffect] {
    guard let item = queue.item(id), ahead.contains(id) || offered == id else { return [] }
    if !failedItems.contains(id) {
      failures.append(TrackFailure(item: id, label: item.nameInTrouble, reason: reason))
    }
    let isAwaited = ahead == [id] && !isHeard
    if isAwaited { return goOn(after: id) }
    // Heard in part, or still ahead: what has been read of it plays out, then the next follows.
    if ahead.last != id { ahead.append(id) }
    return offerAnew()
  }

  /// Answers the engine even when the answer is that nothing follows.
  private mutating func offerAnew() -> [TransportEffect] {
    offered = nil
    let effects = offerSuccessor()
    return effects.isEmpty ? [.setNext(nil)] : effects
  }

  private mutating func finished() -> [TransportEffect] {
    guard let current = queue.current else { return halt(because: nil) }
    guard isHeard else {
      ahead = [current]
      return trackFailed(current, reason: "there is no sound in it")
    }
    if !failedItems.contains(current) { failures = [] }
    // The engine ran dry although something follows: an edit came too late to be gapless.
    return goOn(after: ahead.last.flatMap { queue.item($0)?.id } ?? current)
  }

  /// Begins what follows, or stops and says why.
  private mutating func goOn(after id: ItemID) -> [TransportEffect] {
    guard let following = queue.successor(of: id, skipping: failedItems) else {
      return halt(because: hasSounded ? nil : nothingPlays)
    }
    queue.advance(to: following)
    if state == .playing { return begin() }
    resumeFrame = 0
    return []
  }

  private var nothingPlays: String? {
    guard let last = failures.last else { return nil }
    if failures.count == 1 { return "\(last.label) cannot be played: \(last.reason)" }
    return "nothing in the queue can be played (\(failures.count) tracks); "
      + "the last one, \(last.label): \(last.reason)"
  }
}
