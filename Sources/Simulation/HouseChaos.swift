// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ClockSync

// Hours in which something breaks every few seconds. Now and then it is calm for long enough that every
// fault is over: then every room must sound, in time. What is stuck is found there, and named.

/// A house in which something breaks every few seconds.
public final class HouseChaos {
  /// A room that was not as it should be after a calm.
  public struct Failure: Sendable {
    /// When, in seconds.
    public var at: Double
    /// Which room.
    public var room: String
    /// In what way.
    public var words: String
  }

  /// What became of a run.
  public struct Outcome: Sendable {
    /// What the house was like.
    public var report: HouseReport
    /// What was wrong after a calm.
    public var failures: [Failure] = []
    /// How many faults there were.
    public var faults = 0
    /// How many calms.
    public var calms = 0
  }

  /// What a room was like at the end of a calm.
  private struct Calm {
    var samples = 0
    var silent = 0
    var worst = 0.0
  }

  private let house: VirtualHouse
  private var random: SeededRandom
  private var outcome: Outcome
  private var calm: [Calm] = []

  /// A house of `rooms` rooms of all kinds.
  ///
  /// - Parameters:
  ///   - seed: Draws house and faults.
  ///   - rooms: How many.
  ///   - seconds: How long.
  public init(seed: UInt64, rooms: Int, seconds: Double) {
    var scenario = HouseScenario.random(.awkward, seed: seed, seconds: seconds, rooms: rooms)
    scenario.events = []
    for index in scenario.rooms.indices {
      scenario.rooms[index].joins = 0
      scenario.rooms[index].leaves = nil
    }
    house = VirtualHouse(scenario)
    random = SeededRandom(seed: seed &+ 0xC4A0_5000)
    outcome = Outcome(report: HouseReport(scenario))
    house.onSample = { [unowned self] in watch($0) }
  }

  /// Runs to the end.
  ///
  /// - Parameter progress: Called after each calm with the seconds that have passed.
  /// - Returns: What became of the house.
  public func run(progress: (_ seconds: Double) -> Void = { _ in }) -> Outcome {
    let end = house.scenario.seconds
    var now = 0.0
    while now < end {
      let next = min(end, now + Self.round)
      breakThings(until: next - Self.calmLength)
      expectCalm(at: next)
      now = next
      progress(now)
    }
    outcome.report = house.finish()
    return outcome
  }

  /// Lets things break, about one in five seconds.
  private func breakThings(until end: Double) {
    while house.world.now.inSeconds < end {
      house.world.run(seconds: Self.pause * exponential(&random))
      house.happen(.random(rooms: house.rooms.count, using: &random))
      outcome.faults += 1
    }
  }

  /// Lets the house heal, then looks at it for ten seconds.
  private func expectCalm(at end: Double) {
    let begin = end - Self.watchLength
    if house.world.now.inSeconds < begin { house.world.run(until: TrueInstant(seconds: begin)) }
    calm = Array(repeating: Calm(), count: house.rooms.count)
    house.world.run(seconds: Self.watchLength)
    for (index, room) in calm.enumerated() { judge(room, index) }
    calm = []
    outcome.calms += 1
  }

  private func watch(_ samples: [RoomSample]) {
    guard !calm.isEmpty else { return }
    for sample in samples {
      calm[sample.room].samples += 1
      guard let error = sample.error else {
        calm[sample.room].silent += 1
        continue
      }
      let invisible = house.scenario.rooms[sample.room].configuration.invisibleError * 1e6
      calm[sample.room].worst = max(calm[sample.room].worst, abs(error - invisible))
    }
  }

  private func judge(_ room: Calm, _ index: Int) {
    let about = house.scenario.rooms[index]
    let limit = Self.limit(about.configuration)
    var words: String?
    if room.samples == 0 {
      words = "is away"
    } else if room.silent > 0 {
      words = "is silent in \(room.silent) of \(room.samples) samples"
    } else if room.worst > limit {
      words = "is \(Int(room.worst)) us off, more than \(Int(limit))"
    }
    guard let words else { return }
    outcome.failures.append(
      Failure(at: house.world.now.inSeconds, room: about.name, words: words))
  }

  /// Microseconds that a room may be off: what its network and its pointer allow, seldom exceeded.
  private static func limit(_ room: VirtualRoom.Configuration) -> Double {
    let step = Double(room.card.granularity) / Double(room.card.rate)
    return (step > 0.5e-3 ? 500 : 100) + (room.down.tail > 0 ? 200 : 0)
  }

  /// Seconds from the end of one calm to the end of the next.
  private static let round = 600.0
  /// Seconds without a new fault: the longest lasts a minute, and then D of silence may follow.
  private static let calmLength = 100.0
  /// Seconds of it in which everything must be well.
  private static let watchLength = 10.0
  /// Mean seconds between faults.
  private static let pause = 5.0
}
