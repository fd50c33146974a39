// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Simulation
import Testing
import WireProtocol

@Suite struct StartTests {
  /// Lateness of the first sounding block in microseconds, by the truth.
  func firstErrors(_ house: House) -> [Double] { house.rooms.map { $0.trace.errors.first ?? .nan } }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `armed rooms sound their first frame within 100 microseconds of its time`(seed: UInt64) {
    let house = House.reference(seed: seed, link: .lan)
    house.world.run(seconds: 2)
    let announce = house.play()
    let due = house.coordinator.moment(of: announce.firstAudible.instant + .seconds(6)).inSeconds
    house.world.run(seconds: 1)
    let errors = firstErrors(house)
    print("armed start, seed \(seed): \(errors.map(text)) us")
    #expect(errors.allSatisfy { abs($0) < 50 })
    // Nothing of the beginning is missing: the first block that sounds holds the first frame.
    #expect(house.rooms.allSatisfy { abs(($0.trace.moments.first ?? 0) - due) < 0.011 })
    #expect(house.rooms.allSatisfy { $0.trace.jumps.isEmpty && $0.missingFrames == 0 })
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `cold rooms are in time within 700 ms of being switched on`(seed: UInt64) {
    var house = House.reference(seed: seed, link: .lan)
    house.world.run(seconds: 0.02)
    var start = VirtualCoordinator.Start()
    start.lead = 0.5
    house.play(start)
    house.world.run(seconds: 2)
    let errors = firstErrors(house)
    print("cold start, seed \(seed): \(errors.map(text)) us")
    #expect(errors.allSatisfy { abs($0) < 100 })
    #expect(house.rooms.allSatisfy { ($0.trace.moments.first ?? 9) < 0.7 })
    house.rooms = []
  }

  @Test func `the sound itself is in time, by a meter that knows no positions`() {
    let house = House.reference(seed: 7, link: .lan, sound: true) { index, room in
      room.card.rate = [44_100, 48_000, 96_000][index]
    }
    let meters = house.rooms.indices.map {
      ToneMeter(
        room: house.rooms[$0], coordinator: house.coordinator, rate: [44_100, 48_000, 96_000][$0],
        delay: .seconds(6))
    }
    house.world.run(seconds: 2)
    let announce = house.play()
    let due = house.coordinator.moment(of: announce.firstAudible.instant + .seconds(6)).inSeconds
    house.world.run(seconds: 18)
    for meter in meters {
      let late = meter.lateness.dropFirst().map { abs($0) }
      print(
        "tone: \(text(late.max() ?? .nan)) us, begins \(text(((meter.firstSound ?? 0) - due) * 1e6))"
      )
      #expect(late.count > 20)
      #expect((late.max() ?? .nan) < 25)
      // The filter rings up to half its length before a hard beginning; the tone begins at zero.
      #expect(abs((meter.firstSound ?? 0) - due) < 1e-3)
    }
  }

  @Test
  func `a late joiner is in time within a second and the others' sound is the same to the bit`() {
    func run(joiner: Bool) -> House {
      var house = House.reference(seed: 8, link: .lan, sound: true)
      house.world.run(seconds: 1)
      house.play()
      house.world.run(until: TrueInstant(seconds: 10))
      if joiner {
        var room = VirtualRoom.Configuration()
        room.host = .init(ppm: -60)
        room.card = .init(crystal: .init(ppm: 90))
        house.add(room, seed: 99)
      }
      house.world.run(until: TrueInstant(seconds: 20))
      return house
    }
    let without = run(joiner: false)
    let with = run(joiner: true)
    for (one, other) in zip(without.rooms, with.rooms) {
      #expect(one.trace.digest == other.trace.digest)
    }
    let late = with.rooms[3].trace
    let first = (late.moments.first ?? .nan) - 10
    let settled = with.skew(from: 12, to: 19)
    print(
      "late joiner: sounds after \(text(first * 1e3)) ms with \(text(late.errors.first ?? .nan)) us,"
        + " p99 from 2 s on \(text(settled.percentile(0.99))) us")
    #expect(first < 1)
    #expect(abs(late.errors.first ?? .nan) < 100)
    #expect(settled.percentile(0.99) < 30)
  }
}
