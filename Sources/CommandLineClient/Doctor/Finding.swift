// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// One thing that was looked at, in words.
struct Finding: Codable, Equatable {
  /// How it is.
  enum Verdict: String, Codable {
    /// As it should be.
    case ok
    /// It works, and could be better or will not work for ever.
    case warning
    /// It does not work.
    case problem
    /// It could not be looked at.
    case unknown
  }

  /// What was looked at: `zeroconf`, `Kitchen`.
  var about: String
  var verdict: Verdict
  /// How it is, in one sentence without a full stop.
  var text: String
  /// What to do about it.
  var advice: String?

  static func ok(_ about: String, _ text: String) -> Finding {
    Finding(about: about, verdict: .ok, text: text)
  }

  static func warning(_ about: String, _ text: String, _ advice: String) -> Finding {
    Finding(about: about, verdict: .warning, text: text, advice: advice)
  }

  static func problem(_ about: String, _ text: String, _ advice: String) -> Finding {
    Finding(about: about, verdict: .problem, text: text, advice: advice)
  }

  static func unknown(_ about: String, _ text: String) -> Finding {
    Finding(about: about, verdict: .unknown, text: text)
  }
}

/// What `doctor --json` prints.
struct DoctorDocument: Codable, Equatable {
  /// In the order in which they are shown.
  var findings: [Finding]
}

/// Findings as a person reads them.
struct FindingText {
  let columns: Int
  let ink: Ink

  func lines(_ findings: [Finding]) -> [String] {
    let about = min(20, findings.map { DisplayWidth.columns($0.about) }.max() ?? 0)
    return findings.flatMap { lines($0, about: about) } + ["", summary(findings)]
  }

  private func lines(_ finding: Finding, about width: Int) -> [String] {
    let (word, paint) = Self.word(finding.verdict)
    let name = DisplayWidth.prefix(DisplayWidth.printable(finding.about), width)
    let gap = String(repeating: " ", count: width - DisplayWidth.columns(name) + 2)
    let head = ink.paint(word, paint) + String(repeating: " ", count: 9 - word.count) + name + gap
    let indent = String(repeating: " ", count: 9 + width + 2)
    let room = max(20, columns - indent.count)
    var lines = wrap(finding.text, to: room).enumerated().map { ($0 == 0 ? head : indent) + $1 }
    for (index, text) in wrap(finding.advice ?? "", to: room - 3).enumerated()
    where finding.advice != nil {
      lines.append(indent + (index == 0 ? "-> " : "   ") + text)
    }
    return lines
  }

  private static func word(_ verdict: Finding.Verdict) -> (String, Ink.Paint) {
    switch verdict {
    case .ok: ("ok", .good)
    case .warning: ("warning", .fair)
    case .problem: ("problem", .bad)
    case .unknown: ("unknown", .dim)
    }
  }

  private func summary(_ findings: [Finding]) -> String {
    let problems = findings.count { $0.verdict == .problem }
    let warnings = findings.count { $0.verdict == .warning }
    guard problems + warnings > 0 else { return "All is well." }
    let words = [(problems, "problem"), (warnings, "warning")].filter { $0.0 > 0 }
      .map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }
    return words.joined(separator: ", ") + "."
  }
}
