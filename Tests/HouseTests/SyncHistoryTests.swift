// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing
import WireProtocol

/// A room that reports each second.
struct ReportingRoom {
  var second = 0
  var report: StateReport = {
    var report = StateReport()
    report.state = .playing
    report.clockSigma = .microseconds(2)
    report.clockBound = .microseconds(90)
    return report
  }()

  var now: LocalInstant { LocalInstant(nanoseconds: Int64(second) * 1_000_000_000) }
  var wall: WallTime { WallTime(seconds: 1_700_000_000 + Double(second)) }

  static func window(_ p99: Int64, mean: Int64 = 0, sounding: Int64 = 10) -> SyncErrorWindow {
    var window = SyncErrorWindow()
    window.p50 = .microseconds(p99) / 2
    window.p99 = .microseconds(p99)
    window.max = .microseconds(p99) * 2
    window.mean = .microseconds(mean)
    window.sounding = .seconds(sounding)
    return window
  }
}

@Suite struct SyncHistoryTests {
  @Test func `ten seconds make a sample, and an hour is kept`() {
    var room = ReportingRoom()
    var history = SyncHistory()
    for second in 0...4_000 {
      room.second = second
      room.report.lost = UInt64(second)
      room.report.syncErrorTenSeconds = ReportingRoom.window(Int64(second))
      history.take(room.report, at: room.now, wall: room.wall)
      #expect(history.samples.count == min(second / 10, SyncHistory.capacity))
    }
    let samples = history.samples
    #expect(samples.first?.ended == WallTime(seconds: 1_700_000_000 + 410))
    #expect(samples.last?.ended == WallTime(seconds: 1_700_000_000 + 4_000))
    #expect(samples.allSatisfy { $0.counted.lost == 10 })
    #expect(samples.last?.error?.p99 == .microseconds(4_000))
    #expect(samples.last?.clockBound == .microseconds(90))
  }

  @Test func `silence is absent, not zero`() {
    var room = ReportingRoom()
    var history = SyncHistory()
    for second in 0...30 {
      room.second = second
      history.take(room.report, at: room.now, wall: room.wall)
    }
    #expect(history.samples.count == 3)
    #expect(history.samples.allSatisfy { $0.error == nil })
    #expect(history.summary == nil)
  }

  @Test func `the hour in one line: an ordinary moment, the worst one, and the mean by time`() {
    var room = ReportingRoom()
    var history = SyncHistory()
    let windows = [
      ReportingRoom.window(10, mean: 4), ReportingRoom.window(400, mean: -20, sounding: 2),
      ReportingRoom.window(12, mean: 4),
    ]
    history.take(room.report, at: room.now, wall: room.wall)
    for window in windows {
      room.second += 10
      room.report.syncErrorTenSeconds = window
      history.take(room.report, at: room.now, wall: room.wall)
    }
    let summary = history.summary
    #expect(summary?.typical == .microseconds(6))
    #expect(summary?.worstP99 == .microseconds(400))
    #expect(summary?.max == .microseconds(800))
    #expect(summary?.sounding == .seconds(22))
    #expect(summary.map { abs($0.mean.inMicroseconds - 40.0 / 22) < 0.01 } == true)
  }

  @Test func `an older speaker's last second stands for its ten`() {
    var room = ReportingRoom()
    var history = SyncHistory()
    room.report.syncErrorP50 = .microseconds(3)
    room.report.syncErrorP99 = .microseconds(9)
    room.report.syncErrorMax = .microseconds(11)
    for second in 0...10 {
      room.second = second
      history.take(room.report, at: room.now, wall: room.wall)
    }
    #expect(history.samples.first?.error?.p99 == .microseconds(9))
  }

  @Test func `a gap and a program begun anew do not spoil the counts`() {
    var room = ReportingRoom()
    var history = SyncHistory()
    room.report.lost = 500
    history.take(room.report, at: room.now, wall: room.wall)
    room.second = 1_000
    room.report.lost = 3
    history.take(room.report, at: room.now, wall: room.wall)
    #expect(history.samples.map(\.counted.lost) == [3])
    for second in 1_001...1_009 {
      room.second = second
      history.take(room.report, at: room.now, wall: room.wall)
    }
    #expect(history.samples.count == 1)
    room.second = 1_015
    history.take(room.report, at: room.now, wall: room.wall)
    #expect(history.samples.count == 2)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `any reports at any time leave it whole`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var history = SyncHistory()
    var diary = RoomDiary()
    for _ in 0..<3_000 {
      let wild = { (random: inout SeededRandom) in Int64(bitPattern: random.next()) }
      var report = StateReport()
      report.state = RoomState.allCases.randomElement(using: &random) ?? .idle
      report.detail = report.state == .trouble ? "broken" : ""
      (report.lost, report.late) = (random.next(), random.next() % 9)
      (report.concealed, report.repaired) = (random.next() % 50, random.next())
      (report.underruns, report.resyncs) = (random.next() % 3, random.next() % 3)
      var window = SyncErrorWindow()
      window.p50 = Nanoseconds(wild(&random))
      window.mean = Nanoseconds(wild(&random))
      window.sounding = Nanoseconds(wild(&random))
      report.syncErrorTenSeconds = random.next() % 2 == 0 ? window : nil
      report.clockBound = random.next() % 3 == 0 ? nil : Nanoseconds(wild(&random))
      let now = LocalInstant(nanoseconds: Int64(random.next() % 10_000_000_000_000))
      let wall = WallTime(seconds: Double(random.next() % 100_000))
      history.take(report, at: now, wall: wall)
      diary.take(report, at: now, wall: wall)
      if random.next() % 50 == 0 { diary.disconnected(because: "cut", wall: wall) }
      if random.next() % 50 == 0 { diary.connected(runID: random.next() % 2, wall: wall) }
      #expect(history.samples.count <= SyncHistory.capacity)
      #expect(diary.incidents.count <= RoomDiary.capacity)
      let stillOpen = diary.incidents.filter { $0.ended == nil }.map(\.kind)
      #expect(Set(stillOpen).count == stillOpen.count)
      _ = history.summary
      _ = diary.incidents.map { $0.cause + $0.effect + $0.repair }
    }
  }
}
