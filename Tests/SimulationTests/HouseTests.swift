// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import Simulation
import Testing

@Suite struct HouseTests {
  /// Processor seconds of this thread.
  func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  @Test(arguments: [2, 8] as [UInt64])
  func `a room that computes positions alone errs as one that computes samples`(seed: UInt64) {
    func errors(samples: Bool) -> [[Double]] {
      let scenario = HouseScenario.random(.awkward, seed: seed, seconds: 25)
      let house = VirtualHouse(scenario.rendering(samples: samples), signal: House.tone)
      house.world.run(seconds: 24)
      defer { _ = house.finish() }
      return house.rooms.map { room in
        (room?.trace.errors ?? []) + [Double(room?.missingFrames ?? 0)]
      }
    }
    let positions = errors(samples: false)
    #expect(positions == errors(samples: true))
    #expect(positions.contains { $0.count > 1_000 })
  }

  @Test func `an hour of four rooms takes less than 20 seconds of a processor`() {
    let scenario = HouseScenario.random(.wired, seed: 5, seconds: 120, rooms: 4)
    let before = processorSeconds()
    let report = VirtualHouse(scenario).run()
    let perHour = (processorSeconds() - before) * 3_600 / 120
    print("an hour of four rooms: \(text(perHour)) s of processor time, unoptimised test included")
    #expect(report.skew.count > 5_000)
    #expect(perHour < 20)
  }

  @Test func `the same scenario gives the same figures`() {
    func figures() -> String {
      VirtualHouse(.random(.awkward, seed: 3, seconds: 40)).run().figures
    }
    #expect(figures() == figures())
  }

  @Test func `a house leaves no room behind`() {
    weak var left: VirtualRoom?
    do {
      let house = VirtualHouse(.random(.wireless, seed: 1, seconds: 3, rooms: 2))
      house.world.run(seconds: 2)
      left = house.rooms.first.flatMap { $0 }
      #expect(left != nil)
      _ = house.finish()
    }
    #expect(left == nil)
  }

  @Test func `a distribution is within one percent of the sorted values`() {
    var random = WideDraws()
    var distribution = Distribution()
    var values: [Double] = []
    for _ in 0..<10_000 {
      let value = random.next()
      values.append(value)
      distribution.add(-value)
    }
    values.sort()
    for part in [0.01, 0.5, 0.99] {
      let exact = values[Int((part * 10_000).rounded(.up)) - 1]
      #expect(distribution.percentile(part) >= exact)
      #expect(distribution.percentile(part) <= exact * 1.01)
    }
    #expect(distribution.percentile(1) == values.last)
    #expect(distribution.count == 10_000)
  }
}

/// Numbers over six powers of ten, the same each time.
struct WideDraws {
  private var state: UInt64 = 1

  mutating func next() -> Double {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return pow(10, Double(state >> 40) / Double(1 << 24) * 6 - 3)
  }
}
