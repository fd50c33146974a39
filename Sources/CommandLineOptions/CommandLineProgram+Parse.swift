// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

extension CommandLineProgram {
  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - arguments: The words after the program's name.
  ///   - environment: The environment; empty values count as absent.
  /// - Returns: What is asked for.
  /// - Throws: The first mistake, in the order of the command line; then those of the environment.
  public func parse(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws(CommandLineError) -> Invocation {
    var reader = ArgumentReader(program: self, arguments: arguments)
    try reader.readAll()
    if let text = reader.informationText { return .print(text) }
    var parsed = reader.parsed
    try takeEnvironment(environment, into: &parsed, options: reader.allowedOptions)
    if !commands.isEmpty, parsed.command == nil { throw .missingCommand }
    try checkOperands(parsed)
    return .run(parsed)
  }

  func command(named name: String?) -> CommandDeclaration? {
    commands.first { $0.name == name }
  }

  private func checkOperands(_ parsed: ParsedArguments) throws(CommandLineError) {
    let declared = command(named: parsed.command)?.operands ?? operands
    guard parsed.operands.count >= declared.count.lowerBound else {
      throw .missingOperand(usage: usageLine(for: command(named: parsed.command)))
    }
    guard parsed.operands.count <= declared.count.upperBound else {
      throw .unexpectedOperand(parsed.operands[declared.count.upperBound])
    }
  }

  /// Several values of a repeatable option are separated by commas in the environment.
  private func takeEnvironment(
    _ environment: [String: String], into parsed: inout ParsedArguments,
    options: [any DeclaredOption]
  ) throws(CommandLineError) {
    for option in options {
      let specification = option.specification
      let name = environmentName(of: specification)
      guard parsed.texts[specification.name] == nil, let value = environment[name], !value.isEmpty
      else { continue }
      let texts =
        specification.isRepeatable ? value.split(separator: ",").map(String.init) : [value]
      for text in texts {
        if let reason = option.refusal(of: text) {
          throw .invalidValue(source: name, value: text, reason: reason)
        }
      }
      parsed.texts[specification.name] = texts
    }
  }
}
