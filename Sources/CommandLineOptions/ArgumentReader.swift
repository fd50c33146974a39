// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Walks over the words of a command line once, from left to right.
///
/// The subcommand is the first word that is no option; its own options may stand only after it,
/// the program's anywhere.
struct ArgumentReader {
  let program: CommandLineProgram
  private(set) var parsed = ParsedArguments()
  /// Help or version, once asked for: mistakes further right no longer matter.
  private(set) var informationText: String?
  private var words: ArraySlice<String>

  init(program: CommandLineProgram, arguments: [String]) {
    self.program = program
    words = arguments[...]
  }

  /// The program's options and, once it is known, the subcommand's.
  var allowedOptions: [any DeclaredOption] {
    program.options + (program.command(named: parsed.command)?.options ?? [])
  }

  mutating func readAll() throws(CommandLineError) {
    if takeToolingRequest() { return }
    var optionsEnded = false
    var askedForHelp = false
    while let word = words.popFirst(), informationText == nil {
      if optionsEnded || isOperand(word) {
        try take(operand: word)
      } else if word == "--" {
        optionsEnded = true
      } else if word == "--help" || (word == "-h" && option(short: "h") == nil) {
        askedForHelp = true
      } else if word == "--version" {
        informationText = "\(program.name) \(program.version)"
      } else if word.hasPrefix("--") {
        try take(long: word)
      } else {
        try take(cluster: word)
      }
    }
    if askedForHelp, informationText == nil {
      informationText = program.helpText(for: program.command(named: parsed.command))
    }
  }

  /// What packaging and shells ask every program for, as the first word only: its manual page, the
  /// script that completes its command line, and the words for that script.
  private mutating func takeToolingRequest() -> Bool {
    switch words.first {
    case "--help-man": informationText = program.manualPage()
    case "--help-completion":
      let shells = CompletionShell.allCases.map(\.rawValue)
      guard let shell = words.dropFirst().first.flatMap(CompletionShell.init) else {
        informationText = "name a shell: " + shells.joined(separator: ", ")
        return true
      }
      informationText = shell.script(for: program.name, asking: "--help-words")
    case "--help-words":
      informationText = program.completions(of: Array(words.dropFirst())).text
    default: return false
    }
    return true
  }

  /// `-` alone means standard input by custom; `-5`, `-1:30` and `-.5` are numbers.
  private func isOperand(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word.count > 1 else { return true }
    return isNegativeNumber(word)
  }

  private func isNegativeNumber(_ word: String) -> Bool {
    let rest = word.dropFirst()
    guard let first = rest.first, option(short: first) == nil else { return false }
    return first.isASCII && first.isNumber
      || first == "." && rest.dropFirst().first?.isNumber == true
  }

  private func option(short: Character) -> (any DeclaredOption)? {
    allowedOptions.first { $0.specification.short == short }
  }

  private mutating func take(operand word: String) throws(CommandLineError) {
    guard !program.commands.isEmpty, parsed.command == nil else {
      parsed.operands.append(word)
      return
    }
    if word == "help" {
      let topic = words.popFirst()
      informationText = program.helpText(for: program.command(named: topic))
      return
    }
    guard program.command(named: word) != nil else {
      let names = program.commands.map(\.name)
      throw .unknownCommand(word, suggestion: Suggestion.closest(to: word, among: names))
    }
    parsed.command = word
  }

  private mutating func take(long word: String) throws(CommandLineError) {
    let pieces = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(pieces[0])
    let attached = pieces.count == 2 ? String(pieces[1]) : nil
    guard let option = allowedOptions.first(where: { $0.specification.name == name }) else {
      let names = allowedOptions.map(\.specification.name) + ["help", "version"]
      let suggestion = Suggestion.closest(to: name, among: names).map { "--" + $0 }
      throw .unknownOption("--" + name, suggestion: suggestion)
    }
    try take(option, attached: attached, writtenAs: "--" + name)
  }

  /// `-vq` is `-v -q`; `-p7700` is `-p 7700`.
  private mutating func take(cluster word: String) throws(CommandLineError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = option(short: letter) else {
        throw .unknownOption("-\(letter)", suggestion: nil)
      }
      let takesValue = option.specification.valueName != nil
      let attached = takesValue && !letters.isEmpty ? String(letters) : nil
      try take(option, attached: attached, writtenAs: "-\(letter)")
      if attached != nil { return }
    }
  }

  private mutating func take(
    _ option: any DeclaredOption, attached: String?, writtenAs written: String
  ) throws(CommandLineError) {
    let specification = option.specification
    guard let valueName = specification.valueName else {
      if let attached { throw .unexpectedValue(option: written, value: attached) }
      parsed.texts[specification.name] = ["1"]
      return
    }
    guard let text = attached ?? nextValue() else {
      throw .missingValue(option: written, valueName: valueName)
    }
    if let reason = option.refusal(of: text) {
      throw .invalidValue(source: written, value: text, reason: reason)
    }
    parsed.texts[specification.name, default: []].append(text)
  }

  /// A forgotten value must not swallow the option behind it.
  private mutating func nextValue() -> String? {
    guard let word = words.first, isOperand(word) else { return nil }
    words.removeFirst()
    return word
  }
}
