// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The queue of a group: what plays, in which order, and where we are in it.
//
// Every structural change makes a new revision, so that a client can say which queue its edit was
// meant for. Positions are named by item, never by index: indexes move under a slow client.
//
// `items` is always the order in which the music plays, also while it is shuffled: what a listener sees
// is what comes. `naturalOrder` remembers the order to go back to. Edits cost a pass over the queue
// (milliseconds at its capacity); finding an item, and what follows it, costs the same in any queue.

/// The tracks of a group in order, and the current one.
///
/// Invariants: identities are unique; `current` names an item, and is nil exactly when the queue is
/// empty; `naturalOrder` names the same items as `items`. Moving along the queue does not change the
/// revision, except where a shuffled order is made anew; editing it does.
public struct PlayQueue: Sendable {
  /// The most tracks that a queue holds; a bound on memory, far beyond the library of a house.
  public static let capacity = 100_000

  /// The tracks in the order in which they play.
  public internal(set) var items: [QueueItem] = []
  /// The track that plays, or would be played next by a plain "play".
  public internal(set) var current: ItemID?
  /// Counts the structural changes.
  public internal(set) var revision: UInt64 = 0
  /// What happens at the end.
  public var repeatMode: RepeatMode = .off
  /// The identity that the next new item gets.
  public internal(set) var nextID = ItemID(rawValue: 1)
  /// While shuffled: the order to which "shuffle off" goes back.
  public internal(set) var naturalOrder: [ItemID]?
  /// What has been heard, oldest first; at most `historyLimit` items.
  public internal(set) var history: [ItemID] = []
  /// Where shuffled orders come from.
  public var random = ShuffleRandom(seed: 0)

  /// Where each item stands in `items`.
  var places: [ItemID: Int] = [:]

  /// An empty queue.
  public init() {}

  /// A queue as it was saved; what contradicts the invariants is put right.
  ///
  /// - Parameters:
  ///   - items: The tracks; of two with the same identity the first stays.
  ///   - naturalOrder: While shuffled, the order to go back to.
  ///   - current: The current track; the first one when it names none.
  ///   - revision: The revision at the time.
  ///   - repeatMode: What happens at the end.
  ///   - nextID: The identity for the next new item; raised above all existing ones.
  ///   - history: What was heard, oldest first.
  public init(
    restoring items: [QueueItem], naturalOrder: [ItemID]? = nil, current: ItemID?,
    revision: UInt64, repeatMode: RepeatMode, nextID: ItemID, history: [ItemID] = []
  ) {
    var seen: Set<ItemID> = []
    self.items = items.filter { seen.insert($0.id).inserted }
    self.revision = revision
    self.repeatMode = repeatMode
    let highest = seen.max()?.rawValue ?? 0
    self.nextID = ItemID(rawValue: max(nextID.rawValue, highest &+ 1, 1))
    self.current = current.flatMap { seen.contains($0) ? $0 : nil } ?? self.items.first?.id
    self.history = history.suffix(Self.historyLimit).filter(seen.contains)
    reindex(from: 0)
    guard let naturalOrder else { return }
    let known = naturalOrder.filter { seen.remove($0) != nil }
    self.naturalOrder = known + self.items.map(\.id).filter(seen.contains)
  }

  /// Whether there is nothing to play.
  public var isEmpty: Bool { items.isEmpty }

  /// Whether the order is a random one.
  public var isShuffled: Bool { naturalOrder != nil }

  /// The current track.
  public var currentItem: QueueItem? { current.flatMap(item) }

  /// Finds a track.
  ///
  /// - Parameter id: Its identity.
  /// - Returns: The track, or nil when it is not in the queue.
  public func item(_ id: ItemID) -> QueueItem? {
    index(of: id).map { items[$0] }
  }

  /// Where a track stands now: good until the next edit, and for showing only.
  ///
  /// - Parameter id: Its identity.
  /// - Returns: How many tracks play before it, or nil when it is not in the queue.
  public func index(of id: ItemID) -> Int? { places[id] }

  /// Brings `places` up to date behind a change.
  mutating func reindex(from start: Int) {
    for place in start..<items.count { places[items[place].id] = place }
  }
}

extension PlayQueue: Equatable {
  /// Whether two queues are the same. Two copies of one queue compare in no time, however long it is.
  public static func == (a: Self, b: Self) -> Bool {
    a.revision == b.revision && a.current == b.current && a.repeatMode == b.repeatMode
      && a.nextID == b.nextID && a.random == b.random && a.history == b.history
      && a.naturalOrder == b.naturalOrder && a.items == b.items
  }
}

/// Where in the queue something goes.
public enum QueuePosition: Sendable, Hashable {
  /// Behind all others; in a shuffled queue anywhere among those that are still to come.
  case end
  /// Behind the current track.
  case next
  /// In front of a track.
  case before(ItemID)
  /// Behind a track.
  case after(ItemID)
}

/// Why a queue was not changed.
public enum QueueError: Error, Sendable, Hashable {
  /// The queue holds `PlayQueue.capacity` tracks at most.
  case full
  /// The track is not in the queue (any more).
  case noSuchItem(ItemID)
  /// A track cannot be moved next to itself.
  case movesBesideItself(ItemID)
}
