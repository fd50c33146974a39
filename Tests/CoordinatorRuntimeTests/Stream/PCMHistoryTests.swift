// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import DecoderProtocol
import House
import Testing

@testable import CoordinatorRuntime

struct FlushRepeatsTests {
  let start = LocalInstant(nanoseconds: 1_000_000_000)

  func begun(rooms: [String] = ["kitchen"]) -> FlushRepeats<String> {
    var repeats = FlushRepeats<String>()
    repeats.begin([1, 2, 3], serial: 7, to: rooms, at: start)
    return repeats
  }

  /// Wakes whenever the repeats ask for it; the milliseconds at which something was sent.
  func run(_ repeats: inout FlushRepeats<String>) -> [Int64] {
    var moments: [Int64] = []
    while let now = repeats.nextDeadline {
      moments += repeats.due(at: now).map { _ in (now - start).count / 1_000_000 }
    }
    return moments
  }

  @Test func `a room that never answers is asked at 0, 5, 15 and 40 ms and then given up`() {
    var repeats = begun()
    #expect(run(&repeats) == [0, 5, 15, 40])
    #expect(repeats.unacknowledged == 1 && repeats.isSettled)
  }

  @Test func `an acknowledgement ends the repetitions for that room alone`() {
    var repeats = begun(rooms: ["kitchen", "bath"])
    #expect(repeats.due(at: start).map(\.room) == ["kitchen", "bath"])
    repeats.acknowledge(7, by: "kitchen")
    #expect(run(&repeats) == [5, 15, 40])
    #expect(repeats.unacknowledged == 1)
  }

  @Test func `an acknowledgement of another flush, or of a stranger, changes nothing`() {
    var repeats = begun()
    repeats.acknowledge(6, by: "kitchen")
    repeats.acknowledge(7, by: "garden")
    #expect(run(&repeats).count == 4)
  }

  @Test func `a late answer still counts, and a late timer sends once`() {
    var repeats = begun()
    #expect(repeats.due(at: start + .milliseconds(45)).count == 1)
    #expect(repeats.due(at: start + .milliseconds(46)).isEmpty)
    repeats.acknowledge(7, by: "kitchen")
    #expect(repeats.isSettled && repeats.unacknowledged == 0)
  }
}

struct FrameRingTests {
  func frames(_ range: Range<Int64>) -> [Float] { range.flatMap { [Float($0), -Float($0)] } }

  @Test(arguments: [1, 3, 7, 10])
  func `what was written last is read back, across every wrap`(portion: Int64) {
    var ring = FrameRing(capacity: 10)
    var block: [Float] = []
    for first in stride(from: Int64(0), to: 60, by: Int64.Stride(portion)) {
      ring.append(frames(first..<first + portion)[...])
      #expect(ring.end == first + portion && ring.start == max(0, ring.end - 10))
      ring.read(Int(ring.end - ring.start), from: ring.start, into: &block)
      #expect(block == frames(ring.start..<ring.end))
    }
  }

  @Test func `what is not there yet reads as silence`() {
    var ring = FrameRing(capacity: 10)
    ring.append(frames(0..<4)[...])
    var block: [Float] = []
    ring.read(6, from: 2, into: &block)
    #expect(block == frames(2..<4) + [Float](repeating: 0, count: 8))
  }

  @Test(arguments: [Int64(0), 4, 10, 23, 60])
  func `enlarged it has all it had, and forgets later`(written: Int64) {
    var ring = FrameRing(capacity: 10)
    for first in 0..<written { ring.append(frames(first..<first + 1)[...]) }
    let start = ring.start
    ring.enlarge(to: 17)
    #expect(ring.start == start && ring.end == written && ring.capacity == 17)
    ring.append(frames(written..<written + 5)[...])
    var block: [Float] = []
    ring.read(Int(ring.end - ring.start), from: ring.start, into: &block)
    #expect(block == frames(ring.start..<written + 5))
    ring.enlarge(to: 3)
    #expect(ring.capacity == 17)
  }

  @Test func `after a truncation other frames take the place`() {
    var ring = FrameRing(capacity: 10)
    ring.append(frames(0..<8)[...])
    ring.truncate(at: 5)
    ring.append(frames(100..<102)[...])
    var block: [Float] = []
    ring.read(4, from: 3, into: &block)
    #expect(block == frames(3..<5) + frames(100..<102))
  }
}

struct PCMHistoryTests {
  func request(_ item: UInt64) -> TrackRequest {
    TrackRequest(itemID: ItemID(rawValue: item), location: .file(path: "/\(item)"))
  }

  func history(
    ahead: Int64 = 10_000, wakeProducer: @escaping @Sendable () -> Void = {}
  ) throws -> PCMHistory {
    try PCMHistory(first: request(1), behind: 5_000, ahead: ahead, wakeProducer: wakeProducer)
  }

  func source(_ number: Int) -> TestMusicSource {
    TestMusicSource(number: number, track: TestTrack(frames: 100_000), startFrame: 0)
  }

  func samples(_ frames: Int) -> [Float] { [Float](repeating: 0.5, count: frames * 2) }

  /// Takes the next track and writes some frames of it.
  func read(_ frames: Int, in history: PCMHistory) throws -> Int {
    guard case .read(let track, let epoch) = history.nextInstruction() else { return -1 }
    let number = Int(track.itemID.rawValue)
    #expect(history.begin(source(number), for: track, epoch: epoch))
    #expect(history.append(samples(frames), epoch: epoch))
    return epoch
  }

  @Test func `tracks are marked where they begin, and a track is known by its place`() throws {
    let history = try history()
    _ = try read(700, in: history)
    history.follow(with: .track(request(2)))
    _ = try read(300, in: history)
    #expect(history.extent.end == 1_000)
    #expect(history.mark(at: 699)?.itemID.rawValue == 1)
    #expect(history.mark(at: 700)?.itemID.rawValue == 2)
    #expect(history.marks(in: 1..<1_000).map(\.content) == [700])
    #expect(history.place(of: ItemID(rawValue: 1)) == .followed(at: 700))
    #expect(history.place(of: ItemID(rawValue: 2)) == .last)
    #expect(history.place(of: ItemID(rawValue: 3)) == .unknown)
  }

  @Test func `a follower that is taken back cannot write any more`() throws {
    let history = try history()
    _ = try read(700, in: history)
    history.follow(with: .track(request(2)))
    let old = try read(300, in: history)
    history.replace(from: 700, with: .track(request(3)))
    #expect(!history.append(samples(10), epoch: old))
    #expect(!history.begin(source(2), for: request(2), epoch: old))
    #expect(history.place(of: ItemID(rawValue: 2)) == .unknown)
    _ = try read(50, in: history)
    #expect(history.extent.end == 750)
    #expect(history.mark(at: 700)?.itemID.rawValue == 3)
  }

  @Test func `a track without sound leaves no mark of its own`() throws {
    let history = try history()
    _ = try read(700, in: history)
    history.follow(with: .track(request(2)))
    _ = try read(0, in: history)
    history.follow(with: .track(request(3)))
    _ = try read(10, in: history)
    #expect(history.marks(in: 1..<710).map(\.itemID.rawValue) == [3])
  }

  @Test func `a reader that is far enough ahead waits, and a cancelled one is freed`() async throws
  {
    let (news, wake) = AsyncStream<Void>.makeStream()
    let history = try history(ahead: 100) { wake.yield() }
    var woken = news.makeAsyncIterator()
    guard case .read(let track, let epoch) = history.nextInstruction() else { return }
    #expect(history.begin(source(1), for: track, epoch: epoch))
    let (ended, end) = AsyncStream<Bool>.makeStream()
    let samples = samples(250)
    _ = try NamedThread("reader", log: .discarding) {
      end.yield(history.append(samples, epoch: epoch))
    }
    while history.extent.end < 100 { await woken.next() }
    history.consume(to: 60)
    while history.extent.end < 160 { await woken.next() }
    #expect(history.extent.end == 160)
    history.cancel()
    var outcomes = ended.makeAsyncIterator()
    #expect(await outcomes.next() == false)
  }
}
