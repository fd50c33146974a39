// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import House
import Playout
import Simulation
import Testing
import WireProtocol

@Suite struct RepairTests {
  /// 5 % lost in bursts of four, 2 ms each way: the figure by which the issue is judged.
  static let lossy: VirtualLink.Quality = {
    var link = VirtualLink.Quality(base: 2e-3, jitter: 200e-6, loss: 0.05)
    link.lossBurst = 4
    return link
  }()

  /// One room, so that ten minutes take seconds.
  func room(_ link: VirtualLink.Quality, seed: UInt64) -> House {
    var house = House(seed: seed)
    var room = VirtualRoom.Configuration()
    room.host = .init(ppm: 12, wander: 0.01)
    room.card = .init(crystal: .init(ppm: 40, wander: 0.01))
    (room.down, room.up) = (link, link)
    house.add(room, seed: seed &* 16)
    return house
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `ten minutes of bursty loss miss nothing and conceal at most one packet`(seed: UInt64) {
    let house = room(Self.lossy, seed: seed)
    house.world.run(seconds: 0.7)
    house.coordinator.play(signal: House.tone)
    house.world.run(until: TrueInstant(seconds: 600))
    let counters = house.rooms[0].receiver.counters
    print("loss 5 %, seed \(seed): \(counters), \(house.coordinator.repairCounters)")
    #expect(counters.repaired > 800, "the link does lose packets")
    #expect(house.rooms[0].missingFrames == 0)
    #expect(counters.concealed <= 1)
    #expect(counters.lost <= 1)
    #expect(house.rooms[0].resyncs == 0)
    // Not more than one in five is sent in vain.
    #expect(counters.superfluous < counters.repaired / 5)
  }

  @Test(arguments: [1, 3])
  func `an outage of five seconds of one room or of all is not heard`(rooms: Int) {
    let house = House.reference(seed: 7, link: .lan)
    house.world.run(seconds: 0.7)
    house.coordinator.play(signal: House.tone)
    house.world.run(until: TrueInstant(seconds: 10))
    setCut(true, house.rooms.prefix(rooms))
    house.world.run(until: TrueInstant(seconds: 15))
    setCut(false, house.rooms.prefix(rooms))
    house.world.run(until: TrueInstant(seconds: 25))
    for room in house.rooms {
      #expect(room.missingFrames == 0)
      #expect(room.receiver.counters.concealed == 0 && room.receiver.counters.lost == 0)
    }
    for room in house.rooms.prefix(rooms) {
      #expect((240...260).contains(room.receiver.counters.repaired))
      #expect(room.receiver.counters.superfluous == 0)
    }
    #expect(house.skew(from: 10, to: 24).percentile(0.99) < 25)
  }

  func setCut(_ isCut: Bool, _ rooms: ArraySlice<VirtualRoom>) {
    for room in rooms {
      room.down.isCut = isCut
      room.up.isCut = isCut
    }
  }

  /// True seconds at which sound came back after `moment`, and the other rooms' sound to the bit.
  func minuteWithoutNetwork(cut: Bool) -> (back: Double?, settled: Double, others: [UInt64]) {
    let house = House.reference(seed: 8, link: .lan, sound: true)
    house.world.run(seconds: 0.7)
    house.coordinator.play(signal: House.tone)
    house.world.run(until: TrueInstant(seconds: 10))
    if cut { setCut(true, house.rooms.prefix(1)) }
    house.world.run(until: TrueInstant(seconds: 70))
    var back: Double?
    house.rooms[0].onBlock = { block in
      guard back == nil, let first = block.samples.firstIndex(where: { abs($0) > 0.01 }) else {
        return
      }
      back = block.heardSeconds + Double(first / 2) / 48_000
    }
    setCut(false, house.rooms.prefix(1))
    house.world.run(until: TrueInstant(seconds: 76))
    let errors = zip(house.rooms[0].trace.moments, house.rooms[0].trace.errors)
    let settled = errors.filter { $0.0 > 72 }.map { abs($0.1) }.max() ?? .infinity
    return (back, settled, house.rooms.dropFirst().map { $0.trace.digest })
  }

  @Test func `after a minute without network a room is back at once, and nobody else notices`()
    throws
  {
    let cut = minuteWithoutNetwork(cut: true)
    let undisturbed = minuteWithoutNetwork(cut: false)
    let back = try #require(cut.back)
    print("back \(text((back - 70) * 1_000)) ms after the link, \(text(cut.settled)) us after 2 s")
    #expect(back - 70 < 0.3)
    #expect(cut.settled < 100)
    #expect(cut.others == undisturbed.others)
  }

  @Test func `a room that hears nothing back asks little`() {
    let house = House.reference(seed: 9, link: .lan)
    house.world.run(seconds: 0.7)
    house.coordinator.play(signal: House.tone)
    house.world.run(until: TrueInstant(seconds: 10))
    // One way only: the coordinator hears the room, and answers into the void.
    house.rooms[0].down.isCut = true
    house.world.run(until: TrueInstant(seconds: 15))
    #expect(house.coordinator.repairCounters.asked < 300)
    house.rooms[0].down.isCut = false
    house.world.run(until: TrueInstant(seconds: 22))
    #expect(house.rooms[0].missingFrames == 0)
    #expect(house.rooms[0].receiver.counters.lost == 0)
  }

  @Test func `a flood of requests gets no more than the room's credit`() throws {
    let house = House.reference(seed: 10, link: .lan)
    house.world.run(seconds: 0.7)
    let announce = house.coordinator.play(signal: House.tone)
    house.world.run(until: TrueInstant(seconds: 10))
    let victim = try #require(house.rooms[1].destination)
    // 20,000 requests for 300 packets each within two seconds.
    for round in 0..<20_000 {
      let missing = (0..<300).map { UInt16($0 + 250) }
      let request = NegativeAcknowledgement(media: announce.ssrc, missing: missing)
      house.coordinator.receive(RTCPPacket.negativeAcknowledgement(request).encode(), from: victim)
      if round % 100 == 0 { house.world.run(seconds: 0.01) }
    }
    // 400 at once and 100 a second.
    #expect(house.coordinator.repairCounters.sent <= 620)
    #expect(house.rooms.allSatisfy { $0.missingFrames == 0 })
    #expect(house.rooms[1].receiver.counters.superfluous > 0)
    #expect(house.skew(from: 5, to: 11.5).percentile(0.99) < 25)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `nothing is asked for on a path that loses nothing, whatever button is pressed`(seed: UInt64)
  {
    let house = House.reference(seed: seed, link: .lan)
    house.world.run(seconds: 0.02)
    // Cold, with the clock unknown; then over what sounds; then after a pause.
    for pause in [0.7, 1.3, 0.4, 8] {
      house.coordinator.play()
      house.world.run(seconds: pause)
    }
    house.coordinator.flush()
    house.world.run(seconds: 0.5)
    house.coordinator.play()
    house.world.run(seconds: 2)
    #expect(house.coordinator.repairCounters.asked == 0)
    #expect(house.rooms.allSatisfy { $0.receiver.counters.superfluous == 0 })
  }
}
