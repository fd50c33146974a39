// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Simulation
import Testing

/// What befalls one room or the coordinator, and how long it takes to be over.
@Suite struct FaultTests {
  /// What the samples of one room were like.
  final class Watch {
    private(set) var samples: [RoomSample] = []

    func attach(to house: VirtualHouse) {
      house.onSample = { self.samples += $0 }
    }

    func errors(of room: Int, from start: Double, to end: Double) -> [Double?] {
      samples.filter { $0.room == room && $0.at >= start && $0.at < end }.map(\.error)
    }

    /// Whether a room sounded all the time, and never further off than so many microseconds.
    func isInTime(_ room: Int, from start: Double, to end: Double, within limit: Double) -> Bool {
      let errors = errors(of: room, from: start, to: end)
      return !errors.isEmpty && errors.allSatisfy { $0.map { abs($0) < limit } ?? false }
    }
  }

  /// Four wired rooms, and what befalls them.
  func play(
    _ events: [HouseScenario.Event], seconds: Double = 40, seed: UInt64 = 11
  ) -> (Watch, HouseReport) {
    var scenario = HouseScenario.random(.wired, seed: seed, seconds: seconds, rooms: 4)
    scenario.events = events
    let house = VirtualHouse(scenario)
    let watch = Watch()
    watch.attach(to: house)
    return (watch, house.run())
  }

  @Test(arguments: [2, 20, 300] as [Double])
  func `a host that slept is in time again soon, and nobody else notices`(seconds: Double) {
    let (watch, report) = play(
      [.init(at: 15, .suspend(room: 1, seconds: seconds))], seconds: seconds + 30)
    print("sleep of \(Int(seconds)) s: \(report.figures)")
    #expect(watch.isInTime(1, from: seconds + 18, to: seconds + 29, within: 50))
    for room in [0, 2, 3] {
      #expect(watch.isInTime(room, from: 8, to: seconds + 29, within: 50))
    }
    #expect(report.recovery.count == 1)
    #expect(report.recovery.largest < 1_500)
  }

  @Test(arguments: [0.05, 0.15, 0.3, -0.02] as [Double])
  func `a card that stalls is in time again soon, and nobody else notices`(seconds: Double) {
    let (watch, report) = play([.init(at: 15, .stall(room: 2, seconds: seconds))])
    print("stall of \(Int(seconds * 1e3)) ms: \(report.figures)")
    #expect(watch.isInTime(2, from: 18, to: 39, within: 50))
    for room in [0, 1, 3] { #expect(watch.isInTime(room, from: 8, to: 39, within: 50)) }
    #expect(report.recovery.largest < 1_000)
  }

  @Test func `a coordinator that is back on the same clock within D is not heard`() {
    let (watch, report) = play([.init(at: 15, .outage(seconds: 3.5, newClock: false))])
    print("same clock: \(report.figures)")
    for room in 0..<4 { #expect(watch.isInTime(room, from: 8, to: 39, within: 50)) }
    #expect(report.missingFrames == 0 && report.resyncs == 0 && report.concealed == 0)
    #expect(report.starts.largest < 100)
  }

  @Test(arguments: [0.3, 3.5, 60] as [Double])
  func `a coordinator that is back with a new clock starts all rooms together`(seconds: Double) {
    let (watch, report) = play(
      [.init(at: 15, .outage(seconds: seconds, newClock: true))], seconds: seconds + 30)
    print("new clock after \(seconds) s: \(report.figures)")
    // What the rooms hold is played out by the old clock, until the new music is there.
    let from = seconds < 6 ? 8 : seconds + 17
    for room in 0..<4 {
      #expect(watch.isInTime(room, from: from, to: seconds + 29, within: 50))
    }
    if seconds < 6 { #expect(report.missingFrames == 0 && report.resyncs == 0) }
    #expect(report.settling.largest < 1_000)
  }

  @Test func `a cut of a minute is over when the network is back`() {
    let (watch, report) = play([.init(at: 15, .cut(room: 3, seconds: 60))], seconds: 100)
    print("cut of a minute: \(report.figures)")
    #expect(watch.isInTime(3, from: 75.5, to: 99, within: 100))
    for room in 0..<3 { #expect(watch.isInTime(room, from: 8, to: 99, within: 50)) }
  }

  @Test(arguments: [5, 60] as [Double])
  func `a network that is down for all rooms is over when it is back`(seconds: Double) {
    let (watch, report) = play(
      (0..<4).map { .init(at: 15, .cut(room: $0, seconds: seconds)) }, seconds: seconds + 35)
    print("all rooms cut for \(Int(seconds)) s: \(report.figures)")
    // Less than D is not heard at all.
    let from = seconds < 6 ? 8 : seconds + 15.3
    for room in 0..<4 {
      #expect(watch.isInTime(room, from: from, to: seconds + 34, within: 100))
    }
    if seconds < 6 { #expect(report.missingFrames == 0 && report.resyncs == 0) }
  }

  @Test(arguments: [0.5, 4, 60] as [Double])
  func `rooms play on while the coordinator's host sleeps, and go over when it wakes`(
    seconds: Double
  ) {
    let (watch, report) = play([.init(at: 15, .sleep(seconds: seconds))], seconds: seconds + 30)
    print("coordinator sleeps for \(seconds) s: \(report.figures)")
    let from = seconds < 6 ? 8 : seconds + 15.3
    for room in 0..<4 {
      #expect(watch.isInTime(room, from: from, to: seconds + 29, within: 50))
    }
    if seconds < 6 { #expect(report.missingFrames == 0 && report.resyncs == 0) }
  }

  @Test(arguments: [3, 8] as [Double])
  func `a coordinator that stands still for less than D is not heard`(seconds: Double) {
    let (watch, report) = play([.init(at: 15, .freeze(seconds: seconds))], seconds: seconds + 30)
    print("coordinator stands still for \(seconds) s: \(report.figures)")
    let from = seconds < 6 ? 8 : seconds + 15.3
    for room in 0..<4 {
      #expect(watch.isInTime(room, from: from, to: seconds + 29, within: 50))
    }
    if seconds < 6 { #expect(report.missingFrames == 0 && report.concealed == 0) }
  }

  @Test func `a control link that is half open is not heard, even over a seek`() {
    let (watch, report) = play([
      .init(at: 15, .halfOpen(room: 1, seconds: 8)), .init(at: 18, .seek),
    ])
    print("half open: \(report.figures)")
    for room in 0..<4 { #expect(watch.isInTime(room, from: 8, to: 39, within: 50)) }
    #expect(report.missingFrames == 0 && report.concealed == 0 && report.resyncs == 0)
  }

  @Test func `a speaker that was killed is back soon, and nobody else notices`() {
    let (watch, report) = play([.init(at: 15, .restart(room: 2, seconds: 1))])
    print("speaker killed: \(report.figures)")
    #expect(watch.isInTime(2, from: 17, to: 39, within: 50))
    for room in [0, 1, 3] { #expect(watch.isInTime(room, from: 8, to: 39, within: 50)) }
  }

  @Test func `a card that runs dry is in time again soon, and nobody else notices`() {
    let (watch, report) = play([.init(at: 15, .xrun(room: 2))])
    print("card runs dry: \(report.figures)")
    #expect(watch.isInTime(2, from: 15.7, to: 39, within: 50))
    for room in [0, 1, 3] { #expect(watch.isInTime(room, from: 8, to: 39, within: 50)) }
    #expect(report.recovery.largest < 500)
  }

  /// At 0.5 s the card is taken before the speaker could open it; at 15 s it is unplugged.
  @Test(arguments: [0.5, 15] as [Double])
  func `a card that is away is looked for, and plays in time when it is back`(at: Double) {
    let (watch, report) = play([.init(at: at, .unplug(room: 2, seconds: 6))])
    print("card away at \(at) s: \(report.figures)")
    #expect(watch.isInTime(2, from: at + 8, to: 39, within: 50))
    for room in [0, 1, 3] { #expect(watch.isInTime(room, from: 8, to: 39, within: 50)) }
    #expect(watch.errors(of: 2, from: at + 1, to: at + 5).allSatisfy { $0 == nil })
  }

  @Test(arguments: [1, 12, 48] as [Int64])
  func `a device that lies at its start is believed no longer than it lies`(step: Int64) {
    var scenario = HouseScenario.random(.wired, seed: 12, seconds: 30, rooms: 3)
    for (index, lie) in [306, -597, -936].enumerated() {
      var card = VirtualSoundCard.Model(crystal: .init(ppm: 40 * Double(index) - 39))
      (card.granularity, card.lieFrames, card.lieSeconds) = (step, Int64(lie), 0.15)
      scenario.rooms[index].configuration.card = card
    }
    scenario.playsAt = 2
    let report = VirtualHouse(scenario).run()
    print("devices that move by \(step) frames and lie: \(report.figures)")
    #expect(report.starts.count == 3)
    #expect(report.starts.largest < 100)
    #expect(report.skew.percentile(0.99) < 20)
    #expect(report.resyncs == 0)
  }

  @Test func `an hour's worth of faults in minutes leaves no room behind`() {
    let chaos = HouseChaos(seed: 7, rooms: 6, seconds: 1_200)
    let outcome = chaos.run()
    print("chaos: \(outcome.faults) faults, \(outcome.report.figures)")
    for failure in outcome.failures {
      Issue.record("at \(failure.at) s \(failure.room) \(failure.words)")
    }
    #expect(outcome.faults > 100)

    #expect(outcome.report.mostPackets < 1_000)
    #expect(outcome.report.mostEvents < 500)
  }
}
