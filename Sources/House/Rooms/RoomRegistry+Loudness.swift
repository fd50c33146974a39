// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a room is to be told about its loudness.
public struct LoudnessOrder: Sendable, Hashable {
  /// Which room.
  public var room: RoomID
  /// 0 to 100.
  public var volume: Int
  /// Whether it is to be muted.
  public var isMuted: Bool
  /// The number of the order, which the room's reports repeat.
  public var serial: UInt64
}

/// What a listener asks of a volume.
public enum VolumeRequest: Sendable, Hashable {
  /// This volume, 0 to 100.
  case set(Int)
  /// So much more, or less.
  case change(by: Int)
}

extension RoomRegistry {
  /// Asks a room for a volume.
  ///
  /// - Parameters:
  ///   - request: The volume; the result is clamped to what exists.
  ///   - id: Which room.
  /// - Returns: What to tell the room, or nil when it is not online or not known.
  public mutating func request(_ request: VolumeRequest, in id: RoomID) -> LoudnessOrder? {
    guard let room = self[id], room.isOnline else { return nil }
    let wanted =
      switch request {
      case .set(let volume): volume
      case .change(let difference): clampedSum(room.loudness.volume ?? 0, difference)
      }
    return order(id, volume: VolumeLaw.clamped(wanted), isMuted: room.loudness.isMuted)
  }

  /// Mutes or unmutes a room.
  ///
  /// - Parameters:
  ///   - isMuted: Whether it is to be muted.
  ///   - id: Which room.
  /// - Returns: What to tell the room, or nil when it is not online or not known.
  public mutating func setMuted(_ isMuted: Bool, in id: RoomID) -> LoudnessOrder? {
    guard let room = self[id], room.isOnline else { return nil }
    return order(
      id, volume: room.loudness.volume ?? VolumeLaw.firstVolume, isMuted: isMuted)
  }

  /// The volume of the group: that of its loudest room that is online; nil when none has told.
  public var groupVolume: Int? {
    rooms.lazy.filter(\.isOnline).compactMap(\.loudness.volume).max()
  }

  /// Whether every room that is online is muted.
  public var isGroupMuted: Bool {
    let present = rooms.filter(\.isOnline)
    return !present.isEmpty && present.allSatisfy(\.loudness.isMuted)
  }

  /// Asks the whole group for a volume, keeping how the rooms stand to each other.
  ///
  /// - Parameter request: The volume of the loudest room.
  /// - Returns: What to tell each room that is online.
  public mutating func requestGroup(_ request: VolumeRequest) -> [LoudnessOrder] {
    guard let now = groupVolume else { return [] }
    let wanted =
      switch request {
      case .set(let volume): volume
      case .change(let difference): clampedSum(now, difference)
      }
    let present = rooms.filter(\.isOnline)
    let volumes = present.map { (id: $0.id, volume: $0.loudness.volume ?? 0) }
    let scaled = balance.scale(volumes, to: VolumeLaw.clamped(wanted))
    return zip(present, scaled).compactMap { room, volume in
      order(room.id, volume: volume, isMuted: room.loudness.isMuted)
    }
  }

  /// Mutes or unmutes every room that is online.
  ///
  /// - Parameter isMuted: Whether they are to be muted.
  /// - Returns: What to tell each room.
  public mutating func setGroupMuted(_ isMuted: Bool) -> [LoudnessOrder] {
    rooms.filter(\.isOnline).compactMap { setMuted(isMuted, in: $0.id) }
  }

  /// A room tells how loud it is.
  ///
  /// - Parameters:
  ///   - loudness: What it says; an answer to an older order than the last is passed over.
  ///   - id: Which room.
  /// - Returns: Whether anything changed.
  @discardableResult
  public mutating func reported(_ loudness: Room.Loudness, by id: RoomID) -> Bool {
    guard let place = rooms.firstIndex(where: { $0.id == id }),
      loudness.serial >= rooms[place].loudness.serial, rooms[place].loudness != loudness
    else { return false }
    rooms[place].loudness = loudness
    return true
  }

  private mutating func order(_ id: RoomID, volume: Int, isMuted: Bool) -> LoudnessOrder? {
    guard let place = rooms.firstIndex(where: { $0.id == id }) else { return nil }
    rooms[place].loudness.volume = volume
    rooms[place].loudness.isMuted = isMuted
    rooms[place].loudness.serial += 1
    return LoudnessOrder(
      room: id, volume: volume, isMuted: isMuted, serial: rooms[place].loudness.serial)
  }

  private func clampedSum(_ a: Int, _ b: Int) -> Int {
    VolumeLaw.clamped(a + min(max(b, -100), 100))
  }
}
