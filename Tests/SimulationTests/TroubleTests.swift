// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import Simulation
import Testing

@Suite struct TroubleTests {
  @Test func `five seconds without network are not heard in stored music`() {
    let house = House.reference(seed: 1, link: .lan)
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 10))
    house.rooms[0].down.isCut = true
    house.world.run(until: TrueInstant(seconds: 15))
    house.rooms[0].down.isCut = false
    house.world.run(until: TrueInstant(seconds: 15.5))
    #expect(house.rooms[0].missingFrames == 0)
    #expect(house.skew(from: 10, to: 15.5).percentile(0.99) < 20)
  }

  @Test func `a coordinator with a new clock leaves what is buffered in time and starts anew`() {
    let house = House.reference(seed: 2, link: .lan)
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 10))
    house.coordinator.renewClock(off: -0.3)
    house.world.run(until: TrueInstant(seconds: 14))
    #expect(house.rooms.allSatisfy { $0.clock.clockID == house.coordinator.clockID })
    #expect(house.skew(from: 10, to: 14).percentile(0.99) < 25)
    house.play()
    house.world.run(until: TrueInstant(seconds: 20))
    #expect(house.skew(from: 15, to: 19).percentile(0.99) < 25)
    // What is left of the old music gives way to the new clock at most once.
    #expect(house.rooms.allSatisfy { $0.resyncs <= 1 })
  }

  @Test(arguments: [-3_600, -4, 4, 3_600, 90_000] as [Double])
  func `however far off the new clock is, the music does not stop`(seconds: Double) {
    let house = House.reference(seed: 4, link: .lan, sound: true)
    var quietest = Float.infinity
    var steepest: Float = 0
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 10))
    var last: Float?
    house.rooms[0].onBlock = { block in
      let left = stride(from: 0, to: block.samples.count, by: 2).map { block.samples[$0] }
      quietest = min(quietest, left.map { abs($0) }.max() ?? 0)
      for sample in left {
        steepest = max(steepest, abs(sample - (last ?? sample)))
        last = sample
      }
    }
    house.coordinator.renewClock(off: seconds)
    house.play()
    house.world.run(until: TrueInstant(seconds: 20))
    // Two tones of 0.5 cross-fade, whatever their phases: at their worst they meet at nothing.
    print("new clock \(seconds) s off: quietest block \(quietest), steepest \(steepest)")
    #expect(quietest > 0.2)
    // The tone's own steps are 0.065.
    #expect(steepest < 0.08)
    #expect(house.rooms.allSatisfy { $0.missingFrames == 0 && $0.resyncs == 0 })
    #expect(house.skew(from: 12, to: 19).percentile(0.99) < 25)
  }

  @Test func `stop is silence everywhere within 120 ms and the next start is exact again`() {
    let house = House.reference(seed: 3, link: .lan, sound: true)
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 10))
    house.coordinator.flush()
    var loudest: [Float] = []
    for room in house.rooms {
      room.onBlock = { block in
        guard block.heardSeconds > 10.12 else { return }
        loudest.append(block.samples.map { abs($0) }.max() ?? 0)
      }
    }
    house.world.run(until: TrueInstant(seconds: 12))
    #expect((loudest.max() ?? 1) == 0)
    let before = house.rooms.map { $0.trace.errors.count }
    house.play()
    house.world.run(until: TrueInstant(seconds: 14))
    for (room, count) in zip(house.rooms, before) {
      #expect(abs(room.trace.errors.dropFirst(count).first ?? .nan) < 30)
      #expect(room.missingFrames == 0)
      #expect(room.resyncs == 0)
    }
    #expect(house.skew(from: 12.5, to: 13.8).percentile(0.99) < 30)
  }

  @Test func `the next generation takes over in every room at the same frame`() {
    let house = House.reference(seed: 4, link: .lan, sound: true)
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 8))
    house.coordinator.play { _ in SIMD2(0.25, -0.25) }
    house.world.run(until: TrueInstant(seconds: 12))
    for room in house.rooms {
      #expect(room.missingFrames == 0)
      #expect(room.resyncs == 0)
    }
    #expect(house.skew(from: 5, to: 11).percentile(0.99) < 20)
  }

  @Test func `the same seed gives the same sound to the bit`() {
    func digest() -> [UInt64] {
      let house = House.reference(seed: 5, link: .wifi, sound: true)
      house.world.run(seconds: 0.7)
      house.play()
      house.world.run(until: TrueInstant(seconds: 5))
      return house.rooms.map { $0.trace.digest }
    }
    #expect(digest() == digest())
  }

  @Test(arguments: [(0.4, 6), (6, 0.4)] as [(Double, Double)])
  func `a start with another D is exact too`(before: Double, after: Double) {
    let house = House.reference(seed: 6, link: .lan)
    house.world.run(seconds: 0.7)
    var start = VirtualCoordinator.Start()
    start.delay = Nanoseconds(seconds: before)
    house.play(start)
    house.world.run(until: TrueInstant(seconds: 5))
    house.coordinator.flush()
    house.world.run(until: TrueInstant(seconds: 6))
    let counts = house.rooms.map { $0.trace.errors.count }
    start.delay = Nanoseconds(seconds: after)
    house.play(start)
    house.world.run(until: TrueInstant(seconds: 9))
    for (room, count) in zip(house.rooms, counts) {
      #expect((room.trace.moments.dropFirst(count).first ?? 99) < 6.17)
      #expect(abs(room.trace.errors.dropFirst(count).first ?? .nan) < 30)
      #expect(room.missingFrames == 0)
      #expect(room.receiver.counters.late == 0)
    }
  }
}
