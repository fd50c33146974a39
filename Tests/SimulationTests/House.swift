// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import Simulation
import WireProtocol

/// A coordinator, its rooms and music to play.
struct House {
  let world = VirtualWorld()
  let coordinator: VirtualCoordinator
  var rooms: [VirtualRoom] = []
  /// Whether rooms compute their sound, for tests that listen to it.
  private let hasSound: Bool

  /// A house on an ordinary day, or at another time of the media clock.
  init(
    seed: UInt64, mediaClock: MediaInstant = VirtualCoordinator.ordinaryDay, sound: Bool = false
  ) {
    hasSound = sound
    coordinator = VirtualCoordinator(world: world, mediaClock: mediaClock, seed: seed)
  }

  /// The reference of `timing.md`: cards +40/-35/0 ppm on hosts +12/-18/+25 ppm.
  static let cards = [40.0, -35, 0]
  static let hosts = [12.0, -18, 25]

  /// Three rooms on links of this quality.
  static func reference(
    seed: UInt64, link: VirtualLink.Quality,
    mediaClock: MediaInstant = VirtualCoordinator.ordinaryDay, sound: Bool = false,
    change: (Int, inout VirtualRoom.Configuration) -> Void = { _, _ in }
  ) -> House {
    var house = House(seed: seed, mediaClock: mediaClock, sound: sound)
    for index in cards.indices {
      var room = VirtualRoom.Configuration()
      room.host = .init(ppm: hosts[index], wander: 0.01)
      room.card = .init(crystal: .init(ppm: cards[index], wander: 0.01))
      room.down = link
      room.up = link
      change(index, &room)
      house.add(room, seed: seed &* 16 &+ UInt64(index))
    }
    return house
  }

  mutating func add(_ room: VirtualRoom.Configuration, seed: UInt64) {
    var room = room
    room.rendersSamples = hasSound
    rooms.append(VirtualRoom(room, coordinator: coordinator, seed: seed))
  }

  /// Plays the tone, or packets that stand for it.
  @discardableResult
  func play(
    _ start: VirtualCoordinator.Start = VirtualCoordinator.Start()
  ) -> StreamAnnounce {
    guard hasSound else { return coordinator.play(start) }
    return coordinator.play(start, signal: House.tone)
  }

  /// A tone of 1 kHz: 48 frames a period.
  static func tone(_ frame: MediaFrame) -> SIMD2<Float> {
    let sample = table[Int(frame.index % 48)]
    return SIMD2(sample, sample)
  }

  private static let table: [Float] = (0..<48).map { Float(0.5 * sin(2 * .pi * Double($0) / 48)) }

  func skew(from start: Double, to end: Double) -> HouseSkew {
    HouseSkew(of: rooms, from: start, to: end)
  }
}

/// Microseconds with one digit.
func text(_ value: Double) -> String {
  value.isFinite ? "\((value * 10).rounded() / 10)" : "\(value)"
}
