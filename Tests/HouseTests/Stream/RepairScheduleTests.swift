// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing
import WireProtocol

@Suite struct RepairScheduleTests {
  static let start = MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
  let ssrc = SSRC(session: 0xBEEF, generation: 1)
  let grid = PacketGrid(firstStamp: MediaFrame(Self.start), delay: .seconds(6))

  /// The moment at which packet `index` is sent for the first time.
  func sendTime(_ index: Int) -> MediaInstant { grid.sendTime(of: index) }

  func room(_ name: String, latency: Nanoseconds = .milliseconds(45)) -> ScheduledRoom {
    ScheduledRoom(id: RoomID(rawValue: name), outputLatency: latency)
  }

  func schedule(_ rooms: [String] = ["a"]) -> RepairSchedule {
    var schedule = RepairSchedule()
    schedule.open(ssrc, grid)
    schedule.serve(rooms.map { room($0) }, at: Self.start)
    return schedule
  }

  /// Everything that leaves from `now` on within `length`, with the time of each.
  func drain(
    _ schedule: inout RepairSchedule, from now: MediaInstant, for length: Nanoseconds = .seconds(3)
  ) -> [(order: RepairSchedule.Order, at: MediaInstant)] {
    var (sent, present): ([(RepairSchedule.Order, MediaInstant)], MediaInstant) = ([], now)
    while present < now + length {
      switch schedule.next(at: present) {
      case .send(let order):
        sent.append((order, present))
        schedule.sent(bytes: 494, at: present)
      case .wait(let moment): present = max(moment, present + Nanoseconds(1))
      case .idle: return sent
      }
    }
    return sent
  }

  func ask(
    _ schedule: inout RepairSchedule, _ numbers: some Sequence<Int>, by name: String = "a",
    available: Range<Int> = 0..<400, at now: MediaInstant
  ) {
    schedule.request(
      numbers.map { UInt16(truncatingIfNeeded: $0) }, of: ssrc, by: RoomID(rawValue: name),
      available: available, at: now)
  }

  @Test func `what is asked for leaves once, the most urgent first, numbered`() {
    var schedule = schedule()
    ask(&schedule, [9, 7, 8, 7], at: sendTime(300))
    let sent = drain(&schedule, from: sendTime(300))
    #expect(sent.map(\.order.packet) == [7, 8, 9])
    #expect(sent.map(\.order.sequence) == [0, 1, 2])
    #expect(schedule.counters == counters(asked: 4, sent: 3, refused: 1))
  }

  func counters(
    asked: UInt64, sent: UInt64, late: UInt64 = 0, refused: UInt64 = 0
  ) -> RepairSchedule.Counters {
    var counters = RepairSchedule.Counters()
    (counters.asked, counters.sent) = (asked, sent)
    (counters.late, counters.refused) = (late, refused)
    return counters
  }

  @Test func `six seconds are sent again within 100 ms, at 20 Mb per s`() {
    var schedule = schedule()
    let now = sendTime(300)
    ask(&schedule, 3..<300, at: now)
    let sent = drain(&schedule, from: now)
    #expect(sent.count == 297)
    let took = (sent.last?.at ?? now) - now
    #expect(took < .milliseconds(100))
    let bits = Double(sent.count * (494 + 48) * 8)
    #expect(bits / (took + .milliseconds(4)).inSeconds < 20.1e6)
  }

  @Test func `a request that comes again at once changes nothing, later it is answered`() {
    var schedule = schedule()
    let now = sendTime(300)
    ask(&schedule, [50], at: now)
    #expect(drain(&schedule, from: now).count == 1)
    ask(&schedule, [50], at: now + .milliseconds(5))
    #expect(drain(&schedule, from: now + .milliseconds(5)).isEmpty)
    ask(&schedule, [50], at: now + .milliseconds(20))
    #expect(drain(&schedule, from: now + .milliseconds(20)).count == 1)
  }

  @Test func `what cannot be decoded in time any more is not sent`() {
    var schedule = schedule()
    // Packet 5 is heard when packet 305 is sent; the device has it 45 ms sooner, and a run-up may
    // be 80 ms old.
    ask(&schedule, [1, 5, 6], at: sendTime(305))
    #expect(drain(&schedule, from: sendTime(305)).map(\.order.packet) == [5, 6])
    #expect(schedule.counters.late == 1)
  }

  @Test func `what is not kept, not made or of nobody's generation is refused`() {
    var schedule = schedule()
    let now = sendTime(300)
    ask(&schedule, [10, 60_000, 301], available: 20..<300, at: now)
    schedule.request(
      [30], of: ssrc.next, by: RoomID(rawValue: "a"), available: 0..<300, at: now)
    ask(&schedule, [30], by: "stranger", at: now)
    #expect(drain(&schedule, from: now).isEmpty)
    #expect(schedule.counters == counters(asked: 5, sent: 0, refused: 5))
  }

  @Test func `numbers wrap`() {
    var schedule = schedule()
    let now = sendTime(65_700)
    ask(&schedule, [65_500, 65_536, 65_600], available: 65_300..<65_700, at: now)
    #expect(drain(&schedule, from: now).map(\.order.packet) == [65_500, 65_536, 65_600])
  }

  @Test func `a flood gets the room's credit, and the other rooms do not notice`() {
    var schedule = schedule(["a", "b"])
    var sent: [RepairSchedule.Order] = []
    var waitOfB = Nanoseconds.zero
    // Ten seconds of 100 requests a second for everything there is.
    for round in 0..<1_000 {
      let now = sendTime(300) + .milliseconds(Int64(round) * 10)
      let newest = 300 + round / 2
      ask(&schedule, newest - 290..<newest, available: newest - 400..<newest, at: now)
      if round % 100 == 50 {
        ask(&schedule, [newest - 1], by: "b", available: newest - 400..<newest, at: now)
      }
      let orders = drain(&schedule, from: now, for: .milliseconds(10))
      for order in orders where order.order.room.rawValue == "b" {
        waitOfB = max(waitOfB, order.at - now)
      }
      sent += orders.map(\.order)
    }
    let flood = sent.filter { $0.room.rawValue == "a" }.count
    #expect((1_000...1_410).contains(flood), "\(flood)")
    #expect(sent.count - flood == 10)
    #expect(waitOfB < .milliseconds(5))
  }

  @Test func `credit is not renewed by coming and going`() {
    var schedule = schedule()
    let now = sendTime(400)
    ask(&schedule, 100..<400, at: now)
    _ = drain(&schedule, from: now)
    schedule.serve([room("a")], at: now + .milliseconds(100))
    ask(&schedule, 100..<400, at: now + .milliseconds(100))
    // 100 of 400 are left, and 10 have come back.
    let sent = drain(&schedule, from: now + .milliseconds(100), for: .milliseconds(50))
    #expect((105...116).contains(sent.count), "\(sent.count)")
  }

  @Test func `two rooms that come back together are served by turns`() {
    var schedule = schedule(["a", "b"])
    let now = sendTime(300)
    ask(&schedule, 10..<300, by: "a", at: now)
    ask(&schedule, 10..<300, by: "b", at: now)
    let sent = drain(&schedule, from: now)
    #expect(sent.count == 580)
    for pair in stride(from: 0, to: 580, by: 2) {
      #expect(sent[pair].order.packet == sent[pair + 1].order.packet)
    }
  }

  @Test func `the generation before is still answered, older ones are forgotten`() {
    var schedule = schedule()
    let now = sendTime(300)
    for step in 1...2 {
      schedule.open(SSRC(session: 0xBEEF, generation: 1 + UInt16(step)), grid)
    }
    ask(&schedule, [50], at: now)
    #expect(drain(&schedule, from: now).count == 1)
    ask(&schedule, [51], at: now)
    schedule.open(SSRC(session: 0xBEEF, generation: 4), grid)
    #expect(drain(&schedule, from: now).isEmpty)
  }

  @Test func `a room that is not served any more is forgotten`() {
    var schedule = schedule(["a", "b"])
    let now = sendTime(300)
    ask(&schedule, [50], by: "b", at: now)
    schedule.serve([room("a")], at: now)
    #expect(drain(&schedule, from: now).isEmpty)
  }
}
