// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// The rooms that the house knows. A room is its node id: one speaker found by browsing and by
// `--speaker` is one room, and a speaker that moved to another address is still the same.
//
// The speaker is the authority on how loud it is (somebody may turn its own knob), the house only
// orders. Thus nothing gets louder by connecting again: what the speaker says then is taken over.

/// All rooms, present and absent, in the order in which they were first met.
public struct RoomRegistry: Sendable, Equatable {
  /// The most rooms that are remembered; beyond it the one longest gone makes place.
  public static let capacity = 256

  /// The rooms in the order in which they were first met.
  public internal(set) var rooms: [Room] = []
  /// How the rooms' volumes stand to each other.
  var balance = VolumeBalance()

  /// A house without rooms.
  public init() {}

  /// The rooms as they were saved; none is online.
  ///
  /// - Parameter saved: Each room's identity, name, last address and loudness.
  public init(
    restoring saved: [(id: RoomID, name: String, address: String?, loudness: Room.Loudness)]
  ) {
    for room in saved where self[room.id] == nil {
      rooms.append(
        Room(
          id: room.id, announcedName: room.name, name: uniqueName(room.name, for: room.id),
          address: room.address, loudness: room.loudness))
    }
  }

  /// Finds a room.
  ///
  /// - Parameter id: Who it is.
  public subscript(id: RoomID) -> Room? { rooms.first { $0.id == id } }

  /// Finds the room that a listener means.
  ///
  /// - Parameter words: A node id, the first digits of one (at least 6), or a name in any case.
  /// - Returns: The room, or nil when there is none or the digits fit several.
  public func room(called words: String) -> Room? {
    if let exact = self[RoomID(rawValue: words.lowercased())] { return exact }
    if let named = rooms.first(where: { isSameName($0.name, words) }) { return named }
    guard words.utf8.count >= 6 else { return nil }
    let fitting = rooms.filter { $0.id.rawValue.hasPrefix(words.lowercased()) }
    return fitting.count == 1 ? fitting.first : nil
  }

  /// A control link to a room is up.
  ///
  /// - Parameters:
  ///   - id: Who it is.
  ///   - name: What it calls itself.
  ///   - address: Where it answers, as `host:port`.
  ///   - loudness: How loud it says it is.
  ///   - now: When.
  /// - Returns: The room.
  @discardableResult
  public mutating func connected(
    _ id: RoomID, named name: String, at address: String, loudness: Room.Loudness, now: WallTime
  ) -> Room {
    let place = rooms.firstIndex { $0.id == id } ?? addPlace(for: id, named: name)
    if rooms[place].announcedName != name {
      rooms[place].announcedName = name
      rooms[place].name = uniqueName(name, for: id)
    }
    rooms[place].address = address
    if !rooms[place].isOnline { rooms[place].since = now }
    rooms[place].isOnline = true
    // Orders of an earlier link are history: counting goes on from what the speaker knows.
    rooms[place].loudness = Room.Loudness(
      volume: loudness.volume ?? rooms[place].loudness.volume, isMuted: loudness.isMuted,
      serial: loudness.serial)
    return rooms[place]
  }

  /// The control link to a room is gone.
  ///
  /// - Parameters:
  ///   - id: Who it is.
  ///   - now: When.
  public mutating func disconnected(_ id: RoomID, now: WallTime) {
    guard let place = rooms.firstIndex(where: { $0.id == id }), rooms[place].isOnline else {
      return
    }
    rooms[place].isOnline = false
    rooms[place].since = now
  }

  /// Forgets a room; when it answers again, it is a new one.
  ///
  /// - Parameter id: Who it is.
  public mutating func forget(_ id: RoomID) {
    rooms.removeAll { $0.id == id }
    balance.forget(id)
  }

  private mutating func addPlace(for id: RoomID, named name: String) -> Int {
    if rooms.count >= Self.capacity {
      let gone = rooms.indices.filter { !rooms[$0].isOnline }
      let longest = gone.min {
        (rooms[$0].since?.seconds ?? 0) < (rooms[$1].since?.seconds ?? 0)
      }
      if let longest { forget(rooms[longest].id) }
    }
    rooms.append(
      Room(
        id: id, announcedName: name, name: uniqueName(name, for: id), address: nil,
        loudness: Room.Loudness()))
    return rooms.count - 1
  }

  /// The name itself, or with the lowest number that nobody else has: "Kitchen 2".
  private func uniqueName(_ wanted: String, for id: RoomID) -> String {
    let base = wanted.isEmpty ? "Speaker" : wanted
    let taken = rooms.filter { $0.id != id }.map(\.name)
    var (candidate, number) = (base, 1)
    while taken.contains(where: { isSameName($0, candidate) }) {
      number += 1
      candidate = "\(base) \(number)"
    }
    return candidate
  }

  private func isSameName(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }
}
