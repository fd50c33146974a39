// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ClockSync

extension HouseScenario {
  /// The house of this kind that belongs to `seed`.
  ///
  /// - Parameters:
  ///   - kind: What is special about it; nil: drawn, too.
  ///   - seed: Draws the house and the run.
  ///   - seconds: How long it plays.
  ///   - count: How many rooms; nil: drawn.
  /// - Returns: The same house each time; its rooms compute positions alone.
  public static func random(
    _ kind: Kind? = nil, seed: UInt64, seconds: Double, rooms count: Int? = nil
  ) -> Self {
    var draw = RandomHouse(seed: seed)
    let drawn = draw.kind()
    let kind = kind ?? drawn
    var house = Self(kind: kind, seed: seed, seconds: seconds)
    house.coordinator = draw.host(kind)
    house.playsAt = draw.between(0.6, 3)
    let number = count ?? draw.roomCount(kind)
    for index in 0..<number {
      var room = Room(name: "room\(index + 1)", configuration: draw.room(kind))
      room.configuration.rendersSamples = false
      if kind == .awkward { draw.comeAndGo(&room, index, seconds) }
      house.rooms.append(room)
    }
    if kind == .awkward { house.events = draw.events(rooms: number, seconds) }
    return house
  }
}

/// Draws houses.
private struct RandomHouse {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed &* 0x9E37_79B9 ^ 0x7E57) }

  mutating func kind() -> HouseScenario.Kind { pick(HouseScenario.Kind.allCases) }

  mutating func between(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * random.unit()
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(random.next() % UInt64(values.count))]
  }

  mutating func happens(_ probability: Double) -> Bool { random.unit() < probability }

  mutating func roomCount(_ kind: HouseScenario.Kind) -> Int {
    kind == .large ? 9 + Int(random.next() % 8) : 2 + Int(random.next() % 6)
  }

  // MARK: Oscillators

  mutating func host(_ kind: HouseScenario.Kind) -> VirtualCrystal.Error {
    var error = VirtualCrystal.Error(ppm: between(-100, 100), wander: between(0, 0.03))
    warm(&error, kind)
    return error
  }

  /// 20 ppm in five minutes, then warm.
  private mutating func warm(_ error: inout VirtualCrystal.Error, _ kind: HouseScenario.Kind) {
    guard kind == .warming || kind == .awkward && happens(0.3) else { return }
    error.ramp = between(-20, 20) / 300
    error.rampSeconds = 300
  }

  private mutating func card(_ kind: HouseScenario.Kind) -> VirtualSoundCard.Model {
    let reach = happens(0.3) ? 1_500.0 : 100
    var crystal = VirtualCrystal.Error(ppm: between(-reach, reach), wander: between(0, 0.03))
    warm(&crystal, kind)
    let rate = pick([48_000, 48_000, 48_000, 44_100, 88_200, 96_000, 192_000])
    var card = VirtualSoundCard.Model(crystal: crystal, rate: rate)
    if kind == .coarse || kind == .awkward {
      // One frame, then 0.25 ms to 10 ms.
      card.granularity = pick([1, Int64(rate / 4_000), Int64(rate / 1_000), Int64(rate / 100)])
    }
    if kind == .awkward, happens(0.2) {
      card.lieFrames = Int64(between(-0.02, 0.02) * Double(rate))
      card.lieSeconds = between(0.02, 0.4)
    }
    return card
  }

  // MARK: Rooms

  mutating func room(_ kind: HouseScenario.Kind) -> VirtualRoom.Configuration {
    var room = VirtualRoom.Configuration()
    room.host = host(kind)
    room.card = card(kind)
    let isWireless = kind == .wireless || kind == .awkward && happens(0.5)
    let link = isWireless ? wirelessLink() : wiredLink(jitter: kind == .quiet ? 20e-6 : 100e-6)
    room.down = link
    room.up = link
    // A station that sleeps wakes to send: only what comes to it waits.
    room.up.sleepsPerSecond = 0
    if kind == .asymmetric || kind == .awkward && happens(0.2) {
      room.down.base = between(0.5e-3, 10e-3)
      room.up.base = between(0.5e-3, 10e-3)
    }
    return room
  }

  private mutating func wiredLink(jitter: Double) -> VirtualLink.Quality {
    VirtualLink.Quality(base: between(50e-6, 400e-6), jitter: between(0.1, 1) * jitter)
  }

  private mutating func wirelessLink() -> VirtualLink.Quality {
    var link = VirtualLink.Quality(
      base: between(1e-3, 2e-3), tail: between(0.2e-3, 1e-3), loss: 0.01, reorder: 0.01,
      sleepsPerSecond: between(0.1, 1), sleepLength: 0.02...between(0.03, 0.15))
    link.duplication = 0.005
    return link
  }

  // MARK: Events

  mutating func comeAndGo(
    _ room: inout HouseScenario.Room, _ index: Int, _ seconds: Double
  ) {
    guard index > 0 else { return }
    if happens(0.3) { room.joins = between(5, seconds / 2) }
    if happens(0.2) { room.leaves = between(seconds * 0.6, seconds) }
  }

  mutating func events(rooms: Int, _ seconds: Double) -> [HouseScenario.Event] {
    let count = 1 + Int(seconds / 30)
    return (0..<count).map { _ in
      let at = between(10, max(11, seconds - 20))
      return HouseScenario.Event(at: at, HouseFault.random(rooms: rooms, using: &random))
    }.sorted { $0.at < $1.at }
  }
}

extension HouseFault {
  /// Any fault: the short ones often, the long ones seldom.
  static func random(rooms: Int, using random: inout SeededRandom) -> Self {
    let room = Int(random.next() % UInt64(rooms))
    let length = 0.1 + exponential(&random)
    switch random.next() % 16 {
    case 0...4: return .cut(room: room, seconds: min(60, length * length))
    case 5...7: return .stall(room: room, seconds: 0.3 * random.unit() - 0.03)
    case 8, 9: return .restart(room: room, seconds: length)
    case 10: return .suspend(room: room, seconds: 5 * length)
    case 11: return .outage(seconds: 2 * length, newClock: false)
    case 12: return .outage(seconds: 5 * length, newClock: true)
    case 13, 14: return .seek
    default: return .pause(seconds: 2 * length)
    }
  }
}
