// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import Simulation
import Testing

@Suite struct WrapTests {
  /// 2026-11-30, moved so that the low 32 bits of the frame wrap `seconds` later.
  func mediaClock(beforeStampWrap seconds: Int64) -> MediaInstant {
    let frame = MediaFrame(VirtualCoordinator.ordinaryDay).index
    let wrap = (frame >> 32 + 1) << 32
    return MediaFrame(index: wrap - seconds * MediaFrame.rate).instant
  }

  func expectUnbroken(_ house: House, _ name: String, from start: Double, to end: Double) {
    let skew = house.skew(from: start, to: end)
    print("\(name): skew p99 \(text(skew.percentile(0.99))) us")
    #expect(skew.percentile(0.99) < 25)
    for room in house.rooms {
      #expect(room.missingFrames == 0)
      #expect(room.resyncs == 0)
      #expect(room.trace.jumps.isEmpty)
      #expect(room.receiver.counters.lost == 0)
      #expect(room.receiver.counters.discarded == 0)
    }
  }

  @Test func `the sequence number wraps without a trace`() {
    let house = House.reference(seed: 1, link: .lan)
    house.world.run(seconds: 0.7)
    var start = VirtualCoordinator.Start()
    // 10 s before the wrap, of which D = 6 s are sent in the opening burst.
    start.firstSequence = 65_535 - 500
    house.play(start)
    house.world.run(until: TrueInstant(seconds: 20))
    expectUnbroken(house, "sequence wrap", from: 5, to: 19)
  }

  @Test(arguments: [3, 10] as [Int64])
  func `the stamp wraps without a trace`(seconds: Int64) {
    let house = House.reference(
      seed: 2, link: .lan, mediaClock: mediaClock(beforeStampWrap: seconds))
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 20))
    expectUnbroken(house, "stamp wrap after \(seconds) s", from: 5, to: 19)
  }

  @Test func `a room that joins while the buffered stamps straddle the wrap is in time`() {
    var house = House.reference(
      seed: 3, link: .lan, mediaClock: mediaClock(beforeStampWrap: 10))
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 12))
    house.add(VirtualRoom.Configuration(), seed: 77)
    house.world.run(until: TrueInstant(seconds: 20))
    #expect(house.skew(from: 14, to: 19).percentile(0.99) < 30)
    #expect(house.rooms[3].missingFrames == 0)
  }

  @Test func `NTP era 1 begins in February 2036 without a trace`() {
    // 2^32 seconds after 1900.
    let era = MediaInstant(nanosecondsSince1900: 4_294_967_296_000_000_000)
    let house = House.reference(seed: 4, link: .lan, mediaClock: era - .seconds(10))
    house.world.run(seconds: 0.7)
    house.play()
    house.world.run(until: TrueInstant(seconds: 20))
    expectUnbroken(house, "era 1", from: 5, to: 19)
  }
}
