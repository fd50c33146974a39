// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import CoordinatorRuntime
import House
import LinuxNetworking
import Testing
import WireProtocol

@Suite(.serialized, .timeLimit(.minutes(1)))
struct EngineTransportTests {
  @Test func `pause is silence within 120 ms, and resume goes on at the very sample`() async throws
  {
    let rig = try EngineRig([1: TestTrack(frames: 400_000)])
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.receive(70, of: first.ssrc)
    let asked = rig.clock.now()
    rig.engine.pause()
    let place = try await rig.paused()
    let flush = try #require(firstFlush(of: first.ssrc, in: rig.seen))
    let silent =
      flush.fromFrame.instant + rig.delay + .milliseconds(Int64(flush.fadeMilliseconds))
    #expect(silent - asked < .milliseconds(120) + patience)
    #expect(flush.fromFrame.instant + rig.delay > asked)
    #expect(place.sourceFrame == flush.fromFrame - first.firstAudible)
    #expect(rig.engine.status.phase == .paused && rig.engine.status.announce == nil)
    #expect(rig.engine.position() == place || rig.clock.now() < silent)

    rig.engine.resume()
    let second = try await rig.generation()
    #expect(second.ssrc.supersedes(first.ssrc))
    let run = try await rig.started(1)
    #expect(run.sourceFrame == place.sourceFrame && run.firstFrame == second.firstAudible)
    let music = try decode(
      try await rig.receive(20, of: second.ssrc), lookAhead: EngineRig.lookAhead)
    let rating = match(music[1_000..<20_000]) {
      TestMusic.sample(track: 1, frame: place.sourceFrame + 500 + $0)
    }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await rig.end()
  }

  @Test func `a paused group puts nothing on the wire`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 400_000)])
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    _ = try await rig.receive(60, of: announce.ssrc)
    rig.engine.pause()
    _ = try await rig.paused()
    try await rig.askClock()
    let count = rig.rooms[0].count
    for _ in 0..<20 { try await rig.askClock() }
    #expect(rig.rooms[0].count == count)
    await rig.end()
  }

  @Test func `next fades the old generation out where the new one begins`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 400_000), 2: TestTrack(frames: 400_000)])
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.receive(60, of: first.ssrc)
    rig.engine.play(rig.track(2, from: 48_000))
    let second = try await rig.generation()
    let run = try await rig.started(2)
    #expect(run.sourceFrame == 48_000)
    let flush = try #require(firstFlush(of: first.ssrc, in: rig.seen))
    #expect(flush.fromFrame == second.firstAudible && flush.fadeMilliseconds == 10)
    let packets = try await rig.receive(20, of: second.ssrc)
    let music = try decode(packets, lookAhead: EngineRig.lookAhead)
    let rating = match(music[0..<16_000]) { TestMusic.sample(track: 2, frame: 48_000 + $0) }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await rig.end()
  }

  @Test func `a flush is repeated until it is acknowledged, and four times at most`() async throws {
    for acknowledges in [true, false] {
      let rig = try EngineRig([1: TestTrack(frames: 400_000)], acknowledges: acknowledges)
      rig.engine.play(rig.track(1))
      let announce = try await rig.generation()
      _ = try await rig.receive(60, of: announce.ssrc)
      rig.engine.pause()
      _ = try await rig.paused()
      let begun = LocalClock.now()
      while LocalClock.now() - begun < .milliseconds(150) { try await rig.askClock() }
      let flushes = rig.rooms[0].flushes
      #expect(acknowledges ? flushes.count <= 4 : flushes.count == 4)
      #expect(Set(flushes.map(\.flush)).count == 1)
      #expect((rig.engine.counters.flushesAcknowledged > 0) == acknowledges)
      #expect(rig.engine.counters.flushesUnacknowledged == (acknowledges ? 0 : 1))
      await rig.end()
    }
  }

  @Test func `a restarted engine puts the very samples under the stamps`() async throws {
    let storage = MemoryStorage()
    let before = try EngineRig([1: TestTrack(frames: 480_000)], storage: storage)
    before.engine.play(before.track(1))
    let old = try await before.generation()
    _ = try await before.receive(60, of: old.ssrc)
    let runs = before.engine.status.timeline.runs
    await before.end()

    let after = try EngineRig([1: TestTrack(frames: 480_000)], storage: storage)
    let plan = try #require(
      RestartPlan(
        runs: runs, now: after.clock.now(), lead: FastStart.shortestLead, delay: after.delay))
    after.engine.resumeAfterRestart(
      after.track(1, from: plan.sourceFrame), firstAudible: plan.firstAudible)
    let new = try await after.generation()
    #expect(new.clockID == old.clockID && new.ssrc.supersedes(old.ssrc))
    let run = try await after.started(1)
    #expect(run.sourceFrame - (run.firstFrame - old.firstAudible) == 0)
    let music = try decode(
      try await after.receive(20, of: new.ssrc), lookAhead: EngineRig.lookAhead)
    let rating = match(music[0..<16_000]) {
      TestMusic.sample(track: 1, frame: run.sourceFrame + $0)
    }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await after.end()
  }

  @Test func `a follower that was laid out already can be taken back`() async throws {
    let rig = try EngineRig([
      1: TestTrack(frames: 36_000), 2: TestTrack(frames: 90_000), 3: TestTrack(frames: 90_000),
    ])
    rig.followers = [1: 2]
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.started(2)
    rig.engine.setNext(rig.track(3), after: ItemID(rawValue: 1))
    let second = try await rig.generation()
    let run = try await rig.started(3)
    #expect(second.firstAudible == first.firstAudible + 36_000)
    #expect(run.firstFrame == second.firstAudible && run.sourceFrame == 0)
    #expect(firstFlush(of: first.ssrc, in: rig.seen)?.fromFrame == second.firstAudible)
    let music = try decode(
      try await rig.receive(20, of: second.ssrc), lookAhead: EngineRig.lookAhead)
    let rating = match(music[0..<16_000]) { TestMusic.sample(track: 3, frame: $0) }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await rig.end()
  }

  @Test func `what is added while the last track rings out still follows without a gap`()
    async throws
  {
    let rig = try EngineRig([1: TestTrack(frames: 36_000), 2: TestTrack(frames: 90_000)])
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.streamEnd()
    rig.engine.setNext(rig.track(2), after: ItemID(rawValue: 1))
    let second = try await rig.generation()
    #expect(second.firstAudible == first.firstAudible + 36_000)
    await rig.end()
  }

  @Test func `shutdown fades the rooms out and ends the events`() async throws {
    let rig = try EngineRig([1: TestTrack(frames: 400_000)])
    rig.engine.play(rig.track(1))
    let announce = try await rig.generation()
    _ = try await rig.receive(60, of: announce.ssrc)
    await rig.engine.shutdown(fade: .milliseconds(250))
    while await rig.nextEvent() != nil {}
    #expect(firstFlush(of: announce.ssrc, in: rig.seen)?.fadeMilliseconds == 250)
    #expect(rig.rooms[0].flushes.count >= 1)
    for room in rig.rooms { room.stop() }
  }

  private func firstFlush(of ssrc: SSRC, in events: [EngineEvent]) -> FlushPacket? {
    for case .flush(let flush) in events where flush.ssrc == ssrc { return flush }
    return nil
  }
}
