// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// A room's measurements as pairs of words.
enum HealthText {
  static func facts(_ health: RoomHealthDocument) -> [(String, String)] {
    let packets = health.packets
    return [
      ("buffered", "\(number(health.bufferedMilliseconds / 1000, 2)) s"),
      ("jitter", "\(number(health.jitterMicroseconds, 0)) us"),
      (
        "packets",
        "\(packets.received) received, \(packets.late) late, \(packets.lost) lost, "
          + "\(packets.repaired) repaired, \(packets.concealed) concealed, "
          + "\(packets.discarded) discarded"
      ),
      (
        "sync error",
        "p50 \(us(health.syncErrorP50Microseconds)), p99 \(us(health.syncErrorP99Microseconds)), "
          + "max \(us(health.syncErrorMaxMicroseconds))"
      ),
      (
        "clock",
        "sigma \(us(health.clockSigmaMicroseconds)), bound \(us(health.clockBoundMicroseconds))"
      ),
      (
        "frequency errors",
        "host \(ppm(health.hostFrequencyPPM)), card \(ppm(health.cardFrequencyPPM))"
      ),
      ("output latency", "\(number(health.outputLatencyMilliseconds, 1)) ms"),
      ("ready in", "\(number(health.readyInMilliseconds, 0)) ms"),
      ("underruns", "\(health.underruns)"),
      ("resyncs", "\(health.resyncs)"),
    ]
  }

  private static func us(_ value: Double?) -> String { value.map { "\(number($0, 1)) us" } ?? "-" }
  private static func ppm(_ value: Double?) -> String {
    value.map { "\(number($0, 2)) ppm" } ?? "-"
  }
}
