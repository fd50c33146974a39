// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import Simulation
import Testing

@Suite struct SyncTests {
  /// Plays for a minute and prints what the rooms were like.
  func minute(_ name: String, seed: UInt64, _ house: House) -> HouseSkew {
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 60))
    let early = house.skew(from: 2, to: 5)
    let skew = house.skew(from: 5, to: 59)
    print(
      "\(name), seed \(seed): skew p50 \(text(skew.percentile(0.5)))"
        + " p99 \(text(skew.percentile(0.99))) max \(text(skew.percentile(1))) us;"
        + " 2-5 s p99 \(text(early.percentile(0.99))) us")
    return skew
  }

  func expectUndisturbed(_ house: House) {
    #expect(house.rooms.allSatisfy { $0.resyncs == 0 && $0.cardUnderruns == 0 })
    #expect(house.rooms.allSatisfy { $0.trace.jumps.isEmpty && $0.missingFrames == 0 })
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `three rooms on a wired network stay within 20 microseconds`(seed: UInt64) {
    let house = House.reference(seed: seed, link: .lan)
    let skew = minute("lan", seed: seed, house)
    #expect(skew.percentile(0.5) < 5)
    #expect(skew.percentile(0.99) < 20)
    expectUndisturbed(house)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `with 20 microseconds of jitter they stay within 10`(seed: UInt64) {
    let house = House.reference(seed: seed, link: .quietLAN)
    let skew = minute("quiet lan", seed: seed, house)
    #expect(skew.percentile(0.99) < 10)
    expectUndisturbed(house)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `on Wi-Fi with sleeps to 100 ms, loss and reordering they stay within 100`(seed: UInt64) {
    let house = House.reference(seed: seed, link: .wifi)
    let skew = minute("wifi", seed: seed, house)
    #expect(skew.percentile(0.99) < 100)
    #expect(house.rooms.allSatisfy { $0.resyncs == 0 && $0.cardUnderruns == 0 })
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `hosts 100 ppm off and cards 1500 ppm off make no difference`(seed: UInt64) {
    let house = House.reference(seed: seed, link: .lan) { index, room in
      room.host = .init(ppm: [100, -100, 60][index], wander: 0.02)
      room.card = .init(crystal: .init(ppm: [1_500, -1_500, 0][index], wander: 0.02))
    }
    let skew = minute("far off", seed: seed, house)
    #expect(skew.percentile(0.99) < 25)
    expectUndisturbed(house)
  }

  @Test func `hosts and cards that warm up by 20 ppm in five minutes are followed`() {
    let house = House.reference(seed: 1, link: .lan) { index, room in
      room.host.ramp = [0.067, -0.067, 0][index]
      room.card.crystal.ramp = [-0.067, 0, 0.067][index]
    }
    let skew = minute("warming up", seed: 1, house)
    #expect(skew.percentile(0.99) < 30)
    expectUndisturbed(house)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `cards whose pointers move by 1 frame, 1 ms and 10 ms play together`(seed: UInt64) {
    let house = House.reference(seed: seed, link: .lan) { index, room in
      room.card.granularity = [1, 48, 480][index]
    }
    let skew = minute("granularity", seed: seed, house)
    #expect(skew.percentile(0.5) < 5)
    #expect(skew.percentile(0.99) < 20)
    #expect(house.rooms.allSatisfy { $0.resyncs == 0 && $0.cardUnderruns == 0 })
  }

  @Test func `devices at 44.1, 96 and 192 kHz play together`() {
    let house = House.reference(seed: 1, link: .lan) { index, room in
      room.card.rate = [44_100, 96_000, 192_000][index]
    }
    let skew = minute("rates", seed: 1, house)
    #expect(skew.percentile(0.99) < 20)
    expectUndisturbed(house)
  }

  @Test func `ways of 8 and 1 ms put a room off by half the difference, within its bound`() {
    let house = House.reference(seed: 1, link: .lan) { index, room in
      if index == 0 {
        room.down = .init(base: 8e-3, jitter: 50e-6)
        room.up = .init(base: 1e-3, jitter: 50e-6)
      }
    }
    let skew = minute("asymmetric", seed: 1, house)
    #expect(abs(skew.percentile(0.99) - 3_500) < 50)
    let bound = house.rooms[0].clock.map?.bound.inMicroseconds ?? .nan
    #expect(bound > skew.percentile(1))
    #expect(bound < 4_700)
  }

  @Test func `what a room reports of itself agrees with the truth`() {
    let house = House.reference(seed: 6, link: .lan)
    _ = minute("report", seed: 6, house)
    for room in house.rooms {
      let report = room.reportedError()
      let truth = room.trace.errors.suffix(1_000).map { abs($0) }.sorted()
      #expect(abs(report.p50.inMicroseconds - truth[500]) < 6)
      #expect(report.blocks > 900)
    }
  }
}
