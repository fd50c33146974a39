// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The group's volume keeps the rooms' balance. With the cubic law, the same *ratio* of volume
// numbers is the same number of decibels, so the group's volume is the loudest room's and the others
// keep their ratio to it. Volumes are whole numbers: after many small steps, or at zero, ratios of
// rounded numbers are no longer the listener's. So the unrounded volumes are remembered, each for as
// long as it still rounds to what the room says.

/// How the rooms of a group stand to each other.
struct VolumeBalance: Sendable, Equatable {
  /// Volumes before they were rounded.
  private var exact: [RoomID: Double] = [:]
  /// The exact volumes from which the group was turned down to nothing.
  private var beforeSilence: [RoomID: Double] = [:]

  /// The volumes that keep the balance when the loudest room gets a new one.
  mutating func scale(_ rooms: [(id: RoomID, volume: Int)], to loudest: Int) -> [Int] {
    let now = rooms.map { exactVolume(of: $0.id, told: $0.volume) }
    let isSilent = rooms.allSatisfy { $0.volume == 0 }
    if loudest == 0 && !isSilent {
      beforeSilence = Dictionary(zip(rooms.map(\.id), now)) { first, _ in first }
    }
    let shape = isSilent ? rooms.map { beforeSilence[$0.id] ?? 0 } : now
    let greatest = shape.max() ?? 0
    let scaled = shape.map { greatest > 0 ? $0 / greatest * Double(loudest) : Double(loudest) }
    for (room, volume) in zip(rooms, scaled) { exact[room.id] = volume }
    return scaled.map { Int($0.rounded()) }
  }

  /// Forgets a room that has left the house.
  mutating func forget(_ id: RoomID) {
    exact[id] = nil
    beforeSilence[id] = nil
  }

  private func exactVolume(of id: RoomID, told volume: Int) -> Double {
    guard let kept = exact[id], Int(kept.rounded()) == volume else { return Double(volume) }
    return kept
  }
}
