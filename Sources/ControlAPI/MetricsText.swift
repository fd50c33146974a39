// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Measurements as Prometheus reads them (text exposition format 0.0.4).
///
/// Names and units are part of the API: seconds, bytes and ratios, never milliseconds or per cent; what only
/// grows ends in `_total`.
public struct MetricsText: Sendable, Equatable {
  /// The media type of the text.
  public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// What a figure is.
  public enum Kind: String, Sendable {
    /// It goes up and down.
    case gauge
    /// It only grows, until it begins anew.
    case counter
  }

  /// The text so far.
  public private(set) var text = ""

  /// No measurements yet.
  public init() {}

  /// Adds a measurement; one without a figure is left out.
  ///
  /// - Parameters:
  ///   - name: Its name, with its unit.
  ///   - kind: What the figures are.
  ///   - help: What it says, in a sentence.
  ///   - samples: The figures and what tells them apart: names and values of labels.
  public mutating func add(
    _ name: String, _ kind: Kind, help: String,
    samples: [(labels: [(name: String, value: String)], figure: Double?)]
  ) {
    let known = samples.compactMap { sample in sample.figure.map { (sample.labels, $0) } }
    guard !known.isEmpty else { return }
    text += "# HELP \(name) \(Self.escape(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    for (labels, figure) in known {
      let list = labels.map { "\($0.name)=\"\(Self.escape($0.value, quotes: true))\"" }
      text += name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}")
      text += " \(Self.number(figure))\n"
    }
  }

  /// Adds a measurement of the house as a whole.
  ///
  /// - Parameters:
  ///   - name: Its name, with its unit.
  ///   - kind: What the figure is.
  ///   - help: What it says, in a sentence.
  ///   - figure: The figure.
  public mutating func add(_ name: String, _ kind: Kind, help: String, _ figure: Double) {
    add(name, kind, help: help, samples: [([], figure)])
  }

  private static func escape(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func number(_ figure: Double) -> String {
    if figure.isNaN { return "NaN" }
    if figure.isInfinite { return figure > 0 ? "+Inf" : "-Inf" }
    // Whole numbers without a fraction, whatever their size: counters are read by people too.
    return figure == figure.rounded() && abs(figure) < 1e15 ? "\(Int64(figure))" : "\(figure)"
  }
}
