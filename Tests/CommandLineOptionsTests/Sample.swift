// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CommandLineOptions

/// A program with every kind of option, and one with subcommands.
enum Sample {
  enum Colour: String, CaseIterable, Sendable { case red, green }

  static let name = Option("name", short: "n", value: "NAME", parse: .text, help: "A name.")
  static let port = DefaultedOption(
    "port", short: "p", value: "PORT", default: 7700, parse: .integer(in: 1...65_535),
    help: "A port.")
  static let music = Option(
    "music", value: "DIR", repeatable: true, parse: .text, help: "A folder.")
  static let colour =
    Option("colour", value: "COLOUR", parse: .choice, help: "A colour.")
    as Option<Colour>
  static let gain = Option("gain", value: "DB", parse: .number(in: -60...6), help: "A gain.")
  static let quiet = Flag("no-noise", short: "q", help: "Be quiet.")
  static let verbose = Flag("verbose", short: "v", help: "Say more.")

  static let daemon = CommandLineProgram(
    name: "daemon", version: "1.2", summary: "Does things.", environmentPrefix: "TUTTI_DAEMON",
    options: [name, port, music, colour, gain, quiet, verbose], footer: "The end.")

  static let at = Option("at", value: "TIME", parse: .text, help: "Where to start.")
  static let client = CommandLineProgram(
    name: "client", version: "1.2", summary: "Asks for things.", environmentPrefix: "TUTTI",
    options: [name, verbose],
    commands: [
      CommandDeclaration(
        "play", summary: "Plays.", operands: .any("[FILE ...]"), options: [at], footer: "Loud."),
      CommandDeclaration(
        "volume", summary: "Louder or softer.",
        operands: OperandDeclaration("[ROOM] [N|+N|-N]", count: 0...2)),
      CommandDeclaration(
        "seek", summary: "Moves.", operands: OperandDeclaration("[+|-]TIME", count: 1...1)),
    ])

  /// Parses and expects work to do.
  static func run(
    _ program: CommandLineProgram, _ words: String..., environment: [String: String] = [:]
  ) throws -> ParsedArguments {
    guard case .run(let parsed) = try program.parse(words, environment: environment) else {
      throw Unexpected()
    }
    return parsed
  }

  /// Parses and expects a text to print.
  static func text(_ program: CommandLineProgram, _ words: String...) throws -> String {
    guard case .print(let text) = try program.parse(words) else { throw Unexpected() }
    return text
  }

  struct Unexpected: Error {}
}
