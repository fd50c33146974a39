// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

// What rooms have asked for again, and when it leaves.
//
//   NACK ──► request ──► one list a room ──► next: earliest deadline of all rooms, if the room has credit
//
// Each room has a credit of packets, so that neither a sick link nor somebody who forges requests in a
// room's name makes us send more than a second stream's worth for long; and all that is sent again keeps
// to the pace of the line. What cannot be decoded in time any more is forgotten.

/// The paced, earliest-deadline-first order of sending packets again.
public struct RepairSchedule: Sendable {
  /// Credit of a room, in packets: D = 6 s is 300 packets, and the ring behind holds 400.
  static let credit = 400.0
  /// How fast it comes back: twice as fast as the stream goes, so that a room on a link that loses
  /// every second packet, and every second answer, gets what it needs.
  static let creditPerSecond = 100.0
  /// A packet that was sent again a moment ago is on its way: half the shortest interval of requests.
  static let underWay = Nanoseconds.milliseconds(10)
  /// A room that joins wants up to four packets of run-up from before what it can still play.
  static let runUp = Nanoseconds.milliseconds(80)
  /// Generations at a time: the one before still rings out.
  public static let generationLimit = 3

  /// A packet to be sent again.
  public struct Order: Sendable, Hashable {
    /// To whom.
    public var room: RoomID
    /// Of which generation.
    public var ssrc: SSRC
    /// Which packet, counted from the generation's first.
    public var packet: Int
    /// Its number among those sent again to this room for this generation.
    public var sequence: UInt16
  }

  /// What the sender does next.
  public enum Step: Sendable, Hashable {
    /// Send this, then ask again. It counts as sent.
    case send(Order)
    /// Nothing may leave before this moment.
    case wait(until: MediaInstant)
    /// Nothing to do until somebody asks.
    case idle
  }

  /// What happened so far, in packets.
  public struct Counters: Sendable, Hashable {
    /// Asked for, by NACKs that were listened to.
    public var asked: UInt64 = 0
    /// Sent again.
    public var sent: UInt64 = 0
    /// Not sent because it could not be decoded in time any more.
    public var late: UInt64 = 0
    /// Not kept any more, not made yet, on its way already, or of a generation nobody knows.
    public var refused: UInt64 = 0

    /// Nothing happened yet.
    public init() {}
  }

  private struct Pending {
    var ssrc: SSRC
    var packet: Int
    /// When it must have been sent, on the media clock.
    var deadline: MediaInstant
  }

  private struct Customer {
    var haste = Nanoseconds.zero
    var credit = RepairSchedule.credit
    var credited: MediaInstant
    /// By deadline.
    var pending: [Pending] = []
    var sent: [UInt64: MediaInstant] = [:]
    var sequences: [SSRC: UInt16] = [:]

    mutating func earn(until now: MediaInstant) {
      let seconds = max(0, (now - credited).inSeconds)
      credit = min(RepairSchedule.credit, credit + seconds * RepairSchedule.creditPerSecond)
      credited = now
    }
  }

  /// What happened so far.
  public private(set) var counters = Counters()
  private var generations: [(ssrc: SSRC, grid: PacketGrid)] = []
  private var customers: [RoomID: Customer] = [:]
  private var pace: Pace

  /// A schedule that nobody has asked anything.
  ///
  /// - Parameter bitsPerSecond: The cap, all rooms together, IP headers included.
  public init(bitsPerSecond: Int64 = Pace.defaultBitsPerSecond) {
    pace = Pace(bitsPerSecond: bitsPerSecond)
  }

  /// A generation begins: from now on its packets may be asked for.
  public mutating func open(_ ssrc: SSRC, _ grid: PacketGrid) {
    generations.append((ssrc, grid))
    if generations.count > Self.generationLimit {
      let gone = generations.removeFirst().ssrc
      for room in customers.keys {
        customers[room]?.pending.removeAll { $0.ssrc == gone }
        customers[room]?.sequences[gone] = nil
      }
    }
  }

  /// The playout delay of a generation is another from now on.
  public mutating func change(_ ramp: DelayRamp, of ssrc: SSRC) {
    guard let index = generations.lastIndex(where: { $0.ssrc == ssrc }) else { return }
    generations[index].grid.delayRamp = ramp
  }

  /// Says who may ask. What others have asked for is forgotten; credit is not renewed by it.
  public mutating func serve(_ rooms: [ScheduledRoom], at now: MediaInstant) {
    let known = customers
    customers = [:]
    for room in rooms {
      var customer = known[room.id] ?? Customer(credited: now)
      customer.haste = room.outputLatency
      customers[room.id] = customer
    }
  }

  /// A room asks.
  ///
  /// - Parameters:
  ///   - sequences: What it misses; order and repetitions do not matter.
  ///   - ssrc: Of which generation.
  ///   - room: Who asks.
  ///   - available: The packets that are kept and have been sent to it once.
  ///   - now: Media clock.
  public mutating func request(
    _ sequences: [UInt16], of ssrc: SSRC, by room: RoomID, available: Range<Int>,
    at now: MediaInstant
  ) {
    counters.asked += UInt64(sequences.count)
    guard let grid = generations.last(where: { $0.ssrc == ssrc })?.grid,
      var customer = customers[room], !available.isEmpty
    else {
      counters.refused += UInt64(sequences.count)
      return
    }
    customer.sent = customer.sent.filter { now - $0.value < Self.underWay }
    var isKnown = Set(customer.pending.lazy.filter { $0.ssrc == ssrc }.map(\.packet))
    for sequence in sequences {
      // The newest packet with this number: numbers wrap after 21.8 min, the ring is seconds long.
      let back = UInt16(truncatingIfNeeded: available.upperBound - 1) &- sequence
      let packet = available.upperBound - 1 - Int(back)
      guard available.contains(packet), customer.sent[Self.key(ssrc, packet)] == nil,
        isKnown.insert(packet).inserted
      else {
        counters.refused += 1
        continue
      }
      let deadline = grid.heardTime(of: packet) - customer.haste + Self.runUp
      customer.pending.append(Pending(ssrc: ssrc, packet: packet, deadline: deadline))
    }
    customer.pending.sort { $0.deadline < $1.deadline }
    customers[room] = customer
  }

  /// What to do at `now`.
  public mutating func next(at now: MediaInstant) -> Step {
    var best: (room: RoomID, deadline: MediaInstant)?
    var earliestCredit: MediaInstant?
    for room in customers.keys {
      guard let first = firstInTime(of: room, at: now) else { continue }
      guard let credit = customers[room]?.credit, credit >= 1 else {
        let wait = Nanoseconds(seconds: 1 / Self.creditPerSecond)
        earliestCredit = now + wait
        continue
      }
      // Equal deadlines go by name, so that the same house always does the same.
      if best.map({ (first.deadline, room) < ($0.deadline, $0.room) }) ?? true {
        best = (room, first.deadline)
      }
    }
    guard let best else { return earliestCredit.map { .wait(until: $0) } ?? .idle }
    if let until = pace.holdsUntil(at: now) { return .wait(until: until) }
    return take(from: best.room, at: now).map { .send($0) } ?? .idle
  }

  /// Accounts for a datagram of `bytes` octets of UDP payload that left at `now`, sent again or not.
  public mutating func sent(bytes: Int, at now: MediaInstant) { pace.spend(bytes, at: now) }

  /// The most urgent packet of a room; forgets those that have become too late.
  private mutating func firstInTime(of room: RoomID, at now: MediaInstant) -> Pending? {
    guard let pending = customers[room]?.pending, !pending.isEmpty else { return nil }
    let late = pending.prefix { $0.deadline < now }.count
    if late > 0 {
      customers[room]?.pending.removeFirst(late)
      counters.late += UInt64(late)
    }
    customers[room]?.earn(until: now)
    return customers[room]?.pending.first
  }

  private mutating func take(from room: RoomID, at now: MediaInstant) -> Order? {
    guard var customer = customers[room], !customer.pending.isEmpty else { return nil }
    let pending = customer.pending.removeFirst()
    let sequence = customer.sequences[pending.ssrc] ?? 0
    customer.sequences[pending.ssrc] = sequence &+ 1
    customer.credit -= 1
    customer.sent[Self.key(pending.ssrc, pending.packet)] = now
    customers[room] = customer
    counters.sent += 1
    return Order(room: room, ssrc: pending.ssrc, packet: pending.packet, sequence: sequence)
  }

  private static func key(_ ssrc: SSRC, _ packet: Int) -> UInt64 {
    UInt64(ssrc.generation) << 48 | UInt64(truncatingIfNeeded: packet) & 0xFFFF_FFFF_FFFF
  }
}
