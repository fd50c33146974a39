// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

extension CommandLineProgram {
  /// Where the help's second column starts, in characters.
  private static var helpColumn: Int { 30 }
  /// Where lines end: what every terminal shows.
  private static var helpWidth: Int { 80 }

  /// The usage line of the program or of one of its commands.
  ///
  /// - Parameter command: The command, or nil for the program.
  /// - Returns: `tutti [OPTIONS] volume [ROOM|group] [N|+N|-N]`.
  public func usageLine(for command: CommandDeclaration? = nil) -> String {
    var words = [name]
    if !options.isEmpty || command?.options.isEmpty == false { words.append("[OPTIONS]") }
    if let command {
      words += [command.name, command.operands.usage]
    } else {
      words.append(commands.isEmpty ? operands.usage : "COMMAND")
    }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The help, ready to print.
  ///
  /// - Parameter command: The command to explain, or nil for the program.
  /// - Returns: Several lines without a final newline.
  public func helpText(for command: CommandDeclaration? = nil) -> String {
    var sections = [
      (command?.summary ?? summary) + "\n\nUsage: " + usageLine(for: command)
    ]
    if command == nil, !commands.isEmpty {
      sections.append(
        "Commands:\n"
          + commands.filter { !$0.isPlanned }.map { row($0.name, $0.summary) }
          .joined(separator: "\n"))
      let planned = commands.filter(\.isPlanned).map(\.name)
      if !planned.isEmpty {
        let words = lines(of: planned.joined(separator: ", "), width: Self.helpWidth - 2)
        sections.append("Not yet in this version:\n  " + words.joined(separator: "\n  "))
      }
    }
    if let own = command?.options, !own.isEmpty {
      sections.append("Options of \(command?.name ?? ""):\n" + rows(own))
    }
    sections.append("Options:\n" + rows(options) + "\n" + builtInRows)
    sections.append(
      "Every option can also be set in the environment: "
        + "`\(environmentPrefix)_…`, for example\n"
        + "`\(environmentExample)`. The command line wins.")
    let ending = command?.footer ?? footer
    if !ending.isEmpty { sections.append(ending) }
    return sections.joined(separator: "\n\n")
  }

  private var environmentExample: String {
    guard let first = options.first?.specification else { return environmentPrefix }
    return environmentName(of: first) + "=" + (first.valueName ?? "1")
  }

  private var builtInRows: String {
    row("-h, --help", "Print this help.") + "\n" + row("    --version", "Print the version.")
  }

  private func rows(_ options: [any DeclaredOption]) -> String {
    options.map { option in
      let specification = option.specification
      let short = specification.short.map { "-\($0), " } ?? "    "
      let value = specification.valueName.map { " \($0)" } ?? ""
      return row(short + specification.flagText + value, specification.fullHelp)
    }.joined(separator: "\n")
  }

  private func row(_ left: String, _ right: String) -> String {
    let indentation = "\n" + String(repeating: " ", count: Self.helpColumn)
    let padding = Self.helpColumn - 2 - left.count
    let gap = padding > 0 ? String(repeating: " ", count: padding) : indentation
    let words = lines(of: right, width: Self.helpWidth - Self.helpColumn)
    return "  " + left + gap + words.joined(separator: indentation)
  }

  /// Text broken between words.
  private func lines(of text: String, width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = last + " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
