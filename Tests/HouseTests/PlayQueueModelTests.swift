// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

/// The queue as one would write it without a thought for speed: two plain lists.
///
/// Where the queue draws lots, the model takes over the order after checking that it is an allowed one.
struct QueueModel {
  var order: [ItemID] = []
  var natural: [ItemID]?
  var current: ItemID?
  var heard: [ItemID] = []

  mutating func add(_ ids: [ItemID], to position: QueuePosition) {
    switch position {
    case .end:
      order += ids
      natural? += ids
    case .next:
      guard let current else { return add(ids, to: .end) }
      add(ids, to: .after(current))
    case .before(let id):
      for new in ids { insert(new, at: id, offset: 0) }
    case .after(let id):
      for new in ids.reversed() { insert(new, at: id, offset: 1) }
    }
    current = current ?? order.first
  }

  private mutating func insert(_ new: ItemID, at id: ItemID, offset: Int) {
    if let place = order.firstIndex(of: id) { order.insert(new, at: place + offset) }
    if let place = natural?.firstIndex(of: id) { natural?.insert(new, at: place + offset) }
  }

  mutating func move(_ ids: [ItemID], to position: QueuePosition) {
    let list = position == .next ? ids.filter { $0 != current } : ids
    order.removeAll { list.contains($0) }
    let place: Int? =
      switch position {
      case .end: nil
      case .next: current.flatMap(order.firstIndex(of:)).map { $0 + 1 }
      case .before(let id): order.firstIndex(of: id)
      case .after(let id): order.firstIndex(of: id).map { $0 + 1 }
      }
    order.insert(contentsOf: list, at: place ?? order.count)
  }

  mutating func remove(_ ids: [ItemID]) {
    if let id = current, ids.contains(id), let place = order.firstIndex(of: id) {
      current =
        order[place...].first { !ids.contains($0) } ?? order.first { !ids.contains($0) }
    }
    order.removeAll { ids.contains($0) }
    natural?.removeAll { ids.contains($0) }
    heard.removeAll { ids.contains($0) }
  }
}

@Suite struct PlayQueueModelTests {
  @Test(arguments: UInt64(1)...24) func `the queue is what two plain lists say`(seed: UInt64) throws
  {
    var random = SeededRandom(seed: seed)
    var queue = PlayQueue()
    queue.random = ShuffleRandom(seed: seed)
    var model = QueueModel()
    for step in 0..<1_500 {
      let before = queue
      try edit(&queue, &model, step: step, using: &random)
      check(queue, against: model)
      #expect(queue.revision - before.revision <= 2)
      if queue.items.map(\.id) != before.items.map(\.id) {
        #expect(queue.revision > before.revision)
      }
    }
  }

  private func check(_ queue: PlayQueue, against model: QueueModel) {
    #expect(queue.items.map(\.id) == model.order)
    #expect(queue.naturalOrder == model.natural)
    #expect(queue.current == model.current)
    #expect(queue.history.filter(Set(model.order).contains) == model.heard.suffix(200))
    for (place, id) in model.order.enumerated() { #expect(queue.index(of: id) == place) }
    let again = PlayQueue(
      restoring: queue.items, naturalOrder: queue.naturalOrder, current: queue.current,
      revision: queue.revision, repeatMode: queue.repeatMode, nextID: queue.nextID)
    #expect(again.items == queue.items && again.naturalOrder == queue.naturalOrder)
  }

  private func edit(
    _ queue: inout PlayQueue, _ model: inout QueueModel, step: Int,
    using random: inout SeededRandom
  ) throws {
    let some = model.order.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
    let chosen = Array(some)
    let other = model.order.first { !chosen.contains($0) }
    let position: QueuePosition = [
      .end, .next, other.map { .before($0) } ?? .end, other.map { .after($0) } ?? .next,
    ][Int.random(in: 0..<4, using: &random)]
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6:
      let ids = try queue.add(tracks("a\(step)", "b\(step)"), to: position)
      takeIn(ids, at: position, queue, &model)
    case 6..<9:
      try queue.move(chosen, to: position)
      model.move(chosen, to: position)
    case 9..<12:
      try queue.remove(chosen)
      model.remove(chosen)
    case 12: try shuffle(&queue, &model, keeping: step.isMultiple(of: 2))
    case 13..<17: try listen(to: &queue, &model, step: step)
    case 17 where step.isMultiple(of: 7):
      queue.clear()
      model = QueueModel(natural: model.natural.map { _ in [] })
    case 18:
      queue.repeatMode = RepeatMode.allCases[step % 3]
    default:
      queue.rewind()
      model.current = model.order.first
    }
  }

  private func takeIn(
    _ ids: [ItemID], at position: QueuePosition, _ queue: PlayQueue, _ model: inout QueueModel
  ) {
    let before = model
    model.add(ids, to: position)
    let isScattered = model.natural != nil && (position == .end || before.current == nil)
    guard isScattered else { return }
    // What was there keeps its order, and nothing new comes before the current track.
    let order = queue.items.map(\.id)
    #expect(order.filter { !ids.contains($0) } == before.order)
    #expect(Set(order) == Set(model.order))
    let place = before.current.flatMap(order.firstIndex(of:)) ?? -1
    #expect(ids.allSatisfy { id in order.firstIndex(of: id).map { $0 > place } ?? false })
    model.order = order
    model.current = before.current ?? order.first
  }

  private func shuffle(
    _ queue: inout PlayQueue, _ model: inout QueueModel, keeping: Bool
  ) throws {
    let wasFirst = model.current == model.order.first
    queue.setShuffled(!queue.isShuffled, keepsCurrent: keeping)
    let order = queue.items.map(\.id)
    if queue.isShuffled {
      #expect(Set(order) == Set(model.order))
      if keeping { #expect(order.first == model.current) }
      model.natural = model.order
    } else {
      #expect(order == model.natural)
      model.natural = nil
    }
    model.order = order
    if !keeping, wasFirst { model.current = order.first }
  }

  /// Through a transport, as the house does: it is heard, ends, and is gone back from.
  private func listen(to queue: inout PlayQueue, _ model: inout QueueModel, step: Int) throws {
    guard let id = queue.current else { return }
    var transport = Transport(restoring: queue, playback: .paused(atFrame: 0))
    #expect(transport.queue == queue)
    _ = try transport.perform(.resume)
    _ = transport.receive(.trackHeard(id))
    if model.heard.last != id { model.heard.append(id) }
    if model.heard.count > 200 { model.heard.removeFirst() }
    let last = model.order.last == id
    if step.isMultiple(of: 3) {
      _ = try transport.perform(.previous(elapsed: .zero))
      try goBack(from: id, transport.queue, &model)
    } else {
      _ = try transport.perform(.next)
      let order = transport.queue.items.map(\.id)
      if last, queue.repeatMode != .off, queue.isShuffled {
        #expect(Set(order) == Set(model.order))
        #expect(order.count == 1 || transport.queue.current != id)
        model.order = order
        model.current = order.first
      } else if let place = model.order.firstIndex(of: id) {
        model.current = last ? model.order.first : model.order[place + 1]
      }
    }
    queue = transport.queue
  }

  private func goBack(from id: ItemID, _ queue: PlayQueue, _ model: inout QueueModel) throws {
    guard model.natural != nil, let heard = model.heard.lastIndex(where: { $0 != id }) else {
      let place = try #require(model.order.firstIndex(of: id))
      model.current =
        place > 0
        ? model.order[place - 1] : queue.repeatMode == .all ? model.order.last : id
      return
    }
    let target = model.heard[heard]
    model.heard.removeSubrange(heard...)
    model.order.removeAll { $0 == target }
    model.order.insert(target, at: try #require(model.order.firstIndex(of: id)))
    model.current = target
  }
}
