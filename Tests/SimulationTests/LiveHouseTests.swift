// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Playout
import Simulation
import Testing
import WireProtocol

/// A live group over links that change: rooms report each second, and the delay follows.
private struct LiveHouse {
  let house: House
  var delay = AdaptiveDelay(mode: .live)
  var collector = DeliveryCollector()
  /// At which second which ramp was published, and whether a room had a gap in it.
  var ramps: [(second: Int, ramp: DelayRamp, hadGap: Bool)] = []
  var second = 0

  init(seed: UInt64, link: VirtualLink.Quality) {
    house = House.reference(seed: seed, link: link)
    house.world.run(seconds: 2)
    var start = VirtualCoordinator.Start()
    start.delay = delay.begin().d0
    house.coordinator.play(start)
    house.world.run(seconds: 3)
  }

  var now: Nanoseconds { delay.ramp.delay(at: soon) }
  private var soon: MediaFrame {
    let media = house.coordinator.media(at: house.world.now)
    return delay.ramp.stamp(heardAt: media + .milliseconds(300))
  }
  /// Frames of music that did not sound, all rooms.
  var missing: UInt64 { house.rooms.reduce(0) { $0 + $1.missingFrames } }
  var concealed: UInt64 { house.rooms.reduce(0) { $0 + $1.receiver.counters.concealed } }

  mutating func run(_ seconds: Int) {
    for _ in 0..<seconds {
      house.world.run(seconds: 1)
      second += 1
      guard let ssrc = house.coordinator.announcement?.ssrc else { continue }
      for (index, room) in house.rooms.enumerated() {
        collector.take(room.report(), from: "room \(index)", playing: ssrc)
      }
      let told = collector.flush()
      guard let ramp = delay.decide(told, from: soon) else { continue }
      ramps.append((second, ramp, told.values.contains { $0.missed > 0 }))
      house.coordinator.change(ramp)
    }
  }
}

@Suite struct LiveHouseTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `over wireless links a live house has no gap, and its delay shrinks unheard`(
    seed: UInt64
  ) {
    var live = LiveHouse(seed: seed, link: .wifi)
    live.run(600)
    let end = live.house.world.now.inSeconds
    let skew = live.house.skew(from: 10, to: end - 0.5)
    print(
      "live over wifi, seed \(seed): D \(live.now) after \(live.ramps.count) ramps, "
        + "\(live.concealed) concealed, skew p99 \(text(skew.percentile(0.99))), "
        + "largest \(text(skew.percentile(1))) us")
    #expect(live.missing == 0 && live.concealed == 0)
    #expect(live.now < .milliseconds(330))
    #expect(live.ramps.allSatisfy { $0.ramp.slope.value > 0 })
    #expect(skew.percentile(0.99) < 100)
    #expect(live.house.rooms.allSatisfy { $0.resyncs == 0 })
  }

  @Test(arguments: [4, 5] as [UInt64])
  func `a link that gets bad costs one gap, and the delay is longer from then on`(seed: UInt64) {
    var live = LiveHouse(seed: seed, link: .lan)
    live.run(30)
    #expect(live.missing == 0)
    var bad = VirtualLink.Quality.wifi
    bad.sleepsPerSecond = 0.3
    bad.sleepLength = 0.5...0.7
    live.house.rooms[1].down.quality = bad
    live.run(120)
    let gaps = live.missing + live.concealed
    let steps = live.ramps.filter { $0.ramp.slope.value == 0 }
    #expect(gaps > 0)
    #expect(!steps.isEmpty && steps.allSatisfy { $0.hadGap })
    #expect(live.now > .milliseconds(650))
    // From the second minute on the delay covers the sleeps.
    live.run(60)
    let covered = live.missing + live.concealed
    live.run(120)
    print(
      "a bad link, seed \(seed): D \(live.now), \(steps.count) steps, \(gaps) then "
        + "\(live.missing + live.concealed - covered) frames and packets missing")
    #expect(live.missing + live.concealed == covered)
    // Well again: a minute's patience, then 0.2 ms a second.
    live.house.rooms[1].down.quality = .lan
    let before = live.now
    live.run(200)
    let after = live.now
    #expect(after < before && before - after < .milliseconds(35))
    let end = live.house.world.now.inSeconds
    #expect(live.house.skew(from: end - 100, to: end - 0.5).percentile(0.99) < 20)
  }
}
