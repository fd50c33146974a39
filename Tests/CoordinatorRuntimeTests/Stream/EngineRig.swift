// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import DaemonProcess
import DecoderProtocol
import Glibc
import House
import LinuxNetworking
import Synchronization
import Testing
import WireProtocol

@testable import CoordinatorRuntime

/// Keeps nothing beyond the process.
final class MemoryStorage: StreamStorage {
  private let clock = Mutex<SavedMediaClock?>(nil)
  private let generations = Mutex<GenerationCounter.Saved?>(nil)

  func savedClock() -> SavedMediaClock? { clock.withLock { $0 } }
  func save(_ clock: SavedMediaClock) { self.clock.withLock { $0 = clock } }
  func savedGenerations() -> GenerationCounter.Saved? { generations.withLock { $0 } }
  func save(_ saved: GenerationCounter.Saved) { generations.withLock { $0 = saved } }
}

/// What a button may take in these tests beyond its figure: they share a busy machine with others.
/// `docs/measurements.md` has the figures themselves.
let patience = Nanoseconds.milliseconds(500)

/// An engine with rooms on loopback, and a driver that answers `needsNext` from a list.
final class EngineRig {
  static let lookAhead = 312

  let clock: MediaClock
  let engine: PlaybackEngine
  let rooms: [RoomProbe]
  let delay: Nanoseconds
  /// Every event so far.
  private(set) var seen: [EngineEvent] = []
  private var events: AsyncStream<EngineEvent>.Iterator
  private var packets: [AsyncStream<RoomProbe.Packet>.Iterator]
  private var clockReplies: AsyncStream<NTPPacket>.Iterator
  /// What follows which item.
  var followers: [UInt64: UInt64] = [:]

  convenience init(
    _ tracks: [Int: TestTrack], rooms count: Int = 1, delay: Nanoseconds = .seconds(1),
    storage: MemoryStorage = MemoryStorage(), acknowledges: Bool = true,
    inputs: LiveInputs = LiveInputs()
  ) throws {
    try self.init(
      sources: TestMusicOpener(tracks), rooms: count, delay: delay, storage: storage,
      acknowledges: acknowledges, inputs: inputs)
  }

  init(
    sources: any PCMSourceOpener, rooms count: Int = 1, delay: Nanoseconds = .seconds(1),
    storage: MemoryStorage = MemoryStorage(), acknowledges: Bool = true,
    host: HostClocks = .system, inputs: LiveInputs = LiveInputs()
  ) throws {
    clock = MediaClock(storage: storage, host: host)
    self.delay = delay
    engine = try PlaybackEngine(
      configuration: EngineConfiguration(listen: .loopback(port: 0), playoutDelay: delay),
      clock: clock, storage: storage, sources: sources, inputs: inputs, log: .discarding)
    rooms = try (0..<count).map { _ in try RoomProbe(acknowledges: acknowledges) }
    events = engine.events.makeAsyncIterator()
    packets = rooms.map { $0.packets.makeAsyncIterator() }
    clockReplies = rooms[0].clockReplies.makeAsyncIterator()
    engine.setRooms((0..<count).map(destination))
  }

  func destination(_ index: Int) -> RoomDestination {
    RoomDestination(
      id: RoomID(rawValue: "room \(index)"), session: 0, address: rooms[index].address,
      readiness: RoomReadiness(outputLatency: .milliseconds(45), isArmed: true))
  }

  func track(_ number: UInt64, from frame: Int64 = 0) -> TrackRequest {
    TrackRequest(
      itemID: ItemID(rawValue: number), location: .file(path: "/\(number)"), startFrame: frame)
  }

  /// The next event; a question for a follower has been answered.
  func nextEvent() async -> EngineEvent? {
    guard let event = await events.next() else { return nil }
    seen.append(event)
    if case .needsNext(let item) = event {
      engine.setNext(followers[item.rawValue].map { track($0) }, after: item)
    }
    return event
  }

  /// Waits for an event of a kind.
  func event<Found>(_ match: (EngineEvent) -> Found?) async throws -> Found {
    while let event = await nextEvent() {
      if let found = match(event) { return found }
    }
    throw Missing(seen: seen, counters: engine.counters)
  }

  /// Something did not come; what came instead.
  struct Missing: Error {
    var seen: [EngineEvent]
    var counters: EngineCounters
  }

  func generation() async throws -> StreamAnnounce {
    try await event { if case .generationStarted(let announce) = $0 { announce } else { nil } }
  }

  /// The first generation of all, whether its event has been passed over already or not.
  func firstGeneration() async throws -> StreamAnnounce {
    for case .generationStarted(let announce) in seen { return announce }
    return try await generation()
  }

  func paused() async throws -> StreamPosition {
    try await event { if case .paused(let place) = $0 { place } else { nil } }
  }

  func started(_ item: UInt64) async throws -> PositionRun {
    try await event {
      if case .trackStarted(let run, _) = $0, run.itemID.rawValue == item { run } else { nil }
    }
  }

  func streamEnd() async throws -> StreamEnd {
    try await event { if case .streamEnds(let end) = $0 { end } else { nil } }
  }

  func flush() async throws -> FlushPacket {
    try await event { if case .flush(let flush) = $0 { flush } else { nil } }
  }

  func finished() async throws -> MediaFrame {
    try await event { if case .finished(let frame) = $0 { frame } else { nil } }
  }

  /// The next packets of a generation in a room; others are passed over.
  func receive(
    _ count: Int, of ssrc: SSRC, in room: Int = 0
  ) async throws -> [RoomProbe.Packet] {
    var found: [RoomProbe.Packet] = []
    var iterator = packets[room]
    while found.count < count, let packet = await iterator.next() {
      if packet.header.ssrc == ssrc { found.append(packet) }
    }
    packets[room] = iterator
    guard found.count == count else { throw Missing(seen: seen, counters: engine.counters) }
    return found
  }

  /// Asks the clock service from the first room and waits for the answer: time passes, and the media
  /// thread has done whatever it was told before.
  @discardableResult
  func askClock(
    _ question: [UInt8] = NTPPacket.request(stamp: .random(in: 0...UInt64.max)).encode()
  ) async throws -> NTPPacket {
    rooms[0].socket.send(question, to: .loopback(port: engine.port), .clock)
    var iterator = clockReplies
    defer { clockReplies = iterator }
    guard let reply = await iterator.next() else {
      throw Missing(seen: seen, counters: engine.counters)
    }
    return reply
  }

  func end() async {
    await engine.shutdown(fade: .zero)
    for room in rooms { room.stop() }
  }
}

/// How well decoded music matches its source, in dB, when it is shifted by each of some frames.
func match(
  _ decoded: ArraySlice<Float>, shifts: ClosedRange<Int64> = -2...2,
  _ source: (Int64) -> Float
) -> (best: Int64, decibels: Float) {
  let left = stride(from: decoded.startIndex, to: decoded.endIndex, by: 2).map { decoded[$0] }
  let ratings = shifts.map { shift -> (Int64, Float) in
    var (signal, noise): (Float, Float) = (0, 1e-12)
    for (frame, value) in left.enumerated() {
      let expected = source(Int64(frame) + shift)
      signal += expected * expected
      noise += (value - expected) * (value - expected)
    }
    return (shift, 10 * log10(signal / noise))
  }
  let best = ratings.max { $0.1 < $1.1 }
  return (best?.0 ?? .max, best?.1 ?? 0)
}
