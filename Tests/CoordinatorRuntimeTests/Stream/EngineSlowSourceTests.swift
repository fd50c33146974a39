// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import CoordinatorRuntime
import DecoderProtocol
import House
import LinuxNetworking
import Synchronization
import Testing
import WireProtocol

/// Holds threads up until it is opened.
final class Gate: Sendable {
  private let isOpen = Mutex(false)
  private let poller: Poller

  init() throws { poller = try Poller() }

  func open() {
    isOpen.withLock { $0 = true }
    poller.wake()
  }

  func pass() {
    while !isOpen.withLock({ $0 }) { poller.wait(until: nil) { _ in } }
  }
}

/// Test music from a slow server: track 1 stalls at a frame, track 2 while it is being opened.
struct SlowOpener: PCMSourceOpener {
  static let stall: Int64 = 24_000
  let gate: Gate
  private let music = TestMusicOpener([
    1: TestTrack(frames: 200_000), 2: TestTrack(frames: 200_000),
  ])

  init(gate: Gate) { self.gate = gate }

  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    if location.text == "/2" { gate.pass() }
    let source = try music.open(location, startFrame: startFrame)
    return StallingSource(source: source, gate: location.text == "/1" ? gate : nil)
  }
}

/// Gives its first `SlowOpener.stall` frames, and the others when the gate is open.
final class StallingSource: PCMSource {
  private let source: any PCMSource
  private let gate: Gate?
  private let given = Mutex<Int64>(0)
  private let kept = Mutex<[Float]>([])

  init(source: any PCMSource, gate: Gate?) {
    self.source = source
    self.gate = gate
  }

  var info: MediaInfo { source.info }

  func next() -> PCMRead {
    let rest = kept.withLock { rest in
      defer { rest = [] }
      return rest
    }
    if !rest.isEmpty {
      gate?.pass()
      return .samples(rest)
    }
    guard case .samples(let samples) = source.next() else { return source.next() }
    let before = given.withLock { given in
      defer { given += Int64(samples.count / 2) }
      return given
    }
    let room = SlowOpener.stall - before
    guard gate != nil, room > 0, room < samples.count / 2 else { return .samples(samples) }
    kept.withLock { $0 = Array(samples.dropFirst(Int(room) * 2)) }
    return .samples(Array(samples.prefix(Int(room) * 2)))
  }

  func cancel() { source.cancel() }
}

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineSlowSourceTests {
  @Test func `a source that stalls falls silent, and goes on where it stopped`() async throws {
    let gate = try Gate()
    let rig = try EngineRig(sources: SlowOpener(gate: gate), delay: .milliseconds(400))
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    let flush = try await rig.flush()
    #expect(flush.ssrc == first.ssrc)
    #expect(rig.engine.status.phase == .opening)
    gate.open()
    let second = try await rig.generation()
    let run = try await rig.started(1)
    #expect(run.sourceFrame == flush.fromFrame - first.firstAudible, "nothing lost, nothing twice")
    #expect(run.sourceFrame > SlowOpener.stall - 960 - 312 && run.sourceFrame <= SlowOpener.stall)
    #expect(second.firstAudible > flush.fromFrame)
    let music = try decode(
      try await rig.receive(20, of: second.ssrc), lookAhead: EngineRig.lookAhead)
    let rating = match(music[0..<16_000]) {
      TestMusic.sample(track: 1, frame: run.sourceFrame + $0)
    }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await rig.end()
  }

  @Test func `a track that is slow to open does not keep the old one sounding`() async throws {
    let gate = try Gate()
    let rig = try EngineRig(sources: SlowOpener(gate: gate), delay: .milliseconds(400))
    rig.engine.play(rig.track(1, from: 100_000))
    let first = try await rig.generation()
    rig.engine.play(rig.track(2))
    let asked = rig.clock.now()
    let flush = try await rig.flush()
    #expect(flush.ssrc == first.ssrc)
    #expect(flush.fromFrame.instant + rig.delay - asked < .milliseconds(650) + patience)
    gate.open()
    let second = try await rig.generation()
    #expect(second.ssrc.supersedes(first.ssrc))
    await rig.end()
  }

  @Test func `a pause while a track is being opened keeps its beginning`() async throws {
    let gate = try Gate()
    let rig = try EngineRig(sources: SlowOpener(gate: gate))
    rig.engine.play(rig.track(2, from: 5_000))
    rig.engine.pause()
    gate.open()
    rig.engine.resume()
    let announce = try await rig.generation()
    let run = try await rig.started(2)
    #expect(run.sourceFrame == 5_000 && run.firstFrame == announce.firstAudible)
    await rig.end()
  }

  @Test func `a stop while a track is being opened forgets it`() async throws {
    let gate = try Gate()
    let rig = try EngineRig(sources: SlowOpener(gate: gate))
    rig.engine.play(rig.track(2))
    rig.engine.stop()
    gate.open()
    rig.engine.play(rig.track(1))
    _ = try await rig.started(1)
    #expect(
      !rig.seen.contains { if case .needsNext(ItemID(rawValue: 2)) = $0 { true } else { false } })
    await rig.end()
  }

  @Test func `a seek beyond the end of the last track says that nothing is there`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 9_000)])
    rig.engine.play(rig.track(1, from: 20_000))
    let failed = try await rig.event {
      if case .trackFailed(let item, let failure) = $0 { (item, failure.reason) } else { nil }
    }
    #expect(failed.0.rawValue == 1 && failed.1 == .noSound)
    #expect(rig.engine.status.phase == .idle)
    await rig.end()
  }
}
