// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Synchronization
import Testing
import WireProtocol

@testable import CoordinatorRuntime

/// A host whose clocks a test turns by hand.
final class TurnedHost: Sendable {
  struct Reading {
    var local: Int64 = 5_000_000_000
    var realtime: Int64 = 1_800_000_000_000_000_000
    var suspended: ClosedRange<Int64> = 0...100
    var bootID = "boot 1"
  }

  let reading = Mutex(Reading())

  /// The same host, but with the ticking clock of the real one.
  var tickingClocks: HostClocks {
    var clocks = clocks
    clocks.local = HostClocks.system.local
    return clocks
  }

  var clocks: HostClocks {
    HostClocks(
      local: { LocalInstant(nanoseconds: self.reading.withLock { $0.local }) },
      realtime: { self.reading.withLock { $0.realtime } },
      suspended: { self.reading.withLock { $0.suspended } },
      bootID: { self.reading.withLock { $0.bootID } })
  }

  func pass(_ time: Nanoseconds) {
    reading.withLock { reading in
      reading.local += time.count
      reading.realtime += time.count
    }
  }

  func suspend(for time: Nanoseconds) {
    reading.withLock { reading in
      reading.realtime += time.count
      let range = reading.suspended
      reading.suspended = range.lowerBound + time.count...range.upperBound + time.count
    }
  }
}

struct MediaClockTests {
  let host = TurnedHost()
  let storage = MemoryStorage()
  /// 1900 to 1970 in nanoseconds.
  let epoch: Int64 = 2_208_988_800_000_000_000

  @Test func `it reads UTC since 1900 when it is first set, and then keeps pace with the host`() {
    let clock = MediaClock(storage: storage, host: host.clocks)
    #expect(clock.now().nanosecondsSince1900 == 1_800_000_000_000_000_000 + epoch)
    host.pass(.seconds(90))
    // Somebody sets the wall clock: no business of the media clock.
    host.reading.withLock { $0.realtime -= 3_600_000_000_000 }
    #expect(clock.now().nanosecondsSince1900 == 1_800_000_090_000_000_000 + epoch)
    #expect(clock.renewIfHostSlept() == nil)
    let now = clock.now()
    #expect(clock.media(at: clock.local(at: now)) == now)
  }

  @Test func `a program that is restarted in the same boot goes on with the same clock`() {
    let before = MediaClock(storage: storage, host: host.clocks)
    host.pass(.seconds(4))
    host.reading.withLock { $0.realtime += 777_000_000 }
    let after = MediaClock(storage: storage, host: host.clocks)
    #expect(after.clockID == before.clockID && after.now() == before.now())
  }

  @Test func `a reboot draws a new clock`() {
    let before = MediaClock(storage: storage, host: host.clocks)
    host.reading.withLock { reading in
      reading.bootID = "boot 2"
      reading.local = 1_000_000_000
    }
    let after = MediaClock(storage: storage, host: host.clocks)
    #expect(after.clockID != before.clockID)
    #expect(after.now().nanosecondsSince1900 == 1_800_000_000_000_000_000 + epoch)
  }

  @Test func `a sleep of the host draws a new clock, once, also across a restart`() {
    let clock = MediaClock(storage: storage, host: host.clocks)
    let first = clock.clockID
    host.suspend(for: .seconds(600))
    let wouldShow = clock.now() + .seconds(600)
    let renewal = clock.renewIfHostSlept()
    let second = renewal?.clockID
    #expect(renewal?.before == wouldShow)
    #expect(second != nil && second != first && clock.clockID == second)
    #expect(clock.renewIfHostSlept() == nil)
    #expect(clock.now().nanosecondsSince1900 == 1_800_000_600_000_000_000 + epoch)
    host.suspend(for: .seconds(5))
    #expect(MediaClock(storage: storage, host: host.clocks).clockID != second)
  }

  @Test func `between a sleep and the new clock nobody is told the time`() {
    let clock = MediaClock(storage: storage, host: host.clocks)
    let question = NTPPacket.request(stamp: 7).encode()
    let asleep = LocalInstant(nanoseconds: 5_000_000_000)
    #expect(ClockService.reply(to: question.span, received: asleep, by: clock) != nil)
    host.suspend(for: .seconds(600))
    #expect(ClockService.reply(to: question.span, received: asleep, by: clock) == nil)
    #expect(clock.renewIfHostSlept() != nil)
    #expect(ClockService.reply(to: question.span, received: asleep, by: clock) != nil)
  }

  @Test func `a thread that was preempted between two readings is no sleep`() {
    let clock = MediaClock(storage: storage, host: host.clocks)
    host.reading.withLock { $0.suspended = 0...80_000_000 }
    #expect(clock.renewIfHostSlept() == nil)
    host.reading.withLock { $0.suspended = -80_000_000...0 }
    #expect(clock.renewIfHostSlept() == nil)
  }

  @Test func `the clocks of this host agree with each other`() {
    let host = HostClocks.system
    #expect(host.suspended().lowerBound <= host.suspended().upperBound)
    #expect(host.bootID().count == 36, "a UUID")
    let clock = MediaClock(storage: MemoryStorage())
    let utc = host.realtime() + epoch
    #expect((clock.now().nanosecondsSince1900 - utc).magnitude < 1_000_000_000)
  }
}

@Suite(.timeLimit(.minutes(1)))
struct EngineSleepTests {
  let host = TurnedHost()

  @Test func `after a long sleep music goes on where the rooms ran dry, on a new clock`()
    async throws
  {
    let rig = try EngineRig(
      sources: TestMusicOpener([1: TestTrack(frames: 400_000)]), host: host.tickingClocks)
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.receive(80, of: first.ssrc)
    let heard = try #require(rig.engine.position()).sourceFrame
    let began = HostClocks.system.local()
    host.suspend(for: .seconds(600))
    let clockID = try await rig.event { if case .clockChanged(let id) = $0 { id } else { nil } }
    let second = try await rig.generation()
    let run = try await rig.started(1)
    #expect(second.clockID == clockID && clockID != first.clockID)
    #expect(second.ssrc.supersedes(first.ssrc))
    // The rooms have played what they held, and ran dry long ago: that is where it goes on.
    let ahead = Int64(rig.delay.inSeconds * 48_000)
    let since = (HostClocks.system.local() - began).inSeconds * 48_000
    // The engine looks at its clock once a second at least; what it saw last is what it goes by.
    #expect(run.sourceFrame >= heard + ahead - 49_000)
    #expect(Double(run.sourceFrame) <= Double(heard + ahead) + since + 960)
    let packets = try await rig.receive(20, of: second.ssrc)
    let music = try decode(packets, lookAhead: EngineRig.lookAhead)
    let rating = match(music[0..<16_000]) {
      TestMusic.sample(track: 1, frame: run.sourceFrame + $0)
    }
    #expect(rating.best == 0 && rating.decibels > 20, "\(rating)")
    await rig.end()
  }

  @Test func `after a sleep shorter than D the new music is where the rooms are by then`()
    async throws
  {
    let rig = try EngineRig(
      sources: TestMusicOpener([1: TestTrack(frames: 960_000)]), delay: .seconds(6),
      host: host.tickingClocks)
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.receive(280, of: first.ssrc)
    let (heard, began) = (
      try #require(rig.engine.position()).sourceFrame, HostClocks.system.local()
    )
    host.suspend(for: .seconds(2))
    _ = try await rig.generation()
    let run = try await rig.started(1)
    let passed = Double(run.sourceFrame - heard) / 48_000 - 2
    // The lead of the start, and what this test took.
    #expect(passed > 0.05)
    #expect(passed <= (HostClocks.system.local() - began).inSeconds + 0.2)
    await rig.end()
  }

  @Test func `a sleep while paused keeps the place`() async throws {
    let rig = try EngineRig(
      sources: TestMusicOpener([1: TestTrack(frames: 400_000)]), host: host.tickingClocks)
    rig.engine.play(rig.track(1))
    let first = try await rig.generation()
    _ = try await rig.receive(80, of: first.ssrc)
    rig.engine.pause()
    let place = try await rig.paused()
    host.suspend(for: .seconds(600))
    _ = try await rig.event { if case .clockChanged(let id) = $0 { id } else { nil } }
    let shown = try #require(rig.engine.position())
    #expect(abs(shown.sourceFrame - place.sourceFrame) < 48_000 / 5, "within the pause's lead")
    rig.engine.resume()
    let run = try await rig.started(1)
    #expect(run.sourceFrame == place.sourceFrame)
    await rig.end()
  }
}
