// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import RealtimeAudio
import Testing

/// A payload whose words must all agree, and whose size is no multiple of a word.
struct Sample: BitwiseCopyable, Sendable, Equatable {
  var first: UInt64
  var numbers: InlineArray<20, UInt64>
  var last: UInt32

  init(_ value: UInt64) {
    first = value
    numbers = InlineArray(repeating: value)
    last = UInt32(truncatingIfNeeded: value)
  }

  static func == (a: Self, b: Self) -> Bool {
    guard a.first == b.first, a.last == b.last else { return false }
    return a.numbers.indices.allSatisfy { a.numbers[$0] == b.numbers[$0] }
  }
}

@Suite struct SnapshotMailboxTests {
  @Test func `an empty mailbox leaves the reader's copy alone`() {
    let mailbox = SnapshotMailbox<Sample>()
    var copy = Sample(7)
    #expect(!mailbox.load(into: &copy))
    #expect(copy == Sample(7))
  }

  @Test func `the latest snapshot is read, as often as wanted`() {
    let mailbox = SnapshotMailbox<Sample>()
    var copy = Sample(0)
    for value in 1...5 as ClosedRange<UInt64> { mailbox.store(Sample(value << 40 | value)) }
    for _ in 0..<3 {
      #expect(mailbox.load(into: &copy))
      #expect(copy == Sample(5 << 40 | 5))
    }
    #expect(mailbox.words.latestVersion == 5)
  }

  @Test func `a reader beside a busy writer never sees half a snapshot`() {
    let mailbox = SnapshotMailbox<Sample>()
    let rounds: UInt64 = 30_000
    mailbox.store(Sample(0))
    let writer = TestThread {
      for value in 1...rounds { mailbox.store(Sample(value)) }
    }
    var copy = Sample(0)
    var newest: UInt64 = 0
    var reads = 0
    while newest < rounds {
      guard mailbox.load(into: &copy) else { continue }
      if copy != Sample(copy.first) || copy.first < newest { break }
      newest = copy.first
      reads += 1
    }
    writer.join()
    #expect(newest == rounds)
    #expect(reads > 0)
  }
}
