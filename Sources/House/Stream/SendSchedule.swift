// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

// Who gets which packet when. Every room has a cursor: the next packet it gets. A packet may leave
// once the media clock has reached its stamp, plus the room's share of the 20 ms so that a big house
// is not served in one go. Whatever is overdue - the burst of a fast start, a room that joins, a late
// timer - leaves earliest deadline first, no faster than the cap: rooms that are about to run dry come
// before rooms that are filling up. What cannot be heard any more is skipped, never sent.

/// A room as the schedule sees it.
public struct ScheduledRoom: Sendable, Hashable {
  /// Names the room.
  public var id: RoomID
  /// Counts the room's sessions: a room that was away and is back has lost what it held, and gets
  /// everything that is still playable.
  public var session: UInt64
  /// What its device holds: a room with more needs its packets sooner.
  public var outputLatency: Nanoseconds

  /// A room.
  public init(id: RoomID, session: UInt64 = 0, outputLatency: Nanoseconds = .zero) {
    self.id = id
    self.session = session
    self.outputLatency = outputLatency
  }
}

/// What the sender does next.
public enum SendStep: Sendable, Hashable {
  /// Send `packet` to the room at this index of `rooms`, then ask again.
  case send(room: Int, packet: Int)
  /// Nothing may leave before this moment.
  case wait(until: MediaInstant)
  /// Nothing to do until there are more packets or more rooms.
  case idle
}

/// The paced, earliest-deadline-first order of sending one generation to all rooms of a group.
public struct SendSchedule: Sendable {
  /// Rooms share the 20 ms of a packet in this many turns, so that 64 rooms cost 200 wake-ups a
  /// second and not 3,200.
  static let turns = 4

  /// How the packets lie on the media clock.
  public private(set) var grid: PacketGrid
  /// The rooms that are served, in the order of `send(room:)`.
  public var rooms: [ScheduledRoom] { lanes.map(\.room) }
  /// How many packets exist.
  public private(set) var produced = 0
  /// Packets that were not sent because they could not be heard any more, all rooms.
  public private(set) var skipped = 0
  private var lanes: [Lane] = []
  private var pace: Pace

  private struct Lane {
    var room: ScheduledRoom
    /// The next packet it gets.
    var cursor: Int
    /// Its turn within the time of one packet, in frames.
    var offset: Int64
    /// How much sooner than others it needs a packet, in frames.
    var haste: Int64
  }

  /// A schedule without rooms and packets.
  ///
  /// - Parameters:
  ///   - grid: How the packets lie on the media clock.
  ///   - bitsPerSecond: The cap, all rooms together, IP headers included.
  public init(grid: PacketGrid, bitsPerSecond: Int64 = Pace.defaultBitsPerSecond) {
    self.grid = grid
    pace = Pace(bitsPerSecond: bitsPerSecond)
  }

  /// The playout delay is another from now on.
  public mutating func change(_ ramp: DelayRamp) { grid.delayRamp = ramp }

  /// Says that packets `0..<count` exist; those that are needed must still be kept.
  public mutating func extend(to count: Int) { produced = max(produced, count) }

  /// Says who is served. Rooms of the same session keep their place; others get all that is still
  /// playable.
  public mutating func serve(_ rooms: [ScheduledRoom], at now: MediaInstant) {
    let known = lanes
    let first = grid.firstPlayable(at: now)
    lanes = rooms.enumerated().map { index, room in
      let old = known.first { $0.room.id == room.id && $0.room.session == room.session }
      return Lane(
        room: room, cursor: old?.cursor ?? first,
        offset: grid.packetFrames * Int64(index % Self.turns) / Int64(Self.turns),
        haste: room.outputLatency.count * MediaFrame.rate / 1_000_000_000)
    }
  }

  /// The next packet that `room` gets for the first time; nil when it is not served.
  public func cursor(of room: RoomID) -> Int? { lanes.first { $0.room.id == room }?.cursor }

  /// What to do at `now`.
  ///
  /// - Parameter now: Media clock; a caller that sends a batch keeps it.
  /// - Returns: One step. A `send` counts as done: its cursor has moved on.
  public mutating func next(at now: MediaInstant) -> SendStep {
    skipUnplayable(at: now)
    guard let index = mostUrgent(at: now) else { return idleStep() }
    if let until = pace.holdsUntil(at: now) { return .wait(until: until) }
    defer { lanes[index].cursor += 1 }
    return .send(room: index, packet: lanes[index].cursor)
  }

  /// Accounts for a datagram of `bytes` octets of UDP payload that left at `now`.
  public mutating func sent(bytes: Int, at now: MediaInstant) { pace.spend(bytes, at: now) }

  private mutating func skipUnplayable(at now: MediaInstant) {
    let first = grid.firstPlayable(at: now)
    for index in lanes.indices where lanes[index].cursor < first {
      skipped += first - lanes[index].cursor
      lanes[index].cursor = first
    }
  }

  /// The lane whose next packet is due to leave and has the earliest deadline.
  private func mostUrgent(at now: MediaInstant) -> Int? {
    let present = MediaFrame(now)
    var best: (index: Int, deadline: MediaFrame)?
    for (index, lane) in lanes.enumerated() where lane.cursor < produced {
      let stamp = grid.stamp(of: lane.cursor)
      guard stamp + lane.offset <= present else { continue }
      let deadline = stamp - lane.haste
      if best.map({ deadline < $0.deadline }) ?? true { best = (index, deadline) }
    }
    return best?.index
  }

  private func idleStep() -> SendStep {
    let frames = lanes.lazy.filter { $0.cursor < produced }
      .map { grid.stamp(of: $0.cursor) + $0.offset }
    return frames.min().map { .wait(until: $0.instant + Nanoseconds(1)) } ?? .idle
  }
}
