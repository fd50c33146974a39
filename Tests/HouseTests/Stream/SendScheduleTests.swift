// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

/// A sender's thread in virtual time: asks the schedule, sends, sleeps, and may be stopped.
struct PacketSender {
  struct Sent: Equatable {
    var room: Int
    var packet: Int
    var at: MediaInstant
  }

  var schedule: SendSchedule
  var now: MediaInstant
  var packetBytes = 500
  private(set) var sent: [Sent] = []

  init(_ schedule: SendSchedule, at now: MediaInstant) {
    self.schedule = schedule
    self.now = now
  }

  /// Sends whatever is due, each time it wakes, until `end`; `produce` says how many packets exist.
  mutating func run(until end: MediaInstant, produce: (MediaInstant) -> Int = { _ in 0 }) {
    while now < end {
      schedule.extend(to: produce(now))
      switch schedule.next(at: now) {
      case .send(let room, let packet):
        sent.append(Sent(room: room, packet: packet, at: now))
        schedule.sent(bytes: packetBytes, at: now)
      case .wait(let moment): now = min(max(moment, now + Nanoseconds(1)), end)
      case .idle: now = min(now + .milliseconds(5), end)
      }
    }
  }

  /// The thread does not run for a while, as after SIGSTOP.
  mutating func stop(for pause: Nanoseconds) { now = now + pause }

  func packets(of room: Int) -> [Int] { sent.filter { $0.room == room }.map(\.packet) }
}

/// What every test of the schedule starts from: a generation first heard 120 ms after `start`.
struct SendScheduleFixture {
  let start = MediaInstant(nanosecondsSince1900: 4_000_000_000_000_000_000)
  let delay = Nanoseconds.seconds(6)

  var grid: PacketGrid {
    let first = FastStart.firstAudible(at: start, lead: .milliseconds(120), delay: delay)
    return PacketGrid(firstStamp: first - 312, delay: delay)
  }

  func rooms(_ count: Int) -> [ScheduledRoom] {
    (0..<count).map { ScheduledRoom(id: RoomID(rawValue: "room \($0)")) }
  }

  func sender(rooms count: Int) -> PacketSender {
    var schedule = SendSchedule(grid: grid)
    schedule.serve(rooms(count), at: start)
    return PacketSender(schedule, at: start)
  }

  /// A producer two packets ahead of the clock.
  func produced(at now: MediaInstant) -> Int { grid.due(at: now) + 2 }
}

struct SendScheduleTests {
  let house = SendScheduleFixture()

  @Test func `a fast start fills every room within the cap, then settles to the packet rate`() {
    var sender = house.sender(rooms: 3)
    sender.run(until: house.start + .seconds(2), produce: house.produced)
    for room in 0..<3 {
      #expect(sender.packets(of: room) == Array(0..<sender.packets(of: room).count))
      #expect(abs(sender.packets(of: room).count - 394) <= 1)
    }
    let burst = sender.sent.filter { $0.at < house.start + .milliseconds(50) }
    let bits = Double(burst.count * (sender.packetBytes + 48) * 8)
    #expect(bits / 0.050 < 22e6, "the cap and the allowance of 4 ms")
    #expect(bits / 0.050 > 19e6, "the line is used")
  }

  @Test func `in a burst the rooms advance together, earliest deadline first`() {
    var sender = house.sender(rooms: 3)
    sender.schedule.extend(to: 300)
    sender.run(until: house.start + .milliseconds(100))
    var cursors = [0, 0, 0]
    for step in sender.sent {
      #expect(step.packet == cursors.min())
      cursors[step.room] += 1
    }
  }

  @Test func `a room with a slow device is served before its neighbours`() {
    var schedule = SendSchedule(grid: house.grid)
    var rooms = house.rooms(2)
    rooms[1].outputLatency = .milliseconds(200)
    schedule.serve(rooms, at: house.start)
    schedule.extend(to: 300)
    let steps = (0..<10).map { _ in schedule.next(at: house.start) }
    #expect(steps == (0..<10).map { .send(room: 1, packet: $0) })
  }

  @Test func `steady sends are spread over the time of one packet`() {
    var sender = house.sender(rooms: 4)
    sender.run(until: house.start + .seconds(3), produce: house.produced)
    for step in sender.sent where step.at > house.start + .seconds(2) {
      let late = step.at - house.grid.sendTime(of: step.packet)
      #expect((late - .milliseconds(Int64(step.room) * 5)).magnitude < .microseconds(30))
    }
  }

  @Test func `nothing is sent before it exists, and no room means idle`() {
    var schedule = SendSchedule(grid: house.grid)
    #expect(schedule.next(at: house.start) == .idle)
    schedule.serve(house.rooms(1), at: house.start)
    #expect(schedule.next(at: house.start) == .idle)
    schedule.extend(to: 1)
    #expect(schedule.next(at: house.start) == .send(room: 0, packet: 0))
    #expect(schedule.next(at: house.start) == .idle)
  }

  @Test func `a packet made ahead of time waits for its stamp`() {
    var sender = house.sender(rooms: 1)
    let due = house.grid.due(at: house.start)
    sender.schedule.extend(to: due + 1)
    sender.run(until: house.start + .milliseconds(200))
    let early = house.grid.sendTime(of: due)
    #expect(sender.sent.last.map { $0.packet == due && $0.at >= early } == true)
  }
}

struct SendScheduleFaultTests {
  let house = SendScheduleFixture()

  @Test func `a room that joins late gets everything still playable, and disturbs nobody`() {
    var sender = house.sender(rooms: 1)
    sender.run(until: house.start + .seconds(10), produce: house.produced)
    let joined = sender.now
    sender.schedule.serve(house.rooms(2), at: joined)
    sender.run(until: joined + .seconds(1), produce: house.produced)
    let newcomer = sender.sent.filter { $0.room == 1 }
    let first = house.grid.firstPlayable(at: joined)
    #expect(newcomer.map(\.packet) == Array(first..<(first + newcomer.count)))
    #expect(house.grid.heardTime(of: first + 1) > joined)
    let filled = newcomer.first { $0.packet == house.grid.due(at: joined) - 1 }
    #expect(filled.map { $0.at - joined < .milliseconds(80) } == true)
    #expect(sender.packets(of: 0) == Array(0..<sender.packets(of: 0).count), "nobody disturbed")
    #expect(sender.schedule.skipped == 0)
  }

  @Test func `a room that was away and is back is filled again`() {
    var sender = house.sender(rooms: 1)
    sender.run(until: house.start + .seconds(10), produce: house.produced)
    let before = sender.sent.count
    let back = ScheduledRoom(id: RoomID(rawValue: "room 0"), session: 1)
    sender.schedule.serve([back], at: sender.now)
    let first = house.grid.firstPlayable(at: sender.now)
    sender.run(until: sender.now + .milliseconds(500), produce: house.produced)
    #expect(sender.sent[before].packet == first)
  }

  @Test(arguments: [1, 3, 5, 7, 60])
  func `a stopped process skips what cannot be heard and never floods`(seconds: Int64) {
    var sender = house.sender(rooms: 2)
    sender.run(until: house.start + .seconds(10), produce: house.produced)
    let before = sender.sent.count
    sender.stop(for: .seconds(seconds))
    let woken = sender.now
    sender.run(until: woken + .milliseconds(300), produce: house.produced)
    let after = Array(sender.sent.dropFirst(before))
    #expect(after.allSatisfy { house.grid.heardTime(of: $0.packet + 1) > $0.at })
    #expect((sender.schedule.skipped > 0) == (seconds > 6))
    expectPaced(after, packetBytes: sender.packetBytes, from: woken)
    for room in 0..<2 {
      let packets = after.filter { $0.room == room }.map(\.packet)
      #expect(zip(packets, packets.dropFirst()).allSatisfy { $1 == $0 + 1 })
      #expect(packets.last.map { $0 >= house.grid.due(at: woken) - 1 } == true, "caught up")
    }
  }

  /// No 20 ms carry more than 20 Mb/s and the allowance of 4 ms permit.
  func expectPaced(_ sent: [PacketSender.Sent], packetBytes: Int, from start: MediaInstant) {
    for moment in stride(from: Int64(0), to: 300, by: 20) {
      let from = start + .milliseconds(moment)
      let window = sent.filter { $0.at >= from && $0.at < from + .milliseconds(20) }
      #expect(window.count * (packetBytes + 48) * 8 <= 20_000 * 24 + 8_000)
    }
  }
}
