// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

extension CommandLineProgram {
  /// What fits at the end of a command line that is being typed; mistakes on the way do not matter.
  ///
  /// - Parameters:
  ///   - words: The words after the program's name; the last is being typed and may be empty.
  ///   - ask: Finds the words of a subject that only the running program knows.
  /// - Returns: What fits.
  public func completions(
    of words: [String], ask: (_ subject: String) -> [Completion.Candidate] = { _ in [] }
  ) -> CompletionAnswer {
    var place = CompletionPlace(program: self)
    for word in words.dropLast() { place.pass(word) }
    return place.answer(words.last ?? "", ask: ask)
  }
}

/// Where on a command line one is, after the words to the left of it.
private struct CompletionPlace {
  let program: CommandLineProgram
  var command: CommandDeclaration?
  var operands = 0
  var optionsEnded = false
  /// The option whose value comes next.
  var expecting: OptionSpecification?
  var given: Set<String> = []
  var asksForHelp = false

  init(program: CommandLineProgram) { self.program = program }

  var options: [OptionSpecification] {
    (program.options + (command?.options ?? [])).map(\.specification)
  }

  /// Goes past a word.
  mutating func pass(_ word: String) {
    if expecting != nil, !word.hasPrefix("--") {
      expecting = nil
    } else if optionsEnded || !word.hasPrefix("-") || word == "-" {
      passOperand(word)
    } else if word == "--" {
      optionsEnded = true
    } else {
      passOption(word)
    }
  }

  private mutating func passOperand(_ word: String) {
    if !program.commands.isEmpty, command == nil {
      command = program.command(named: word)
      asksForHelp = word == "help"
    } else {
      operands += 1
    }
  }

  private mutating func passOption(_ word: String) {
    expecting = nil
    let name = word.prefix { $0 != "=" }
    let letter = word.count == 2 ? word.last : nil
    guard
      let option = options.first(where: {
        "--" + $0.name == name || $0.short == letter && letter != nil
      })
    else { return }
    given.insert(option.name)
    if option.valueName != nil, !word.contains("=") { expecting = option }
  }

  func answer(
    _ word: String, ask: (String) -> [Completion.Candidate]
  ) -> CompletionAnswer {
    if let expecting, !word.hasPrefix("--") {
      return answer(expecting.completion, word, ask: ask)
    }
    if !optionsEnded, word.hasPrefix("--"), let equals = word.firstIndex(of: "=") {
      let name = word[..<equals].dropFirst(2)
      guard let option = options.first(where: { $0.name == name }) else {
        return CompletionAnswer()
      }
      return answer(
        option.completion, String(word[word.index(after: equals)...]), before: "--\(name)=",
        ask: ask)
    }
    if !optionsEnded, word.hasPrefix("-") {
      return CompletionAnswer(candidates: fitting(optionCandidates, word))
    }
    if !program.commands.isEmpty, command == nil {
      let names = program.commands.filter { !$0.isPlanned }
        .map { Completion.Candidate($0.name, help: $0.summary) }
      let help = Completion.Candidate("help", help: "Explains a command.")
      return CompletionAnswer(candidates: fitting(names + (asksForHelp ? [] : [help]), word))
    }
    return answer((command?.operands ?? program.operands).completion(at: operands), word, ask: ask)
  }

  private var optionCandidates: [Completion.Candidate] {
    options.filter { $0.isRepeatable || !given.contains($0.name) }
      .map { Completion.Candidate($0.flagText, help: $0.help) } + [
        Completion.Candidate("--help", help: "Print help."),
        Completion.Candidate("--version", help: "Print the version."),
      ]
  }

  private func answer(
    _ completion: Completion, _ word: String, before prefix: String = "",
    ask: (String) -> [Completion.Candidate]
  ) -> CompletionAnswer {
    let all = completion.subjects.flatMap(ask) + completion.candidates
    let words = fitting(all, word).map { Completion.Candidate(prefix + $0.word, help: $0.help) }
    return CompletionAnswer(candidates: words, files: completion.files)
  }

  private func fitting(
    _ candidates: [Completion.Candidate], _ word: String
  ) -> [Completion.Candidate] {
    let wanted = word.lowercased()
    return candidates.filter { $0.word.lowercased().hasPrefix(wanted) }
  }
}
