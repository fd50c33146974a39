// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Moving along the queue. What *follows* (a track has ended) and what *next* means (a listener
// skips) differ only when one track repeats: it follows itself, and yet "next" gets away from it.

extension PlayQueue {
  /// How far into a track "previous" still means the track before it (as music players do).
  public static let restartThreshold = Nanoseconds.seconds(3)
  /// So many tracks back "previous" finds its way in a shuffled queue: an evening.
  public static let historyLimit = 200

  /// The track that follows when this one has ended.
  ///
  /// - Parameters:
  ///   - id: The track that ends.
  ///   - skipping: Tracks that are passed over because they do not play.
  /// - Returns: The track to follow, or nil when the music ends there.
  public func successor(of id: ItemID, skipping: Set<ItemID> = []) -> ItemID? {
    if repeatMode == .one, index(of: id) != nil, !skipping.contains(id) { return id }
    return next(after: id, skipping: skipping)
  }

  /// The track that "next" means: the one standing after this one.
  ///
  /// - Parameters:
  ///   - id: The track to leave.
  ///   - skipping: Tracks that are passed over because they do not play.
  /// - Returns: The track, or nil at the end of a queue that does not repeat.
  public func next(after id: ItemID, skipping: Set<ItemID> = []) -> ItemID? {
    guard let place = index(of: id) else { return nil }
    let after = items[(place + 1)...].lazy.map(\.id).first { !skipping.contains($0) }
    if after != nil || repeatMode == .off { return after }
    if isShuffled { return opener(after: id, skipping: skipping) }
    return items[...place].lazy.map(\.id).first { !skipping.contains($0) }
  }

  /// Goes to what "previous" means: the current track again when it has played a while or is the
  /// first, else the one before; in a shuffled queue, the one that was heard before.
  ///
  /// - Parameter elapsed: How much of the current track has been heard.
  /// - Returns: The track to begin, which is the current one now; nil when the queue is empty.
  public mutating func goBack(elapsed: Nanoseconds) -> ItemID? {
    guard let id = current, let place = index(of: id) else { return nil }
    if elapsed > Self.restartThreshold { return id }
    if isShuffled, let heard = history.lastIndex(where: { $0 != id && places[$0] != nil }) {
      let target = history[heard]
      history.removeSubrange(heard...)
      bring(target, before: id)
      current = target
      return target
    }
    if place > 0 {
      current = items[place - 1].id
    } else if repeatMode == .all {
      current = items.last?.id
    }
    return current
  }

  /// A random order is ours to change: so "next" leads back to where the listener came from.
  private mutating func bring(_ target: ItemID, before id: ItemID) {
    guard let from = places[target], let to = places[id], from + 1 != to else { return }
    let item = items.remove(at: from)
    items.insert(item, at: from < to ? to - 1 : to)
    reindex(from: min(from, to))
    revision += 1
  }

  /// Remembers that a track is heard.
  mutating func noteHeard(_ id: ItemID) {
    guard history.last != id else { return }
    history.append(id)
    if history.count > Self.historyLimit { history.removeFirst() }
  }

  /// Makes a track the current one.
  ///
  /// - Parameter id: The track.
  /// - Throws: `QueueError.noSuchItem`.
  public mutating func select(_ id: ItemID) throws(QueueError) {
    guard index(of: id) != nil else { throw .noSuchItem(id) }
    current = id
  }

  /// Goes back to the first track.
  public mutating func rewind() {
    current = items.first?.id
  }
}
