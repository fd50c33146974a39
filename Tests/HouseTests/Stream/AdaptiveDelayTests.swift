// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing
import WireProtocol

@Suite struct AdaptiveDelayTests {
  /// A group of one or more rooms, decided upon once a second.
  struct Group {
    var delay: AdaptiveDelay
    var second: Int64 = 0
    var published: [DelayRamp] = []

    init(_ mode: AdaptiveDelay.Mode = .live) { delay = AdaptiveDelay(mode: mode) }

    var frame: MediaFrame { MediaFrame(index: second * 48_000) }
    var now: Nanoseconds { delay.ramp.delay(at: frame) }

    mutating func run(_ seconds: Int, _ reports: [String: DeliveryReport]) {
      for _ in 0..<seconds {
        second += 1
        if let ramp = delay.decide(reports, from: frame) { published.append(ramp) }
      }
    }
  }

  static func room(late: Int64 = 5, repair: Int64 = 0, missed: Int = 0) -> DeliveryReport {
    DeliveryReport(
      outputLatency: .milliseconds(45), lateness: .milliseconds(late),
      repairTime: .milliseconds(repair), missed: missed)
  }

  @Test func `good links bring the delay down to the least, slowly`() {
    var group = Group()
    group.run(59, ["kitchen": Self.room()])
    #expect(group.published.isEmpty)
    group.run(1_200, ["kitchen": Self.room()])
    #expect(group.published.map(\.slope) == [PartsPerMillion(200)])
    #expect(group.now == .milliseconds(200))
  }

  @Test func `a slower link is followed by a ramp that nobody hears`() {
    var group = Group()
    group.run(1, ["kitchen": Self.room(late: 345)])
    #expect(group.published.last?.d1 == .milliseconds(450))
    #expect(group.published.last?.slope == PartsPerMillion(2_000))
    group.run(30, ["kitchen": Self.room(late: 345)])
    #expect(group.published.count == 1)
    #expect(group.now == .milliseconds(450))
  }

  @Test func `it grows at once only when there is a gap anyway`() {
    var group = Group()
    group.run(1, ["kitchen": Self.room(), "attic": Self.room(late: 800, missed: 3)])
    #expect(group.now == .milliseconds(905))
    group.run(10, ["kitchen": Self.room(missed: 3), "attic": Self.room(late: 300)])
    #expect(group.published.count == 1)
  }

  @Test func `repairs are waited for`() {
    var group = Group()
    group.run(110, ["attic": Self.room(late: 5, repair: 500)])
    #expect(group.now == .milliseconds(605))
  }

  @Test func `one outlier holds for a minute and no longer than needed`() {
    var group = Group()
    group.run(1, ["attic": Self.room(late: 895)])
    group.run(58, ["attic": Self.room()])
    #expect(group.delay.wanted == .seconds(1))
    group.run(4_500, ["attic": Self.room()])
    #expect(group.now == .milliseconds(200))
    // 3.5 and 0.3 cents, whatever happened.
    #expect(group.published.allSatisfy { $0.slope.value <= 2_000 })
  }

  @Test func `noise does not make it restless`() {
    var group = Group()
    // Prime steps visit all of 0...300 ms in an order that looks like noise.
    for second in Int64(0)..<3_600 {
      group.run(1, ["attic": Self.room(late: second * 7_919 % 301)])
    }
    #expect(group.published.count <= 4, "\(group.published.count) ramps in an hour")
  }

  @Test func `a room that leaves takes its need along`() {
    var group = Group()
    group.run(5, ["attic": Self.room(late: 1_500), "kitchen": Self.room()])
    group.delay.leave("attic")
    #expect(group.delay.wanted == .milliseconds(200))
  }

  @Test func `a pinned delay stays, whatever the rooms need`() {
    var group = Group(.pinned(.milliseconds(300)))
    group.run(600, ["attic": Self.room(late: 1_500, missed: 5)])
    #expect(group.published.isEmpty)
    #expect(group.now == .milliseconds(300))
    #expect(group.delay.roomsBeyondLimit == ["attic"])
  }

  @Test func `low delay names the rooms that it is too short for`() {
    var group = Group(.lowDelay)
    let short = DeliveryReport(outputLatency: .milliseconds(20), lateness: .milliseconds(8))
    group.run(120, ["attic": Self.room(late: 30), "tv": short])
    #expect(group.now == .milliseconds(60))
    #expect(group.delay.roomsBeyondLimit == ["attic"])
    #expect(group.published.isEmpty)
  }
}
