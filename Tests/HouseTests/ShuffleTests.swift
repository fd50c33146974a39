// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

private func named(_ count: Int) -> [PlayQueue.Addition] {
  (0..<count).map { tracks("t\($0)")[0] }
}

/// A queue of so many tracks, shuffled.
private func shuffled(_ count: Int, seed: UInt64 = 1) throws -> PlayQueue {
  var queue = PlayQueue()
  queue.random = ShuffleRandom(seed: seed)
  try queue.add(named(count))
  queue.setShuffled(true, keepsCurrent: true)
  return queue
}

@Suite struct ShuffleTests {
  @Test func `the current track goes on, and every other follows it once`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(named(20))
    try queue.select(ids[7])
    queue.setShuffled(true, keepsCurrent: true)
    #expect(queue.current == ids[7])
    #expect(queue.items.first?.id == ids[7])
    var played = [ids[7]]
    while let next = queue.successor(of: played[played.count - 1]) { played.append(next) }
    #expect(Set(played) == Set(ids) && played.count == 20)
    #expect(played != ids)
  }

  @Test func `shuffle off restores the order, with what was added meanwhile`() throws {
    var queue = try shuffled(20)
    let ids = try #require(queue.naturalOrder)
    let current = queue.items[5].id
    try queue.select(current)
    let end = try queue.add(tracks("end"))
    let beside = try queue.add(tracks("beside"), to: .after(ids[3]))
    try queue.remove([ids[10]])
    queue.setShuffled(false, keepsCurrent: true)
    var expected = ids
    expected.insert(contentsOf: beside, at: 4)
    expected.removeAll { $0 == ids[10] }
    #expect(queue.items.map(\.id) == expected + end)
    #expect(queue.current == (current == ids[10] ? queue.current : current))
  }

  @Test func `a silent queue begins anywhere, and one told where begins there`() throws {
    var firsts: Set<ItemID> = []
    for seed in UInt64(1)...20 {
      var queue = PlayQueue()
      queue.random = ShuffleRandom(seed: seed)
      queue.setShuffled(true, keepsCurrent: false)
      let ids = try queue.replace(with: named(10), startingAt: nil)
      firsts.insert(try #require(queue.current))
      #expect(queue.naturalOrder == ids)
      let told = try queue.replace(with: named(10), startingAt: 4)
      #expect(queue.current == told[4] && queue.items.first?.id == told[4])
    }
    #expect(firsts.map(\.rawValue).contains { $0 != 1 })
  }

  @Test(arguments: UInt64(1)...30)
  func `each round has its own order, and no track comes twice in a row`(seed: UInt64) throws {
    for count in 2...5 {
      var transport = Transport()
      transport.seedShuffle(seed)
      _ = try transport.perform(.setRepeat(.all))
      _ = try transport.perform(.setShuffled(true))
      _ = try transport.perform(.playTracks(named(count), startingAt: nil, fromFrame: 0))
      var heard: [ItemID] = []
      for _ in 0..<(4 * count) {
        let id = try #require(transport.queue.current)
        _ = transport.receive(.trackHeard(id))
        heard.append(id)
        // The answer is the same as often as it is asked for, and is what comes.
        let next = try #require(transport.queue.successor(of: id))
        #expect(transport.queue.successor(of: id) == next)
        _ = transport.receive(.needsNext(after: id))
        _ = transport.receive(.needsNext(after: next))
        _ = transport.receive(.trackHeard(next))
        #expect(transport.queue.current == next)
      }
      #expect(zip(heard, heard.dropFirst()).allSatisfy { $0 != $1 })
      for round in 0..<4 {
        let played = heard[(round * count)..<((round + 1) * count)]
        #expect(Set(played).count == count)
      }
    }
  }

  @Test func `previous goes back through what was heard, and next comes back`() throws {
    var transport = Transport()
    _ = try transport.perform(.playTracks(named(8), startingAt: 0, fromFrame: 0))
    var heard: [ItemID] = []
    for step in 0..<4 {
      let id = try #require(transport.queue.current)
      _ = transport.receive(.trackHeard(id))
      heard.append(id)
      if step == 1 { _ = try transport.perform(.setShuffled(true)) }
      if step < 3 { _ = try transport.perform(.next) }
    }
    for id in heard.dropLast().reversed() {
      _ = try transport.perform(.previous(elapsed: .zero))
      #expect(transport.queue.current == id)
      _ = transport.receive(.trackHeard(id))
    }
    for id in heard.dropFirst() {
      _ = try transport.perform(.next)
      #expect(transport.queue.current == id)
    }
  }

  @Test func `new tracks may come anywhere among those to come, next ones come next`() throws {
    var places: Set<Int> = []
    for seed in UInt64(1)...40 {
      var queue = try shuffled(10, seed: seed)
      try queue.select(queue.items[4].id)
      let new = try #require(try queue.add(tracks("new")).first)
      places.insert(try #require(queue.index(of: new)))
      let next = try #require(try queue.add(tracks("next"), to: .next).first)
      #expect(queue.index(of: next) == 5)
    }
    #expect(places.min() == 5 && places.max() == 10)
  }
}

@Suite struct LongQueueTests {
  /// A pass over the queue for each of these would take minutes.
  @Test func `a queue at its capacity finds its items at once`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(named(PlayQueue.capacity))
    var found = 0
    for id in ids where queue.item(id)?.id == id { found += 1 }
    #expect(found == ids.count)
    var id = ids[0]
    var steps = 0
    while let next = queue.successor(of: id) { (id, steps) = (next, steps + 1) }
    #expect(steps == ids.count - 1)
    let copy = queue
    for _ in 0..<100_000 where copy != queue { Issue.record("a copy is not itself") }
  }

  @Test func `edits of a queue at its capacity are those of a short one`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(named(PlayQueue.capacity - 3))
    queue.setShuffled(true, keepsCurrent: true)
    try queue.move([ids[500], ids[7]], to: .next)
    try queue.add(tracks("x"), to: .before(ids[9]))
    try queue.remove(ids[20..<1_000])
    queue.setShuffled(false, keepsCurrent: true)
    #expect(queue.items.count == PlayQueue.capacity - 2 - 980)
    #expect(queue.items[9].label == "x")
    #expect(queue.index(of: ids[1_000]) == 21)
  }
}
