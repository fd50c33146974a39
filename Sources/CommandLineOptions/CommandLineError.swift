// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A command line that cannot be obeyed. Its description is one sentence for the person.
public enum CommandLineError: Error, Hashable, Sendable, CustomStringConvertible {
  /// An option that the program does not have.
  case unknownOption(String, suggestion: String?)
  /// A subcommand that the program does not have.
  case unknownCommand(String, suggestion: String?)
  /// No subcommand was given.
  case missingCommand
  /// An option that needs a value stands alone.
  case missingValue(option: String, valueName: String)
  /// A flag was given a value.
  case unexpectedValue(option: String, value: String)
  /// A value that the option refuses. `source` is `--port` or the environment's name.
  case invalidValue(source: String, value: String, reason: String)
  /// Fewer operands than are needed.
  case missingOperand(usage: String)
  /// More operands than are taken.
  case unexpectedOperand(String)

  /// What happened, to what, and what to try.
  public var description: String {
    switch self {
    case .unknownOption(let option, let suggestion):
      "unknown option `\(option)`" + Self.hint(suggestion)
    case .unknownCommand(let command, let suggestion):
      "unknown command `\(command)`" + Self.hint(suggestion)
    case .missingCommand:
      "no command was given; try `--help`"
    case .missingValue(let option, let valueName):
      "`\(option)` needs a value: `\(option) \(valueName)`, or `\(option)=-…` if it starts with `-`"
    case .unexpectedValue(let option, let value):
      "`\(option)` takes no value, but was given `\(value)`"
    case .invalidValue(let source, let value, let reason):
      "`\(source)` is `\(value)`, but \(reason)"
    case .missingOperand(let usage):
      "something is missing; expected: \(usage)"
    case .unexpectedOperand(let operand):
      "`\(operand)` is one word too many; quote names with spaces, or try `--help`"
    }
  }

  private static func hint(_ suggestion: String?) -> String {
    suggestion.map { "; did you mean `\($0)`?" } ?? "; try `--help`"
  }
}
