// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A program's command line, declared as a value; parsing it is a pure function.
///
/// ```swift
/// enum SpeakerOptions {
///   static let name = Option("name", value: "ROOM", parse: .text, help: "The room's name.")
///   static let port = DefaultedOption(
///     "port", value: "PORT", default: 7701, parse: .integer(in: 1...65_535),
///     help: "TCP and UDP port.")
///   static let noZeroconf = Flag("no-zeroconf", help: "Do not announce on the network.")
///
///   static let program = CommandLineProgram(
///     name: "tutti-speaker", version: "0.1.0", summary: "Plays a room's share of the music.",
///     environmentPrefix: "TUTTI_SPEAKER", options: [name, port, noZeroconf])
/// }
///
/// do {
///   switch try SpeakerOptions.program.parse(arguments, environment: environment) {
///   case .print(let text): print(text); exit(0)             // --help, --version
///   case .run(let given): start(port: given[SpeakerOptions.port])
///   }
/// } catch {
///   report("tutti-speaker: \(error)"); exit(2)              // usage errors are exit code 2
/// }
/// ```
///
/// The command line wins over the environment (`TUTTI_SPEAKER_PORT`), the environment over the
/// default. Long names are written in full; a near miss is answered with a suggestion. `--` ends
/// the options. A word that starts with `-` and a digit is an operand (`volume kitchen -5`).
public struct CommandLineProgram: Sendable {
  /// The program's name as it is typed.
  public var name: String
  /// What `--version` prints after the name.
  public var version: String
  /// One sentence for the top of the help.
  public var summary: String
  /// What the environment's names start with: `TUTTI_SPEAKER` for `TUTTI_SPEAKER_PORT`.
  public var environmentPrefix: String
  /// The options that hold whatever the subcommand is.
  public var options: [any DeclaredOption]
  /// The operands of a program without subcommands.
  public var operands: OperandDeclaration
  /// The subcommands; a program that has some needs one.
  public var commands: [CommandDeclaration]
  /// Free text for the end of the help: examples, files.
  public var footer: String
  /// What the manual page says beyond the tables.
  public var manual: Manual

  /// Declares a program.
  ///
  /// - Parameters:
  ///   - name: The program's name as it is typed.
  ///   - version: What `--version` prints after the name.
  ///   - summary: One sentence for the top of the help.
  ///   - environmentPrefix: What the environment's names start with, without the last underscore.
  ///   - options: The options that hold whatever the subcommand is.
  ///   - operands: The operands of a program without subcommands.
  ///   - commands: The subcommands.
  ///   - footer: Free text for the end of the help.
  ///   - manual: What the manual page says beyond the tables.
  public init(
    name: String, version: String, summary: String, environmentPrefix: String,
    options: [any DeclaredOption], operands: OperandDeclaration = .none,
    commands: [CommandDeclaration] = [], footer: String = "", manual: Manual = Manual()
  ) {
    self.name = name
    self.version = version
    self.summary = summary
    self.environmentPrefix = environmentPrefix
    self.options = options
    self.operands = operands
    self.commands = commands
    self.footer = footer
    self.manual = manual
  }

  /// The name of an option in the environment.
  ///
  /// - Parameter specification: The option.
  /// - Returns: `TUTTI_SPEAKER_STATE_DIR` for `--state-dir`.
  public func environmentName(of specification: OptionSpecification) -> String {
    environmentPrefix + "_"
      + String(specification.name.uppercased().map { $0 == "-" ? "_" : $0 })
  }
}

/// What a command line asks for.
public enum Invocation: Sendable {
  /// Print this to standard output and leave with 0: `--help`, `--version`, `help COMMAND`.
  case print(String)
  /// Do the program's work.
  case run(ParsedArguments)
}

/// A subcommand.
public struct CommandDeclaration: Sendable {
  /// The word that is typed.
  public var name: String
  /// One sentence for the list of commands.
  public var summary: String
  /// What it takes besides options.
  public var operands: OperandDeclaration
  /// Options that only this command takes.
  public var options: [any DeclaredOption]
  /// Free text for the end of the command's own help.
  public var footer: String
  /// Whether its turn comes in a later version: understood, but neither listed nor completed.
  public var isPlanned = false

  /// Declares a subcommand.
  ///
  /// - Parameters:
  ///   - name: The word that is typed.
  ///   - summary: One sentence for the list of commands.
  ///   - operands: What it takes besides options.
  ///   - options: Options that only this command takes.
  ///   - footer: Free text for the end of the command's own help.
  public init(
    _ name: String, summary: String, operands: OperandDeclaration = .none,
    options: [any DeclaredOption] = [], footer: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.operands = operands
    self.options = options
    self.footer = footer
  }
}
