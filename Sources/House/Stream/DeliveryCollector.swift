// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
public import WireProtocol

/// Gathers what rooms report of their packets, until somebody decides by it.
public struct DeliveryCollector: Sendable {
  private var gathered: [String: DeliveryReport] = [:]
  private var last: [String: (ssrc: SSRC, counters: ReportCounters)] = [:]

  /// A collector that has heard nothing.
  public init() {}

  /// Takes in a room's report. Only rooms that play tell something: one that begins, or whose card has
  /// failed, misses packets for other reasons.
  ///
  /// - Parameters:
  ///   - report: What the room says.
  ///   - room: Which one.
  ///   - ssrc: The generation that is being sent.
  public mutating func take(_ report: StateReport, from room: String, playing ssrc: SSRC) {
    guard report.state == .playing, report.ssrc == ssrc else {
      last[room] = nil
      return
    }
    let counters = ReportCounters(report)
    let before = last.updateValue((ssrc, counters), forKey: room)
    guard let before, before.ssrc == ssrc else { return }
    let grown = counters.since(before.counters)
    var sum = gathered[room] ?? DeliveryReport(outputLatency: .zero)
    sum.outputLatency = max(sum.outputLatency, report.outputLatency ?? .zero)
    sum.lateness = max(sum.lateness, report.lateness ?? .zero)
    sum.repairTime = max(sum.repairTime, report.repairTime ?? .zero)
    sum.missed += Int(grown.lost) + Int(grown.late)
    gathered[room] = sum
  }

  /// What was gathered since this was called last.
  public mutating func flush() -> [String: DeliveryReport] {
    defer { gathered = [:] }
    return gathered
  }
}
