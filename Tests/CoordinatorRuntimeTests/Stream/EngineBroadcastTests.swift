// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import CoordinatorRuntime
import DecoderProtocol
import House
import Synchronization
import Testing
import WireProtocol

/// A station that plays test music of track 1, whose decoder crashes once.
private final class StationOpener: PCMSourceOpener {
  static let secondTitle: Int64 = 49_152
  static let crash: Int64 = 98_304
  /// What it has in hand before the gate.
  static let burst: Int64 = 24_576
  let gate: Gate
  let opened = Mutex(0)

  init(gate: Gate) { self.gate = gate }

  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    let attempt = opened.withLock { opened in
      opened += 1
      return opened
    }
    // The server of the crashed stream is away once.
    if attempt == 2 { throw DecoderFailure(.network, "nobody is there") }
    return StationSource(gate: gate, first: attempt == 1 ? 0 : Self.crash)
  }
}

/// A station whose server is away at first.
private final class AbsentStation: PCMSourceOpener {
  let gate: Gate
  let failure: DecoderFailure
  let opened = Mutex(0)

  init(gate: Gate, failing reason: DecoderFailure.Reason) {
    self.gate = gate
    failure = DecoderFailure(reason, "nobody is there")
  }

  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    let attempt = opened.withLock { opened in
      opened += 1
      return opened
    }
    if attempt == 1 { throw failure }
    return StationSource(gate: gate, first: 0)
  }
}

private final class StationSource: PCMSource {
  let info: MediaInfo
  private let gate: Gate
  private let first: Int64
  private let state: Mutex<(frame: Int64, hasTold: Bool, isCancelled: Bool)>

  init(gate: Gate, first: Int64) {
    (self.gate, self.first) = (gate, first)
    state = Mutex((first, false, false))
    var info = MediaInfo()
    info.isLive = true
    self.info = info
  }

  func next() -> PCMRead {
    let frame = state.withLock { $0.frame }
    if frame == StationOpener.burst { gate.pass() }
    return state.withLock { state in
      if state.isCancelled { return .end(DecoderEnd(sourceFrames: frame, ending: .stopped)) }
      if !state.hasTold, [0, StationOpener.secondTitle].contains(frame) {
        state.hasTold = true
        return .title(StreamTitle(title: frame == 0 ? "First" : "Second"))
      }
      if first == 0, frame == StationOpener.crash {
        return .failure(DecoderFailure(.decoderDied, "it crashed"))
      }
      state.frame += 4_096
      state.hasTold = false
      return .samples(TestMusic.frames(track: 1, frame..<frame + 4_096))
    }
  }

  func cancel() {
    state.withLock { $0.isCancelled = true }
    gate.open()
  }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineBroadcastTests {
  private func title(_ event: EngineEvent) -> String? {
    if case .titleHeard(_, let title) = event { title.title } else { nil }
  }

  @Test func `a title is told when it is heard, not when it is read`() async throws {
    let gate = try Gate()
    gate.open()
    let rig = try EngineRig(sources: StationOpener(gate: gate))
    rig.engine.play(rig.track(1))
    #expect(try await rig.event(title) == "First")
    #expect(try await rig.event(title) == "Second")
    let heard = try #require(rig.engine.position()).sourceFrame
    #expect(heard >= StationOpener.secondTitle, "not before its frame is due")
    #expect(heard < StationOpener.secondTitle + MediaFrame.rate / 2)
    await rig.end()
  }

  @Test func `a title in force is told again after a pause`() async throws {
    let gate = try Gate()
    gate.open()
    let rig = try EngineRig(sources: StationOpener(gate: gate))
    rig.engine.play(rig.track(1))
    _ = try await rig.event(title)
    rig.engine.pause()
    _ = try await rig.paused()
    rig.engine.resume()
    #expect(try await rig.event(title) == "First")
    await rig.end()
  }

  @Test func `a live stream begins with something in hand`() async throws {
    let gate = try Gate()
    let rig = try EngineRig(sources: StationOpener(gate: gate))
    rig.engine.play(rig.track(1))
    // It has been opened and has given half a second; a file would sound by now.
    _ = try await rig.event { if case .needsNext = $0 { true } else { nil } }
    for _ in 0..<20 { try await rig.askClock() }
    #expect(rig.engine.status.phase == .opening)
    gate.open()
    _ = try await rig.generation()
    await rig.end()
  }

  @Test func `a station that was never reached is waited for`() async throws {
    let gate = try Gate()
    gate.open()
    let sources = AbsentStation(gate: gate, failing: .network)
    let rig = try EngineRig(sources: sources)
    var station = rig.track(1)
    station.isWaitedFor = true
    rig.engine.play(station)
    _ = try await rig.generation()
    #expect(sources.opened.withLock { $0 } == 2)
    let reasons = rig.seen.compactMap { event in
      if case .connection(_, .lost(let reason, _)) = event { reason } else { nil as String? }
    }
    #expect(reasons == ["nobody is there"])
    await rig.end()
  }

  @Test(arguments: [(true, DecoderFailure.Reason.refusedByServer), (false, .network)])
  func `what a server refuses, and what is no station, is not waited for`(
    isStation: Bool, reason: DecoderFailure.Reason
  ) async throws {
    let gate = try Gate()
    gate.open()
    let sources = AbsentStation(gate: gate, failing: reason)
    let rig = try EngineRig(sources: sources)
    var station = rig.track(1)
    station.isWaitedFor = isStation
    rig.engine.play(station)
    try await rig.event { event in
      if case .trackFailed = event { () } else { nil }
    }
    #expect(sources.opened.withLock { $0 } == 1)
    await rig.end()
  }

  @Test func `a decoder that dies on a live stream is replaced, for as long as it takes`()
    async throws
  {
    let gate = try Gate()
    gate.open()
    let sources = StationOpener(gate: gate)
    let rig = try EngineRig(sources: sources)
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    try await rig.event { event in
      if case .connection(_, .connected) = event { () } else { nil }
    }
    let reasons = rig.seen.compactMap { event in
      if case .connection(_, .lost(let reason, _)) = event { reason } else { nil as String? }
    }
    #expect(reasons == ["it crashed", "nobody is there"])
    #expect(sources.opened.withLock { $0 } == 3)
    #expect(!rig.seen.contains { if case .trackFailed = $0 { true } else { false } })
    // What the rooms hold bridged it: the same generation, without a gap in its frames.
    let packets = try await rig.receive(130, of: first.ssrc)
    let music = try decode(packets, lookAhead: EngineRig.lookAhead)
    let seam = Int(StationOpener.crash) - 4_800
    let rating = match(music[(seam * 2)..<(seam * 2 + 19_200)]) {
      TestMusic.sample(track: 1, frame: Int64(seam) + $0)
    }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await rig.end()
  }
}
