// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ClockSync
internal import Playout

/// A house of a scenario, playing in virtual time.
///
/// - Thread: one; houses share nothing, so several may run at a time.
public final class VirtualHouse {
  /// What the run depends on.
  public let scenario: HouseScenario
  /// Where it happens.
  public let world = VirtualWorld()
  /// Who plays.
  public let coordinator: VirtualCoordinator
  /// The rooms as in the scenario; nil: switched off.
  public internal(set) var rooms: [VirtualRoom?]
  /// Called ten times a second.
  public var onSample: ((_ samples: [RoomSample]) -> Void)?

  let signal: VirtualCoordinator.Signal?
  var meter: HouseMeter
  var random: SeededRandom
  /// Outages and pauses under way: music is on again when the last one is over.
  var silences = 0
  var outages = 0

  /// A house in which nothing has happened yet.
  ///
  /// - Parameters:
  ///   - scenario: All that the run depends on.
  ///   - signal: What is played, for rooms that compute samples.
  public init(_ scenario: HouseScenario, signal: VirtualCoordinator.Signal? = nil) {
    self.scenario = scenario
    self.signal = signal
    random = SeededRandom(seed: scenario.seed &+ 0x0B5E_55ED)
    rooms = Array(repeating: nil, count: scenario.rooms.count)
    meter = HouseMeter(scenario)
    coordinator = VirtualCoordinator(
      world: world, error: scenario.coordinator, mediaClock: scenario.mediaClock,
      seed: scenario.seed)
    for (index, room) in scenario.rooms.enumerated() {
      at(room.joins) { $0.switchOn(index) }
      if let leaves = room.leaves { at(leaves) { $0.switchOff(index) } }
    }
    at(scenario.playsAt) { $0.play() }
    for event in scenario.events { at(event.at) { $0.happen(event.fault) } }
    at(Self.sampling) { $0.sample() }
  }

  /// Runs to the end.
  public func run() -> HouseReport {
    world.run(until: TrueInstant(seconds: scenario.seconds))
    return finish()
  }

  /// Ends the run: nothing happens any more.
  public func finish() -> HouseReport {
    for index in rooms.indices { switchOff(index) }
    world.end()
    return meter.report
  }

  /// Starts, or starts anew, what is played.
  func play() {
    coordinator.play(scenario.start, signal: signal)
    let due = world.now.inSeconds + scenario.start.lead
    for index in rooms.indices {
      guard let room = rooms[index] else { continue }
      let isReady =
        room.isAwake && room.isReady && !room.down.isCut
        && room.clock.clockID == coordinator.clockID
      meter.disturb(index, by: isReady ? .start : .join, at: due)
    }
  }

  func switchOn(_ index: Int) {
    guard rooms[index] == nil else { return }
    let room = VirtualRoom(
      scenario.rooms[index].configuration, coordinator: coordinator, seed: random.next())
    room.trace.limit = Self.traceBlocks
    room.onHeard = { [unowned self] in meter.heard($0, in: index) }
    rooms[index] = room
    meter.disturb(index, by: .join, at: world.now.inSeconds)
  }

  func switchOff(_ index: Int) {
    guard let room = rooms[index] else { return }
    room.stop()
    meter.count(room)
    meter.forget(index)
    rooms[index] = nil
  }

  /// Lets something happen at a moment, in seconds.
  func at(_ seconds: Double, _ action: @escaping (VirtualHouse) -> Void) {
    world.schedule(at: TrueInstant(seconds: seconds)) { [unowned self] in action(self) }
  }

  /// Lets something happen later.
  func after(_ seconds: Double, _ action: @escaping (VirtualHouse) -> Void) {
    at(world.now.inSeconds + seconds, action)
  }

  private func sample() {
    let moment = world.now.inSeconds - Self.hindsight
    var samples: [RoomSample] = []
    samples.reserveCapacity(rooms.count)
    for (index, room) in rooms.enumerated() {
      guard let room, room.isAwake else { continue }
      samples.append(room.sample(index, at: moment))
      meter.note(packets: room.receiver.packetsHeld)
    }
    meter.take(samples)
    meter.note(events: world.waiting)
    onSample?(samples)
    after(Self.sampling) { $0.sample() }
  }

  /// Seconds between two samples.
  private static let sampling = 0.1
  /// Samples look back so many seconds: a block is judged when its card has played it.
  private static let hindsight = 0.1
  /// Blocks that a trace keeps: 10 s.
  private static let traceBlocks = 1_000
}

extension VirtualRoom {
  /// Whether clock and card are known well enough for an exact start.
  public var isReady: Bool { clock.isSettled && pump.isReady }

  /// What the room is like now, and what sounded at `moment`.
  func sample(_ index: Int, at moment: Double) -> RoomSample {
    let map = clockMap()
    return RoomSample(
      at: moment, room: index, error: trace.error(atSeconds: moment),
      clockError: clockError().map { $0 * 1e6 }, sigma: map?.sigma.inMicroseconds,
      bound: map?.bound.inMicroseconds, buffered: receiver.buffered.inSeconds)
  }
}
