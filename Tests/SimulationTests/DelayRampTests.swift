// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Simulation
import Testing
import WireProtocol

/// A live group whose playout delay moves while it plays.
@Suite struct DelayRampTests {
  /// Three rooms on a wired network, playing a tone with a delay of 400 ms.
  static func live(seed: UInt64) -> House {
    let house = House.reference(seed: seed, link: .lan)
    house.world.run(seconds: 2)
    var start = VirtualCoordinator.Start()
    start.delay = .milliseconds(400)
    house.coordinator.play(start, signal: House.tone)
    house.world.run(seconds: 6)
    return house
  }

  /// Half a second from now, as a stamp of the playing generation.
  static func soon(_ house: House) -> MediaFrame {
    MediaFrame(house.coordinator.media(at: house.world.now) + .milliseconds(500))
  }

  /// What the adaptive delay does to links that get worse, then better, in reports of one room.
  static func report(late: Int64) -> [String: DeliveryReport] {
    ["attic": DeliveryReport(outputLatency: .milliseconds(45), lateness: .milliseconds(late))]
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `rooms stay together while the delay follows the links, up and down`(seed: UInt64) {
    let house = Self.live(seed: seed)
    var delay = AdaptiveDelay(mode: .live)
    var ramps = 0
    for second in 0..<300 {
      let late: Int64 = second < 20 ? 100 : second < 25 ? 445 : 150
      if let ramp = delay.decide(Self.report(late: late), from: Self.soon(house)) {
        house.coordinator.change(ramp)
        ramps += 1
      }
      house.world.run(seconds: 1)
    }
    let end = house.world.now.inSeconds
    let skew = house.skew(from: 8, to: end - 0.5)
    let late = house.rooms.flatMap(\.trace.errors).map { abs($0) }
    print(
      "delay ramps, seed \(seed): \(ramps), skew p99 \(text(skew.percentile(0.99))), "
        + "largest \(text(skew.percentile(1))) us; error \(text(late.max() ?? .nan)) us")
    #expect(ramps >= 2)
    #expect(delay.ramp.delay(at: Self.soon(house)) > .milliseconds(400))
    #expect(skew.percentile(0.99) < 20)
    #expect(late.max() ?? .nan < 100)
    #expect(house.rooms.allSatisfy { $0.trace.jumps.isEmpty && $0.missingFrames == 0 })
  }

  @Test func `a step at a gap is one cross-faded jump in every room, and all are together again`() {
    let house = Self.live(seed: 5)
    let longer = Nanoseconds.milliseconds(900)
    house.coordinator.change(DelayRamp(constant: longer))
    let stepped = house.world.now.inSeconds
    house.world.run(seconds: 10)
    #expect(house.rooms.allSatisfy { $0.trace.jumps.filter { $0 > stepped }.count == 1 })
    #expect(house.skew(from: stepped + 1.5, to: stepped + 9).percentile(0.99) < 30)
  }
}
