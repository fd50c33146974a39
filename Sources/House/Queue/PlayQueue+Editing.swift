// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

extension PlayQueue {
  /// A track that is not in the queue yet.
  public struct Addition: Sendable, Hashable {
    /// Where its sound comes from.
    public var source: ItemSource
    /// What to call it until its tags have been read.
    public var label: String
    /// What is known of it before it is opened.
    public var facts: ItemFacts

    /// A track to be added.
    ///
    /// - Parameters:
    ///   - source: Where its sound comes from.
    ///   - label: What to call it until its tags have been read.
    ///   - facts: What is known of it before it is opened.
    public init(source: ItemSource, label: String, facts: ItemFacts = ItemFacts()) {
      self.source = source
      self.label = label
      self.facts = facts
    }
  }

  /// Puts tracks into the queue.
  ///
  /// - Parameters:
  ///   - additions: The tracks, in order.
  ///   - position: Where they go.
  /// - Returns: Their identities.
  /// - Throws: `QueueError`; nothing is added then.
  @discardableResult
  public mutating func add(
    _ additions: [Addition], to position: QueuePosition = .end
  ) throws(QueueError) -> [ItemID] {
    let anchor = try anchor(of: position)
    guard items.count + additions.count <= Self.capacity else { throw .full }
    guard !additions.isEmpty else { return [] }
    let fresh = additions.map { newItem($0) }
    let ids = fresh.map(\.id)
    naturalOrder?.place(ids, beside: anchor) { $0 }
    if isShuffled, anchor == nil {
      scatter(fresh)
    } else {
      reindex(from: items.place(fresh, beside: anchor, index: anchor.flatMap { places[$0.item] }))
    }
    if current == nil { current = items.first?.id }
    revision += 1
    return ids
  }

  /// Replaces the queue.
  ///
  /// - Parameters:
  ///   - additions: The tracks, in order.
  ///   - start: Which of them becomes the current one; nil: the first, or, shuffled, any.
  /// - Returns: Their identities.
  /// - Throws: `QueueError.full`; nothing has changed then.
  @discardableResult
  public mutating func replace(
    with additions: [Addition], startingAt start: Int?
  ) throws(QueueError) -> [ItemID] {
    guard additions.count <= Self.capacity else { throw .full }
    clear()
    guard !additions.isEmpty else { return [] }
    items = additions.map { newItem($0) }
    let ids = items.map(\.id)
    current = start.map { ids[min(max($0, 0), ids.count - 1)] }
    if isShuffled {
      naturalOrder = ids
      shuffle(first: current)
    } else {
      reindex(from: 0)
    }
    current = current ?? items.first?.id
    revision += 1
    return ids
  }

  /// Moves tracks, which keep playing and keep their identities.
  ///
  /// In a shuffled queue the order to go back to stays as it is.
  ///
  /// - Parameters:
  ///   - ids: The tracks in the order in which they shall stand.
  ///   - position: Where they go; `.next` leaves the current track where it is.
  /// - Throws: `QueueError`; nothing has moved then.
  public mutating func move(_ ids: [ItemID], to position: QueuePosition) throws(QueueError) {
    var moving = Set(ids)
    if let missing = ids.first(where: { places[$0] == nil }) { throw .noSuchItem(missing) }
    let anchor = try anchor(of: position)
    if position == .next { _ = current.map { moving.remove($0) } }
    if let anchor, moving.contains(anchor.item) { throw .movesBesideItself(anchor.item) }
    var chosen: [QueueItem] = []
    var left = moving
    for id in ids where left.remove(id) != nil { chosen += item(id).map { [$0] } ?? [] }
    let before = items
    items.removeAll { moving.contains($0.id) }
    let place = anchor.flatMap { anchor in items.firstIndex { $0.id == anchor.item } }
    items.place(chosen, beside: anchor, index: place)
    guard zip(items, before).contains(where: { $0.id != $1.id }) else { return }
    reindex(from: 0)
    revision += 1
  }

  /// Takes tracks out.
  ///
  /// When the current one is among them, the next that stays becomes current, or the first when none
  /// follows.
  ///
  /// - Parameter ids: The tracks.
  /// - Throws: `QueueError.noSuchItem`; nothing is taken out then.
  public mutating func remove(_ ids: some Collection<ItemID>) throws(QueueError) {
    let going = Set(ids)
    guard !going.isEmpty else { return }
    if let missing = ids.first(where: { places[$0] == nil }) { throw .noSuchItem(missing) }
    let heir = current.flatMap { going.contains($0) ? survivor(after: $0, without: going) : $0 }
    let start = going.compactMap { places[$0] }.min() ?? 0
    items.removeAll { going.contains($0.id) }
    naturalOrder?.removeAll(where: going.contains)
    history.removeAll(where: going.contains)
    for id in going { places[id] = nil }
    reindex(from: start)
    current = heir ?? items.first?.id
    revision += 1
  }

  /// The first track behind one that is not about to go.
  func survivor(after id: ItemID, without going: Set<ItemID>) -> ItemID? {
    guard let place = places[id] else { return nil }
    return items[(place + 1)...].first { !going.contains($0.id) }?.id
  }

  /// Takes everything out. The modes stay, and identities go on counting.
  public mutating func clear() {
    guard !items.isEmpty else { return }
    items = []
    places = [:]
    history = []
    if isShuffled { naturalOrder = [] }
    current = nil
    revision += 1
  }

  private mutating func newItem(_ addition: Addition) -> QueueItem {
    defer { nextID.rawValue += 1 }
    return QueueItem(
      id: nextID, source: addition.source, label: addition.label, facts: addition.facts)
  }

  /// What a position is named by; nil: the end.
  private func anchor(of position: QueuePosition) throws(QueueError) -> Anchor? {
    let anchor: Anchor? =
      switch position {
      case .end: nil
      case .next: current.map { Anchor(item: $0, isBefore: false) }
      case .before(let id): Anchor(item: id, isBefore: true)
      case .after(let id): Anchor(item: id, isBefore: false)
      }
    if let anchor, places[anchor.item] == nil { throw .noSuchItem(anchor.item) }
    return anchor
  }
}

/// A side of an item.
struct Anchor {
  var item: ItemID
  /// Whether what comes goes in front of it.
  var isBefore: Bool
}

extension Array {
  /// Puts elements beside the one at `index`, or at the end when there is none.
  ///
  /// - Returns: The first place that changed.
  @discardableResult
  mutating func place(_ elements: [Element], beside anchor: Anchor?, index: Int?) -> Int {
    var place = count
    if let anchor, let index { place = anchor.isBefore ? index : index + 1 }
    insert(contentsOf: elements, at: place)
    return place
  }

  /// Puts elements beside the one that the anchor names.
  mutating func place(
    _ elements: [Element], beside anchor: Anchor?, id: (Element) -> ItemID
  ) {
    let index = anchor.flatMap { anchor in firstIndex { id($0) == anchor.item } }
    place(elements, beside: anchor, index: index)
  }
}
