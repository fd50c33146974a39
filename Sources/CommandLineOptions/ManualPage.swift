// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// man(7) source, which groff and mandoc both render. Made from the same tables as the parser and
// `--help`, so that the page cannot say anything else than the program does.

extension CommandLineProgram {
  /// The manual page, as man(7) source in ASCII.
  ///
  /// - Returns: Several lines with a final newline.
  public func manualPage() -> String {
    var page = Roff()
    page.lines.append(
      ".TH \(name.uppercased()) \(manual.section) \(tuttiReleaseDate) \"Tutti \(version)\" Tutti")
    page.head("NAME")
    page.lines.append("\(Roff.escape(name)) \\- \(Roff.escape(Self.withoutStop(summary)))")
    page.head("SYNOPSIS")
    page.lines.append(".B " + Roff.escape(name))
    page.lines.append(Roff.escape(usageLine().dropFirst(name.count + 1)))
    page.head("DESCRIPTION")
    page.paragraphs([summary] + manual.description)
    describeCommands(in: &page)
    page.head("OPTIONS")
    describe(options, in: &page)
    page.entry(bold: ["-h", "--help"], value: nil, "Print help and leave.")
    page.entry(bold: ["--version"], value: nil, "Print the version and leave.")
    describeEnvironment(in: &page)
    page.entries("FILES", manual.files)
    page.entries("EXIT STATUS", manual.exitCodes)
    page.example(footer)
    if !manual.seeAlso.isEmpty {
      page.head("SEE ALSO")
      page.lines.append(Roff.escape(manual.seeAlso.joined(separator: ", ")))
    }
    return page.lines.joined(separator: "\n") + "\n"
  }

  private func describeCommands(in page: inout Roff) {
    let shown = commands.filter { !$0.isPlanned }
    guard !shown.isEmpty else { return }
    page.head("COMMANDS")
    for command in shown {
      page.entry(bold: [command.name], value: command.operands.usage, command.summary)
      guard !command.options.isEmpty || !command.footer.isEmpty else { continue }
      page.lines.append(".RS")
      describe(command.options, in: &page)
      if !command.footer.isEmpty { page.verbatim(command.footer) }
      page.lines.append(".RE")
    }
  }

  private func describe(_ options: [any DeclaredOption], in page: inout Roff) {
    for option in options {
      let specification = option.specification
      let names = (specification.short.map { ["-\($0)"] } ?? []) + [specification.flagText]
      page.entry(bold: names, value: specification.valueName, specification.fullHelp)
    }
  }

  private func describeEnvironment(in page: inout Roff) {
    guard !options.isEmpty else { return }
    page.head("ENVIRONMENT")
    page.paragraphs(["Each option can be set in the environment; the command line wins."])
    for option in options {
      page.entry(
        bold: [environmentName(of: option.specification)], value: nil,
        "As \(option.specification.flagText).")
    }
  }

  /// A title has no full stop.
  private static func withoutStop(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}

/// Lines of man(7) source.
private struct Roff {
  var lines: [String] = []

  mutating func head(_ text: String) { lines.append(".SH " + text) }

  mutating func paragraphs(_ texts: [String]) {
    for (index, text) in texts.enumerated() {
      if index > 0 { lines.append(".PP") }
      lines.append(Self.escape(text))
    }
  }

  /// An indented paragraph under its name.
  mutating func entry(bold names: [String], value: String?, _ text: String) {
    let words = names.map { "\\fB\(Self.escape($0))\\fR" }.joined(separator: ", ")
    let rest = value.map { $0.isEmpty ? "" : " \\fI\(Self.escape($0))\\fR" } ?? ""
    lines += [".TP", words + rest, Self.escape(text)]
  }

  mutating func entries(_ title: String, _ entries: [Manual.Entry]) {
    guard !entries.isEmpty else { return }
    head(title)
    for entry in entries { self.entry(bold: [entry.term], value: nil, entry.text) }
  }

  /// The end of the help: its lines stay lines; "Examples:" becomes a heading of its own.
  mutating func example(_ text: String) {
    guard !text.isEmpty else { return }
    head(text.hasPrefix("Examples:") ? "EXAMPLES" : "NOTES")
    let body = text.hasPrefix("Examples:") ? String(text.dropFirst(10)) : text
    verbatim(body, spaced: false)
  }

  mutating func verbatim(_ text: String, spaced: Bool = true) {
    if spaced { lines.append(".PP") }
    lines.append(".nf")
    lines += text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.isEmpty ? ".sp" : Self.escape($0)
    }
    lines.append(".fi")
  }

  /// Text in which nothing is a request or an escape; a `-` stays one that can be pasted.
  static func escape(_ text: some StringProtocol) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case _ where scalar.value < 0x80: escaped.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        escaped += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
