// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The queue of a group: what plays, in which order, and where we are in it.
//
// Every structural change makes a new revision, so that a client can say which queue its edit was
// meant for. Positions are named by item, never by index: indexes move under a slow client.

/// The tracks of a group in order, and the current one.
///
/// Invariants: identities are unique; `current` names an item, and is nil exactly when the queue is
/// empty. Moving along the queue does not change the revision; editing it does.
public struct PlayQueue: Sendable, Equatable {
  /// The most tracks that a queue holds; a bound on memory, far beyond the library of a house.
  public static let capacity = 100_000

  /// The tracks in the order in which they stand.
  public private(set) var items: [QueueItem] = []
  /// The track that plays, or would be played next by a plain "play".
  public internal(set) var current: ItemID?
  /// Counts the structural changes.
  public private(set) var revision: UInt64 = 0
  /// What happens at the end.
  public var repeatMode: RepeatMode = .off
  /// The identity that the next new item gets.
  public private(set) var nextID = ItemID(rawValue: 1)

  /// An empty queue.
  public init() {}

  /// A queue as it was saved; what contradicts the invariants is put right.
  ///
  /// - Parameters:
  ///   - items: The tracks; of two with the same identity the first stays.
  ///   - current: The current track; the first one when it names none.
  ///   - revision: The revision at the time.
  ///   - repeatMode: What happens at the end.
  ///   - nextID: The identity for the next new item; raised above all existing ones.
  public init(
    restoring items: [QueueItem], current: ItemID?, revision: UInt64, repeatMode: RepeatMode,
    nextID: ItemID
  ) {
    var seen: Set<ItemID> = []
    self.items = items.filter { seen.insert($0.id).inserted }
    self.revision = revision
    self.repeatMode = repeatMode
    let highest = seen.max()?.rawValue ?? 0
    self.nextID = ItemID(rawValue: max(nextID.rawValue, highest &+ 1, 1))
    self.current = current.flatMap { seen.contains($0) ? $0 : nil } ?? self.items.first?.id
  }

  /// Whether there is nothing to play.
  public var isEmpty: Bool { items.isEmpty }

  /// The current track.
  public var currentItem: QueueItem? { current.flatMap(item) }

  /// Finds a track.
  ///
  /// - Parameter id: Its identity.
  /// - Returns: The track, or nil when it is not in the queue.
  public func item(_ id: ItemID) -> QueueItem? {
    index(of: id).map { items[$0] }
  }

  func index(of id: ItemID) -> Int? {
    items.firstIndex { $0.id == id }
  }
}

// MARK: - Editing

extension PlayQueue {
  /// A track that is not in the queue yet.
  public struct Addition: Sendable, Hashable {
    /// Where its sound comes from.
    public var source: ItemSource
    /// What to call it until its tags have been read.
    public var label: String

    /// A track to be added.
    ///
    /// - Parameters:
    ///   - source: Where its sound comes from.
    ///   - label: What to call it until its tags have been read.
    public init(source: ItemSource, label: String) {
      self.source = source
      self.label = label
    }
  }

  /// Puts tracks at the end.
  ///
  /// - Parameter additions: The tracks, in order.
  /// - Returns: Their identities.
  /// - Throws: `QueueError.full` when they do not all fit; nothing is added then.
  @discardableResult
  public mutating func add(_ additions: [Addition]) throws(QueueError) -> [ItemID] {
    try insert(additions, at: items.count)
  }

  /// Puts tracks in front of another.
  ///
  /// - Parameters:
  ///   - additions: The tracks, in order.
  ///   - id: The track that will follow them.
  /// - Returns: Their identities.
  /// - Throws: `QueueError`; nothing is added then.
  @discardableResult
  public mutating func insert(
    _ additions: [Addition], before id: ItemID
  ) throws(QueueError) -> [ItemID] {
    guard let place = index(of: id) else { throw .noSuchItem(id) }
    return try insert(additions, at: place)
  }

  private mutating func insert(
    _ additions: [Addition], at place: Int
  ) throws(QueueError) -> [ItemID] {
    guard items.count + additions.count <= Self.capacity else { throw .full }
    guard !additions.isEmpty else { return [] }
    var fresh: [QueueItem] = []
    for addition in additions {
      fresh.append(QueueItem(id: nextID, source: addition.source, label: addition.label))
      nextID.rawValue += 1
    }
    items.insert(contentsOf: fresh, at: place)
    if current == nil { current = fresh.first?.id }
    revision += 1
    return fresh.map(\.id)
  }

  /// Takes a track out.
  ///
  /// When it is the current one, the track after it becomes current, or the first when it was last.
  ///
  /// - Parameter id: The track.
  /// - Throws: `QueueError.noSuchItem`.
  public mutating func remove(_ id: ItemID) throws(QueueError) {
    guard let place = index(of: id) else { throw .noSuchItem(id) }
    items.remove(at: place)
    if current == id {
      current = (place < items.count ? items[place] : items.first)?.id
    }
    revision += 1
  }

  /// Takes everything out. The repeat mode stays, and identities go on counting.
  public mutating func clear() {
    guard !items.isEmpty else { return }
    items = []
    current = nil
    revision += 1
  }
}

/// Why a queue was not changed.
public enum QueueError: Error, Sendable, Hashable {
  /// The queue holds `PlayQueue.capacity` tracks at most.
  case full
  /// The track is not in the queue (any more).
  case noSuchItem(ItemID)
}
