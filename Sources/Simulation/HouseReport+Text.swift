// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Figures as people read them: microseconds with one digit.

extension HouseReport {
  /// One line of figures, without the house.
  public var figures: String {
    var parts = ["skew \(Self.three(skew)) us"]
    if starts.count > 0 { parts.append("first frame \(Self.short(starts.largest)) us") }
    if joins.count > 0 { parts.append("joins \(Self.short(joins.largest)) us") }
    if settling.count > 0 { parts.append("in time after \(Self.three(settling)) ms") }
    if recovery.count > 0 { parts.append("again after \(Self.three(recovery)) ms") }
    parts.append("clock in 4 sigma \(share(beyondSigma)) in bound \(share(beyondBound))")
    if resyncs > 0 { parts.append("\(resyncs) resyncs") }
    if missingFrames > 0 { parts.append("\(missingFrames / 48) ms missing") }
    if concealed > 0 { parts.append("\(concealed) concealed") }
    if cardUnderruns > 0 { parts.append("\(cardUnderruns / 48) ms of dry card") }
    return parts.joined(separator: "; ")
  }

  /// Share of clock samples that were not counted as beyond.
  private func share(_ beyond: Int) -> String {
    guard clockSamples > 0 else { return "-" }
    let percent = 100 * Double(clockSamples - beyond) / Double(clockSamples)
    return "\((percent * 100).rounded(.down) / 100) %"
  }

  /// p50 / p99 / max.
  public static func three(_ values: Distribution) -> String {
    guard values.count > 0 else { return "- / - / -" }
    return [values.percentile(0.5), values.percentile(0.99), values.largest].map(short)
      .joined(separator: " / ")
  }

  /// With one digit below ten, and none above.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return "-" }
    return value < 100 ? "\((value * 10).rounded() / 10)" : "\(Int(value.rounded()))"
  }
}

extension HouseScenario {
  /// What the house is like, room by room.
  public var description: [String] {
    var lines = ["\(kind.rawValue) house, seed \(seed), \(rooms.count) rooms, \(Int(seconds)) s"]
    for room in rooms { lines.append("  \(room.name): \(room.words)") }
    for event in events { lines.append("  at \(HouseReport.short(event.at)) s: \(event.fault)") }
    return lines
  }
}

extension HouseScenario.Room {
  /// What is not ordinary about the room.
  var words: String {
    let room = configuration
    var parts = [
      "host \(crystal(room.host))", "card \(crystal(room.card.crystal))", "\(room.card.rate) Hz",
    ]
    if room.card.granularity > 1 { parts.append("pointer \(room.card.granularity) frames") }
    if room.card.lieSeconds > 0 {
      parts.append("lies by \(room.card.lieFrames) frames for \(milli(room.card.lieSeconds))")
    }
    parts.append("to it \(link(room.down))")
    parts.append("from it \(link(room.up))")
    if joins > 0 { parts.append("joins at \(HouseReport.short(joins)) s") }
    if let leaves { parts.append("leaves at \(HouseReport.short(leaves)) s") }
    return parts.joined(separator: ", ")
  }

  private func crystal(_ error: VirtualCrystal.Error) -> String {
    let ramp = error.ramp == 0 ? "" : ", warms by \(HouseReport.short(error.ramp * 300)) ppm"
    return "\(HouseReport.short(error.ppm)) ppm\(ramp)"
  }

  private func link(_ link: VirtualLink.Quality) -> String {
    var text = milli(link.base)
    if link.jitter > 0 { text += " + 0-\(HouseReport.short(link.jitter * 1e6)) us" }
    if link.tail > 0 { text += " + tail \(milli(link.tail))" }
    if link.sleepsPerSecond > 0 {
      text += ", \(HouseReport.short(link.sleepsPerSecond)) sleeps/s to"
      text += " \(milli(link.sleepLength.upperBound))"
    }
    return text
  }

  private func milli(_ seconds: Double) -> String { "\((seconds * 1e5).rounded() / 100) ms" }
}
