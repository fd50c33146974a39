// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Playout
public import WireProtocol

extension VirtualRoom {
  /// What the room would report now of its packets (`RoomReporter`); peaks begin anew.
  public func report() -> StateReport {
    var report = StateReport()
    report.state = receiver.activity == .playing ? .playing : .buffering
    report.ssrc = receiver.ssrc
    let counters = receiver.counters
    report.lost = counters.lost
    report.late = counters.late
    report.repaired = counters.repaired
    report.concealed = counters.concealed
    report.outputLatency = pump.outputLatency
    let delivery = receiver.takeDelivery()
    (report.lateness, report.repairTime) = (delivery.lateness, delivery.repairTime)
    return report
  }
}
