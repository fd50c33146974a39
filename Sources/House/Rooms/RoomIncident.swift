// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Something that happened to a room, from its first sign until all was well again.
public struct RoomIncident: Sendable, Hashable, Identifiable {
  /// What kind of thing went wrong. A room has at most one of each kind at a time.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The control link was down.
    case link
    /// Packets did not come, or not in time.
    case loss
    /// The device ran dry, failed or was away.
    case device
    /// The room was out of time and jumped.
    case timing
    /// The coordinator's clock was not known any more.
    case clock
    /// Another speaker claims to be the room.
    case twin
  }

  /// Counts from 1 within a room.
  public let id: UInt64
  /// What kind of thing.
  public let kind: Kind
  /// When it began: at the latest report in which all was well.
  public let began: WallTime
  /// When it was over; nil while it goes on.
  public internal(set) var ended: WallTime?
  /// What was counted meanwhile.
  public internal(set) var counted = ReportCounters()
  /// What the device or the link said, in words.
  public internal(set) var detail = ""
  /// Whether the speaker's program ended meanwhile, and began anew.
  public internal(set) var isNewRun = false

  /// How long it took; nil while it goes on. The time of day may step: never negative.
  public var seconds: Double? { ended.map { max(0, $0.seconds - began.seconds) } }

  /// Sound that was not the music's own: concealed packets of 20 ms.
  public var coveredMilliseconds: Int { Int(counted.concealed) * Self.packetMilliseconds }

  /// Sound in a packet (docs/decisions and the stream's description: 960 frames of 48 kHz).
  static let packetMilliseconds = 20
  /// Concealment has faded out after so long; what is longer is silence.
  static let fadeMilliseconds = 100
}

// MARK: - In words

extension RoomIncident {
  /// What happened.
  public var cause: String {
    switch kind {
    case .link:
      "the control link broke: " + (detail.isEmpty ? "no reason was given" : detail)
        + (isNewRun ? "; the speaker's program began anew" : "")
    case .loss: lossCause
    case .device:
      detail.isEmpty ? "the device ran dry" + times(counted.underruns) : detail
    case .timing: "the room was more than 2 ms out of time"
    case .clock: "the coordinator's clock was lost"
    case .twin: "a second speaker was refused: " + detail
    }
  }

  /// What a listener may have heard.
  public var effect: String {
    switch kind {
    case .link where isNewRun: "silence until the program was back"
    case .link: "nothing, if the speaker still runs: what was sent plays on"
    case .loss:
      if counted.concealed == 0 {
        "nothing"
      } else if coveredMilliseconds <= Self.fadeMilliseconds {
        "\(coveredMilliseconds) ms covered up"
      } else {
        "\(coveredMilliseconds) ms covered up or silent"
      }
    case .device: "silence while the device was away"
    case .timing: "a cross-faded jump" + times(counted.resyncs)
    case .clock: "silence while it is unknown"
    case .twin: "none: the one that was there plays on"
    }
  }

  /// What mended it.
  public var repair: String {
    guard let seconds else { return "not yet" }
    let after = seconds < 0.5 ? "" : " after \(Self.tenths(seconds)) s"
    return switch kind {
    case .link: "connected again" + after
    case .loss:
      counted.repaired > 0
        ? "\(packets(counted.repaired)) sent again in time" : "no repeat came; the music went on"
    case .device:
      "started again" + after
        + (counted.resyncs > 0 ? ", back in time by a jump" + times(counted.resyncs) : "")
    case .timing: "in time again"
    case .clock: "clock found again" + after
    case .twin: "it has not come back" + after
    }
  }

  private var lossCause: String {
    var parts: [String] = []
    if counted.lost > 0 { parts.append("\(packets(counted.lost)) lost on the way") }
    if counted.late > 0 { parts.append("\(packets(counted.late)) too late") }
    if parts.isEmpty, counted.repaired > 0 {
      parts.append("\(packets(counted.repaired)) missing at first")
    }
    if parts.isEmpty { parts.append("\(packets(counted.concealed)) missing") }
    let milliseconds = Int(max(counted.lost &+ counted.late, counted.concealed))
    if milliseconds > 0 { parts.append("\(milliseconds * Self.packetMilliseconds) ms in all") }
    return parts.joined(separator: ", ")
  }

  private func packets(_ count: UInt32) -> String { count == 1 ? "1 packet" : "\(count) packets" }

  private func times(_ count: UInt32) -> String { count > 1 ? ", \(count) times" : "" }

  private static func tenths(_ seconds: Double) -> String {
    let tenths = Int64(min(seconds, 1e9) * 10 + 0.5)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
