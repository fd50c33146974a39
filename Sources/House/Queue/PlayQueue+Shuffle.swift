// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// A shuffled queue is a queue in another order, with the old one remembered. When it repeats, each round
// has an order of its own. Which track opens the next round is settled by the generator before the round
// begins, because the engine asks seconds ahead and must get the same answer each time.

extension PlayQueue {
  /// Brings the tracks into a random order, or back into the one they had.
  ///
  /// - Parameters:
  ///   - isOn: Whether the order is to be random.
  ///   - keepsCurrent: Whether the current track goes on: it comes to the front, and all others follow
  ///     it. Otherwise any track may be the first, and the first is the current one.
  public mutating func setShuffled(_ isOn: Bool, keepsCurrent: Bool) {
    guard isOn != isShuffled else { return }
    let wasFirst = current == items.first?.id
    if isOn {
      naturalOrder = items.map(\.id)
      shuffle(first: keepsCurrent ? current : nil)
    } else if let order = naturalOrder {
      items = order.compactMap(item)
      naturalOrder = nil
      reindex(from: 0)
    }
    if !keepsCurrent, wasFirst { current = items.first?.id }
    revision += 1
  }

  /// A new random order of all tracks, with this one in front.
  mutating func shuffle(first: ItemID?) {
    items.shuffle(using: &random)
    if let first, let place = items.firstIndex(where: { $0.id == first }) { items.swapAt(0, place) }
    reindex(from: 0)
  }

  /// Puts new tracks at random places among those that are still to come, which keep their order.
  mutating func scatter(_ fresh: [QueueItem]) {
    let start = current.flatMap { places[$0] }.map { $0 + 1 } ?? 0
    let coming = items[start...]
    var rest = coming[...]
    var news = fresh.shuffled(using: &random)[...]
    var mixed: [QueueItem] = []
    mixed.reserveCapacity(rest.count + news.count)
    while !rest.isEmpty || !news.isEmpty {
      // Each of the places left is as likely as any other to get a new track.
      let isNew = Int.random(in: 0..<(rest.count + news.count), using: &random) < news.count
      if let item = isNew ? news.popFirst() : rest.popFirst() { mixed.append(item) }
    }
    items.replaceSubrange(start..., with: mixed)
    reindex(from: start)
  }

  /// The track that opens the round after this one: any but the one that ends it.
  func opener(after id: ItemID, skipping: Set<ItemID>) -> ItemID? {
    guard !items.isEmpty else { return nil }
    var peek = random
    let start = Int.random(in: items.indices, using: &peek)
    let others = [items[start...], items[..<start]].lazy.joined().map(\.id)
    return others.first { $0 != id && !skipping.contains($0) } ?? (skipping.contains(id) ? nil : id)
  }

  /// Goes forward to a track.
  ///
  /// - Parameter id: The track.
  /// - Returns: Whether a shuffled round has ended with that, so that the tracks have a new order.
  @discardableResult
  mutating func advance(to id: ItemID) -> Bool {
    defer { current = id }
    guard isShuffled, let current, id != current, let from = places[current],
      let to = places[id], to < from
    else { return false }
    shuffle(first: id)
    revision += 1
    return true
  }
}
