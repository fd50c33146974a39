// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI

/// A room's measurements as pairs of words.
struct HealthText {
  let ink: Ink
  private var errors: ErrorText { ErrorText(ink: ink) }

  /// A bound that is this many sigmas wide is explained.
  private static let surprisingBound = 10.0

  init(ink: Ink) { self.ink = ink }

  /// The pairs; an empty left word goes on with the one above.
  func facts(_ health: RoomHealthDocument, hour: RoomSyncDocument?) -> [(String, String)] {
    timing(health, hour: hour) + machinery(health)
  }

  private func timing(
    _ health: RoomHealthDocument, hour: RoomSyncDocument?
  ) -> [(String, String)] {
    var facts = [
      ("error, 10 s", errors.window(health.syncErrorTenSeconds)),
      ("5 min", errors.window(health.syncErrorFiveMinutes)),
    ]
    if let hour {
      facts.append(("1 hour", errors.hour(hour.hour)))
      let plot = SyncPlot(ink: ink).line(hour)
      if !plot.isEmpty { facts.append(("minutes", plot)) }
    }
    facts.append(
      (
        "clock",
        "sigma \(errors.time(health.clockSigmaMicroseconds)), "
          + "bound \(errors.time(health.clockBoundMicroseconds))"
      ))
    if let bound = health.clockBoundMicroseconds, let sigma = health.clockSigmaMicroseconds,
      bound > sigma * Self.surprisingBound
    {
      facts.append(
        ("", "bound: how far off it could be, unseen, if one way of the network is the slower"))
    }
    if health.clockRepliesRefused > 0 {
      facts.append(("", "\(health.clockRepliesRefused) answers not believed"))
    }
    return facts
  }

  private func machinery(_ health: RoomHealthDocument) -> [(String, String)] {
    let packets = health.packets
    return [
      (
        "frequency",
        "host \(ppm(health.hostFrequencyPPM)), card \(ppm(health.cardFrequencyPPM))"
      ),
      ("output latency", "\(number(health.outputLatencyMilliseconds, 1)) ms"),
      ("ready in", "\(number(health.readyInMilliseconds, 0)) ms"),
      ("buffered", "\(number(health.bufferedMilliseconds / 1000, 2)) s"),
      ("jitter", errors.time(health.jitterMicroseconds)),
      (
        "latest packet",
        "\(milliseconds(health.latenessMilliseconds)) after it was sent; repaired "
          + milliseconds(health.repairTimeMilliseconds)
      ),
      (
        "packets",
        "\(packets.received) received, \(packets.late) late, \(packets.lost) lost, "
          + "\(packets.repaired) repaired"
      ),
      ("", "\(packets.concealed) concealed, \(packets.discarded) discarded"),
      ("", "\(packets.requested) asked for again, \(packets.superfluous) sent again for nothing"),
      ("device", "\(count(health.underruns, "underrun")), \(count(health.resyncs, "resync"))"),
    ]
  }

  private func count(_ number: UInt64, _ word: String) -> String {
    "\(number) \(word)\(number == 1 ? "" : "s")"
  }

  private func milliseconds(_ value: Double?) -> String {
    value.map { "\(number($0, 1)) ms" } ?? "-"
  }

  private func ppm(_ value: Double?) -> String { value.map { "\(number($0, 2)) ppm" } ?? "-" }
}

/// The worst ten seconds of each of the last 60 minutes as a row of bars.
struct SyncPlot {
  let ink: Ink

  /// From low to high. A step is a factor of about 3: from below 10 us to above 10 ms.
  private static let bars = [
    "\u{2581}", "\u{2582}", "\u{2583}", "\u{2585}", "\u{2586}", "\u{2587}",
  ]
  private static let plain = ["_", ".", "-", "=", "*", "#"]
  private static let steps = [10.0, 30, 100, 300, 2_000]

  /// A bar a minute, oldest first; a blank where nothing sounded. Empty when there is nothing.
  func line(_ hour: RoomSyncDocument) -> String {
    guard let end = hour.samples.last?.endedUnixSeconds else { return "" }
    var worst: [Int: Double] = [:]
    for sample in hour.samples {
      guard let error = sample.syncError else { continue }
      let age = (end - sample.endedUnixSeconds) / 60
      guard age >= 0, age < 60 else { continue }
      worst[Int(age)] = max(worst[Int(age)] ?? 0, error.p99Microseconds)
    }
    guard let oldest = worst.keys.max() else { return "" }
    return (0...oldest).reversed().map { minute in worst[minute].map(bar) ?? " " }.joined()
  }

  private func bar(_ microseconds: Double) -> String {
    let level = Self.steps.firstIndex { microseconds < $0 } ?? Self.steps.count
    return (ink.usesUnicode ? Self.bars : Self.plain)[level]
  }
}
