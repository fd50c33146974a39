// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import ClockSync
import Simulation
import Testing

@Suite struct EventQueueTests {
  @Test func `events happen by deadline, and equal deadlines in order of insertion`() {
    var queue = EventQueue()
    var random = SeededRandom(seed: 1)
    var happened: [(Int64, Int)] = []
    for index in 0..<1_000 {
      let deadline = Int64.random(in: 0..<50, using: &random)
      queue.insert(at: TrueInstant(nanoseconds: deadline)) { happened.append((deadline, index)) }
    }
    while let event = queue.popFirst() { event.action() }
    #expect(happened.count == 1_000)
    #expect(zip(happened, happened.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test func `an event sees its own moment as the present and may add others`() {
    let world = VirtualWorld()
    var seen: [Int64] = []
    world.schedule(at: TrueInstant(nanoseconds: 10)) {
      seen.append(world.now.nanoseconds)
      world.schedule(at: TrueInstant(nanoseconds: 5)) { seen.append(world.now.nanoseconds) }
    }
    world.run(until: TrueInstant(nanoseconds: 20))
    #expect(seen == [10, 10])
    #expect(world.now == TrueInstant(nanoseconds: 20))
  }

  @Test func `an event at the end of a run waits for the next`() {
    let world = VirtualWorld()
    var count = 0
    world.schedule(at: TrueInstant(nanoseconds: 20)) { count += 1 }
    world.run(until: TrueInstant(nanoseconds: 20))
    #expect(count == 0)
    world.run(until: TrueInstant(nanoseconds: 21))
    #expect(count == 1)
  }

  @Test func `a crystal counts by its error and its inverse agrees`() {
    var crystal = VirtualCrystal(error: .init(ppm: 40, wander: 0.05), seed: 2)
    for tenth in 1...600 {
      let moment = TrueInstant(seconds: Double(tenth) / 10)
      let counted = crystal.counted(at: moment)
      #expect(abs(crystal.moment(counted: counted) - moment.inSeconds) < 1e-9)
      #expect(abs(counted / moment.inSeconds - 1 - 40e-6) < 2e-6)
    }
  }

  @Test func `a link delivers within its quality and loses its share`() {
    var link = VirtualLink(.wifi, seed: 3)
    var lost = 0
    var last = TrueInstant(nanoseconds: 0)
    for index in 0..<20_000 {
      let sent = TrueInstant(nanoseconds: Int64(index) * 5_000_000)
      guard let arrival = link.arrival(sentAt: sent) else {
        lost += 1
        continue
      }
      let delay = arrival.inSeconds - sent.inSeconds
      #expect(delay >= 1e-3 && delay < 0.12)
      last = max(last, arrival)
    }
    #expect((100...300).contains(lost))
  }
}
