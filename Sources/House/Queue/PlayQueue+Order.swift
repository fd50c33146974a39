// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// Moving along the queue. What *follows* (a track has ended) and what *next* means (a listener
// skips) differ only when one track repeats: it follows itself, and yet "next" gets away from it.

extension PlayQueue {
  /// How far into a track "previous" still means the track before it (as music players do).
  public static let restartThreshold = Nanoseconds.seconds(3)

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
    return items[...place].lazy.map(\.id).first { !skipping.contains($0) }
  }

  /// The track that "previous" means: this one again when it has played a while or is the first.
  ///
  /// - Parameters:
  ///   - id: The track that plays.
  ///   - elapsed: How much of it has been heard.
  /// - Returns: The track to begin, or nil when `id` is not in the queue.
  public func previous(before id: ItemID, elapsed: Nanoseconds) -> ItemID? {
    guard let place = index(of: id) else { return nil }
    if elapsed > Self.restartThreshold { return id }
    if place > 0 { return items[place - 1].id }
    return repeatMode == .all ? items.last?.id : id
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
