// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CommandLineOptions
import ControlAPI
import Testing

@testable import CommandLineClient

private func queue(_ items: [QueueItemDocument], current: UInt64? = nil) -> QueueDocument {
  QueueDocument(revision: 1, items: items, currentItemID: current)
}

/// A queue of so many items with identities from 11 on.
private func queue(of count: Int) -> QueueDocument {
  queue(
    (0..<count).map {
      QueueItemDocument(id: UInt64($0 + 11), title: "t\($0 + 1)", location: "/m/\($0 + 1).flac")
    })
}

@Suite struct QueueSelectionTests {
  @Test(
    arguments: [
      (["1"], [11]), (["2-4"], [12, 13, 14]), (["5", "1"], [15, 11]), (["id:13", "3"], [13]),
      (["1-5"], [11, 12, 13, 14, 15]), (["1", "1-2"], [11, 12]),
    ] as [([String], [UInt64])])
  func `items are named as the list shows them`(words: [String], ids: [UInt64]) throws {
    #expect(try QueueSelection(words).ids(in: queue(of: 5)) == ids)
  }

  @Test(arguments: [
    "0", "6", "4-6", "3-2", "id:3", "id:", "id:x", "", "-", "1-", "-1", "1-2-3", "one", "+1", "٣",
    "99999999999999999999",
  ])
  func `what is no item is refused in words`(word: String) {
    let failure = #expect(throws: ClientFailure.self) {
      try QueueSelection([word]).ids(in: queue(of: 5))
    }
    #expect(failure?.description.contains(word) == true)
  }

  @Test func `a place is a number as the list shows it afterwards`() throws {
    let queue = queue(of: 5)
    func place(_ word: String, moving ids: [UInt64]) throws -> QueuePlace {
      try QueueSelection.place(word, moving: ids, in: queue)
    }
    #expect(try place("1", moving: [15]) == .before(11))
    #expect(try place("1", moving: [11]) == .before(12))
    #expect(try place("3", moving: [11, 12]) == .before(15))
    #expect(try place("5", moving: [11]) == .end)
    #expect(try place("99", moving: [11]) == .end)
    #expect(try place("next", moving: [11]) == .next)
    #expect(throws: ClientFailure.self) { try place("0", moving: [11]) }
    #expect(throws: ClientFailure.self) { try place("up", moving: [11]) }
  }
}

@Suite struct QueueTextTests {
  private var house: QueueDocument {
    var broken = QueueItemDocument(id: 2, title: "bad", location: "/m/bad.flac")
    broken.problem = "it is not audio that anybody has heard of, and here is a long reason for it"
    return queue(
      [
        QueueItemDocument(
          id: 1, title: "A title that is much longer than any terminal has columns for",
          artist: "Somebody", durationSeconds: 187, location: "/m/a.flac"),
        broken, QueueItemDocument(id: 3, title: "short", durationSeconds: 3_700, location: "c"),
      ], current: 1)
  }

  @Test func `no long title and no reason pushes a column out`() {
    for columns in [60, 80, 120] {
      let lines = QueueText(columns: columns).lines(house)
      #expect(lines.allSatisfy { $0.count <= columns }, "\(lines)")
      #expect(lines[0].contains("ARTIST") && lines[0].contains("LENGTH"))
      #expect(lines[1].hasPrefix("> 1") && lines[1].contains("Somebody"))
      #expect(lines[1].hasSuffix("3:07") && lines[3].hasSuffix("1:01:40"))
      #expect(lines[2].hasPrefix("! 2"))
      let reason = lines[4...].joined(separator: " ")
      #expect(reason.contains("2 bad: it is not audio") && reason.hasSuffix("reason for it"))
    }
  }

  @Test func `modes are told when they are not as usual`() {
    var shuffled = house
    shuffled.shuffle = true
    shuffled.repeatMode = .all
    #expect(QueueText(columns: 80).lines(shuffled).last == "shuffled, repeat all")
    #expect(QueueText(columns: 80).lines(queue([])) == ["The queue is empty."])
  }

  @Test func `identities and places of a window are those of the queue`() {
    var window = house
    window.firstIndex = 998
    let lines = QueueText(columns: 80).lines(window, withIDs: true)
    #expect(lines[1].hasPrefix(">  999  id:1") || lines[1].hasPrefix("> 999"))
    #expect(lines[3].contains("1001") && lines[3].contains("id:3"))
  }
}

@Suite struct QueueCommandLineTests {
  @Test func `later items of an order stand behind the earlier ones`() {
    #expect(
      MediaOrder.add(.next).following(7).command([]) == .queueAdd(items: [], place: .after(7)))
    #expect(MediaOrder.add(.end).following(7).command([]) == .queueAdd(items: [], place: .end))
    let play = MediaOrder.play(startSeconds: nil, startAt: nil)
    #expect(play.following(7).command([]) == .queueAdd(items: [], place: .end))
    #expect(play.beginsAtOnce && !MediaOrder.play(startSeconds: nil, startAt: 3).beginsAtOnce)
  }

  @Test(arguments: [
    ["queue", "move", "1-3", "7"], ["queue", "add", "x", "--before", "id:3"], ["queue", "-v"],
    ["play", "--next", "x"], ["play", "--from", "3", "x"], ["shuffle"], ["repeat", "all"],
    ["queue", "save", "Sunday", "--replace"],
  ])
  func `the words of the queue are understood`(words: [String]) throws {
    let invocation = try TuttiCommandLine.program.parse(words)
    let isRun = if case .run(_) = invocation { true } else { false }
    #expect(isRun)
  }
}
