// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

struct StreamTimelineTests {
  let origin = MediaFrame(index: 192_000_000_000_000)
  let delay = Nanoseconds.seconds(6)

  func run(_ item: UInt64, at offset: Int64, from source: Int64 = 0) -> PositionRun {
    PositionRun(
      itemID: ItemID(rawValue: item), firstFrame: origin + offset, sourceFrame: source)
  }

  func position(_ item: UInt64, _ source: Int64) -> StreamPosition {
    StreamPosition(itemID: ItemID(rawValue: item), sourceFrame: source)
  }

  @Test func `position follows the media clock, D behind the stamps`() {
    var timeline = StreamTimeline()
    timeline.begin(run(1, at: 0, from: 1_000))
    let now = (origin + 48_000).instant + delay
    #expect(timeline.position(at: now, delay: delay) == position(1, 49_000))
  }

  @Test func `before its first run is heard, the position is where it will begin`() {
    var timeline = StreamTimeline()
    timeline.begin(run(1, at: 0, from: 77))
    #expect(timeline.position(at: origin - 48_000) == position(1, 77))
    #expect(StreamTimeline().position(at: origin) == nil)
  }

  @Test func `a gapless successor takes over at its first frame`() {
    var timeline = StreamTimeline()
    timeline.begin(run(1, at: 0))
    timeline.begin(run(2, at: 1_000))
    #expect(timeline.position(at: origin + 999) == position(1, 999))
    #expect(timeline.position(at: origin + 1_000) == position(2, 0))
  }

  @Test func `a new generation replaces what had been laid out beyond it`() {
    var timeline = StreamTimeline()
    timeline.begin(run(1, at: 0))
    timeline.begin(run(2, at: 5_000))
    timeline.begin(run(3, at: 2_000, from: 10))
    #expect(timeline.runs.map(\.itemID.rawValue) == [1, 3])
    #expect(timeline.position(at: origin + 6_000) == position(3, 4_010))
  }

  @Test func `after a cut the position stands still, and a new run ends the silence`() {
    var timeline = StreamTimeline()
    timeline.begin(run(1, at: 0))
    timeline.begin(run(2, at: 5_000))
    timeline.cut(at: origin + 3_000)
    #expect(timeline.position(at: origin + 9_000) == position(1, 3_000))
    timeline.begin(run(1, at: 20_000, from: 3_000))
    #expect(timeline.position(at: origin + 20_001) == position(1, 3_001))
  }

  @Test func `a cut before anything was heard leaves the place where it was to begin`() {
    var timeline = StreamTimeline()
    timeline.begin(run(1, at: 100, from: 5))
    timeline.cut(at: origin)
    #expect(timeline.position(at: origin + 50_000) == position(1, 5))
  }

  @Test func `what is over is forgotten, but not the present`() {
    var timeline = StreamTimeline()
    for item in 0..<5 { timeline.begin(run(UInt64(item), at: Int64(item) * 1_000)) }
    timeline.forget(before: origin + 3_500)
    #expect(timeline.runs.map(\.itemID.rawValue) == [3, 4])
    timeline.forget(before: origin + 99_000)
    #expect(timeline.runs.map(\.itemID.rawValue) == [4])
  }
}

struct RestartPlanTests {
  let now = MediaInstant(nanosecondsSince1900: 4_000_000_000_000_000_000)
  let delay = Nanoseconds.seconds(6)
  let lead = Nanoseconds.milliseconds(120)

  @Test(arguments: [1, 2_500, 4_000, 60_000])
  func `content at every stamp equals what the rooms still hold`(downMilliseconds: Int64) throws {
    let first = MediaFrame(now - .seconds(40))
    let second = first + 39 * 48_000
    let runs = [
      PositionRun(itemID: ItemID(rawValue: 1), firstFrame: first, sourceFrame: 500),
      PositionRun(itemID: ItemID(rawValue: 2), firstFrame: second, sourceFrame: 0),
    ]
    let later = now + .milliseconds(downMilliseconds)
    let plan = try #require(RestartPlan(runs: runs, now: later, lead: lead, delay: delay))
    let before = StreamTimeline(restoring: runs).position(at: plan.firstAudible)
    #expect(before == StreamPosition(itemID: plan.itemID, sourceFrame: plan.sourceFrame))
    let heardIn = plan.firstAudible.instant + delay - later
    #expect(heardIn >= lead && heardIn < lead + .microseconds(25))
  }

  @Test func `a run that was not heard yet begins when it was to begin`() throws {
    let first = MediaFrame(now - delay + .milliseconds(500))
    let run = PositionRun(itemID: ItemID(rawValue: 1), firstFrame: first, sourceFrame: 9)
    let plan = try #require(RestartPlan(runs: [run], now: now, lead: lead, delay: delay))
    #expect(plan.firstAudible == first)
    #expect(plan.sourceFrame == 9)
  }

  @Test func `without runs there is no plan`() {
    #expect(RestartPlan(runs: [], now: now, lead: lead, delay: delay) == nil)
  }
}
