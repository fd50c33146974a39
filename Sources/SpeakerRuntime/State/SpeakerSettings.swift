// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// The file `settings` in the state directory: one setting a line, name and value, for people to read.
// Unknown and broken lines are skipped, so an older program reads a newer file and the reverse.
//
//   name Kitchen
//   volume 25
//   muted no
//   latency-us 0
//   host-ppm 3f9a... 12.345        the host's clock against one coordinator's
//   card-ppm alsa:default -3.210   the card against the host's clock

/// What a speaker remembers from run to run.
public struct SpeakerSettings: Sendable, Hashable {
  /// A speaker's first volume ever: a wrong guess must not hurt anybody.
  public static let firstVolume = 25
  /// Priors kept of each kind, the latest ones.
  static let priorLimit = 16
  /// Beyond this a remembered frequency is not believed.
  static let frequencyLimit = 5_000.0

  /// The room's name; empty before the first start.
  public var name = ""
  /// 0...100.
  public var volume = firstVolume
  /// Silent whatever the volume is.
  public var muted = false
  /// The room's own latency; positive: its sound is made earlier.
  public var latency = Nanoseconds.zero
  /// Frequency of the media clock against this host's, by coordinator.
  private(set) var hostFrequencies: [Prior] = []
  /// Frequency of a card against this host's clock, by output.
  private(set) var cardFrequencies: [Prior] = []

  struct Prior: Sendable, Hashable {
    var key: String
    var frequency: PartsPerMillion
  }

  /// The settings of a speaker that never ran.
  public init() {}

  /// The media clock's frequency against this host's when this coordinator was last heard.
  public func hostFrequency(coordinator: String) -> PartsPerMillion? {
    hostFrequencies.last { $0.key == coordinator }?.frequency
  }

  /// The card's frequency against this host's clock when this output was last used.
  public func cardFrequency(output: String) -> PartsPerMillion? {
    cardFrequencies.last { $0.key == output }?.frequency
  }

  /// Remembers the media clock's frequency.
  public mutating func setHostFrequency(_ frequency: PartsPerMillion, coordinator: String) {
    Self.remember(frequency, key: coordinator, in: &hostFrequencies)
  }

  /// Remembers a card's frequency.
  public mutating func setCardFrequency(_ frequency: PartsPerMillion, output: String) {
    Self.remember(frequency, key: output, in: &cardFrequencies)
  }

  private static func remember(
    _ frequency: PartsPerMillion, key: String, in priors: inout [Prior]
  ) {
    guard frequency.value.magnitude <= frequencyLimit, !key.contains(where: \.isWhitespace) else {
      return
    }
    priors.removeAll { $0.key == key }
    priors.append(Prior(key: key, frequency: frequency))
    if priors.count > priorLimit { priors.removeFirst(priors.count - priorLimit) }
  }
}

// MARK: - The file

extension SpeakerSettings {
  /// Reads the file's text; whatever is broken keeps its default.
  public init(decoding bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { continue }
      take(parts[0], String(parts[1]))
    }
  }

  private mutating func take(_ setting: Substring, _ value: String) {
    switch setting {
    case "name": name = value
    case "volume": volume = Int(value).map { min(max($0, 0), 100) } ?? Self.firstVolume
    case "muted": muted = value == "yes"
    case "latency-us":
      // 5 s either way is what the control protocol takes.
      guard let number = Int64(value), number.magnitude <= 5_000_000 else { return }
      latency = .microseconds(number)
    case "host-ppm": takePrior(value) { $0.setHostFrequency($2, coordinator: $1) }
    case "card-ppm": takePrior(value) { $0.setCardFrequency($2, output: $1) }
    default: break
    }
  }

  private mutating func takePrior(
    _ text: String, _ set: (inout Self, String, PartsPerMillion) -> Void
  ) {
    guard let space = text.lastIndex(of: " "),
      let number = Double(text[text.index(after: space)...])
    else { return }
    set(&self, String(text[..<space]), PartsPerMillion(number))
  }

  /// The file's text.
  public func encode() -> [UInt8] {
    var lines = [
      "name \(name)", "volume \(volume)", "muted \(muted ? "yes" : "no")",
      "latency-us \(latency.count / 1_000)",
    ]
    lines += hostFrequencies.map { "host-ppm \($0.key) \($0.frequency.value)" }
    lines += cardFrequencies.map { "card-ppm \($0.key) \($0.frequency.value)" }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }
}
