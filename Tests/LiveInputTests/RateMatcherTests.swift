// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LiveInput
import Testing

@Suite struct RateMatcherTests {
  @Test(arguments: [-500.0, 0, 500], [0.005, 0.02, 0.1, 0.5])
  func `an hour of any clock and any lump plays without a gap`(ppm: Double, lump: Double) throws {
    let source = VirtualSource(ppm: ppm, lump: lump, jitter: 0.01)
    let outcome = source.run(seconds: 3_600)
    #expect(outcome.dryAt.isEmpty, "dry at \(outcome.dryAt.prefix(5))")
    #expect(outcome.matcher.skips == 0)
    #expect(outcome.isUnbroken)
    #expect(try #require(outcome.startedAt) < 3 * lump + 0.1 + lump)
    // Now and then a wait longer than all before moves the distance, at 0.4 cents.
    let trims = outcome.trims(after: 300, sourcePPM: ppm)
    #expect(trims[trims.count / 2] < 40 && trims[trims.count - 1] < 250)
    #expect(abs(outcome.matcher.arrivals.frequency.value - ppm) < 2)
  }

  @Test func `what is held is the longest wait and little more`() throws {
    let outcome = VirtualSource(ppm: 300, lump: 0.02, jitter: 0.005).run(seconds: 600)
    let last = outcome.distances.filter { $0.time > 500 }.map(\.distance)
    #expect(try #require(last.max()) < 0.1)
  }

  @Test func `a clock that warms up by 20 ppm in five minutes is followed`() {
    let source = VirtualSource(ppm: -40, lump: 0.5, ramp: 20.0 / 300)
    let outcome = source.run(seconds: 600)
    #expect(outcome.dryAt.isEmpty)
    #expect(abs(outcome.matcher.arrivals.frequency.value) < 6)
  }

  @Test func `a source that pauses is heard again, from where it stopped`() throws {
    let source = VirtualSource(ppm: 100, lump: 0.1, pause: (at: 60, length: 5))
    let outcome = source.run(seconds: 200)
    #expect(outcome.dryAt.count == 1)
    #expect(outcome.isUnbroken)
    #expect(outcome.steps.contains { $0.time > 66 && $0.time < 66.5 })
    #expect(try #require(outcome.trims(after: 150, sourcePPM: 100).last) < 300)
  }

  @Test func `late lumps of a noisy source make the hold longer, once`() {
    let source = VirtualSource(ppm: 50, lump: 0.02, jitter: 0.2)
    let outcome = source.run(seconds: 1_200)
    #expect(outcome.dryAt.allSatisfy { $0 < 60 }, "dry at \(outcome.dryAt)")
    #expect(outcome.dryAt.count <= 6)
  }

  @Test func `far too much sound at once is skipped, not played later for ever`() throws {
    var matcher = RateMatcher(rate: 48_000)
    var skipped: SourcePosition?
    for index in 0..<500 {
      let now = VirtualSource.local(Double(index) * 0.02)
      matcher.deliver(frames: index == 250 ? 5 * 48_000 : 960, at: now)
      if case .skip(let to) = matcher.plan(frames: 960, at: now) { skipped = to }
    }
    #expect(matcher.skips == 1)
    #expect(try #require(skipped).frame > 5 * 48_000)
  }

  @Test func `nothing delivered, nothing read`() {
    var matcher = RateMatcher(rate: 48_000)
    #expect(matcher.plan(frames: 960, at: VirtualSource.local(0)) == .collect)
    matcher.deliver(frames: 0, at: VirtualSource.local(1))
    matcher.deliver(frames: -5, at: VirtualSource.local(1))
    #expect(matcher.plan(frames: 960, at: VirtualSource.local(1)) == .collect)
  }

  @Test func `positions stay exact over months`() {
    var position = SourcePosition(frame: 1 << 45)
    let step = (1 << 32) + UInt64(0x1_0000)
    for _ in 0..<65_536 { position.advance(by: 1, step: step) }
    #expect(position == SourcePosition(frame: (1 << 45) + 65_536 + 1))
    var whole = SourcePosition(frame: 1 << 45)
    whole.advance(by: 65_536, step: step)
    #expect(whole == position)
  }
}
