// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

func tracks(_ names: String...) -> [PlayQueue.Addition] {
  names.map { PlayQueue.Addition(source: .file(path: "/music/\($0).flac"), label: $0) }
}

@Suite struct PlayQueueTests {
  @Test func `the first track added becomes the current one`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(tracks("a", "b"))
    #expect(queue.current == ids[0])
    #expect(queue.revision == 1)
  }

  @Test func `an identity is never used twice`() throws {
    var queue = PlayQueue()
    let first = try queue.add(tracks("a", "b"))
    queue.clear()
    let second = try queue.add(tracks("a", "b"))
    #expect(Set(first).isDisjoint(with: second))
  }

  @Test func `tracks are inserted in front of the one named`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(tracks("a", "c"))
    try queue.add(tracks("b"), to: .before(ids[1]))
    #expect(queue.items.map(\.label) == ["a", "b", "c"])
    #expect(throws: QueueError.noSuchItem(ItemID(rawValue: 99))) {
      try queue.add(tracks("x"), to: .before(ItemID(rawValue: 99)))
    }
  }

  @Test func `removing the current track makes the one after it current`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(tracks("a", "b", "c"))
    try queue.select(ids[1])
    try queue.remove([ids[1]])
    #expect(queue.current == ids[2])
    try queue.remove([ids[2]])
    #expect(queue.current == ids[0])
    try queue.remove([ids[0]])
    #expect(queue.current == nil)
  }

  @Test func `a queue that is too long is refused whole`() throws {
    var queue = PlayQueue()
    let many = Array(repeating: tracks("a")[0], count: PlayQueue.capacity)
    try queue.add(many)
    #expect(throws: QueueError.full) { try queue.add(tracks("b")) }
    #expect(queue.items.count == PlayQueue.capacity)
  }

  @Test func `previous restarts a track of which more than three seconds were heard`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(tracks("a", "b"))
    try queue.select(ids[1])
    #expect(queue.goBack(elapsed: .milliseconds(3_001)) == ids[1])
    #expect(queue.goBack(elapsed: .seconds(3)) == ids[0])
    #expect(queue.goBack(elapsed: .zero) == ids[0])
    queue.repeatMode = .all
    #expect(queue.goBack(elapsed: .zero) == ids[1])
    #expect(queue.current == ids[1])
  }

  @Test(arguments: RepeatMode.allCases) func `the last track is followed by what the mode says`(
    mode: RepeatMode
  ) throws {
    var queue = PlayQueue()
    let ids = try queue.add(tracks("a", "b"))
    queue.repeatMode = mode
    let followers: [RepeatMode: ItemID?] = [.off: nil, .all: ids[0], .one: ids[1]]
    #expect(queue.successor(of: ids[1]) == followers[mode])
    #expect(queue.next(after: ids[1]) == (mode == .off ? nil : ids[0]))
  }

  @Test func `tracks that do not play are passed over, and a queue of them ends`() throws {
    var queue = PlayQueue()
    let ids = try queue.add(tracks("a", "b", "c"))
    queue.repeatMode = .all
    #expect(queue.successor(of: ids[0], skipping: [ids[1]]) == ids[2])
    #expect(queue.successor(of: ids[2], skipping: [ids[0], ids[1]]) == ids[2])
    #expect(queue.successor(of: ids[2], skipping: Set(ids)) == nil)
  }

  @Test func `a saved queue that contradicts itself is put right`() {
    let item = QueueItem(id: ItemID(rawValue: 7), source: .url("http://h/a.mp3"), label: "a")
    let queue = PlayQueue(
      restoring: [item, item], current: ItemID(rawValue: 1), revision: 3, repeatMode: .all,
      nextID: ItemID(rawValue: 2))
    #expect(queue.items == [item])
    #expect(queue.current == item.id)
    #expect(queue.nextID == ItemID(rawValue: 8))
  }
}
