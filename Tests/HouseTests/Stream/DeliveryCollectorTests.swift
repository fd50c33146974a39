// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing
import WireProtocol

@Suite struct DeliveryCollectorTests {
  private static let ssrc = SSRC(session: 7, generation: 1)

  private func report(
    _ state: RoomState = .playing, lost: UInt64 = 0, late: Int64? = nil, repair: Int64? = nil,
    ssrc: SSRC = Self.ssrc
  ) -> StateReport {
    var report = StateReport()
    (report.state, report.ssrc, report.lost) = (state, ssrc, lost)
    report.outputLatency = .milliseconds(45)
    report.lateness = late.map { .milliseconds($0) }
    report.repairTime = repair.map { .milliseconds($0) }
    return report
  }

  @Test func `reports of a second are one, and counters are told once`() {
    var collector = DeliveryCollector()
    collector.take(report(lost: 100), from: "a", playing: Self.ssrc)
    #expect(collector.flush().isEmpty)
    collector.take(report(lost: 102, late: 20), from: "a", playing: Self.ssrc)
    collector.take(report(lost: 103, late: 8, repair: 60), from: "a", playing: Self.ssrc)
    #expect(
      collector.flush() == [
        "a": DeliveryReport(
          outputLatency: .milliseconds(45), lateness: .milliseconds(20),
          repairTime: .milliseconds(60), missed: 3)
      ])
    collector.take(report(lost: 103), from: "a", playing: Self.ssrc)
    #expect(collector.flush()["a"]?.missed == 0)
  }

  @Test func `a room that begins, is in trouble or plays something else tells nothing`() {
    var collector = DeliveryCollector()
    let other = SSRC(session: 7, generation: 2)
    for report in [
      report(lost: 1), report(.buffering, lost: 50), report(lost: 60), report(.trouble, lost: 90),
      report(lost: 91), report(lost: 99, ssrc: other), report(lost: 100),
    ] {
      collector.take(report, from: "a", playing: Self.ssrc)
    }
    #expect(collector.flush().isEmpty)
    collector.take(report(lost: 5), from: "a", playing: Self.ssrc)
    #expect(collector.flush()["a"]?.missed == 5)
  }
}
