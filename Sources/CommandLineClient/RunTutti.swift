// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import Glibc
internal import HTTPClient

/// Runs `tutti`.
///
/// - Parameters:
///   - words: The words after the program's name.
///   - environment: The environment of the process.
/// - Returns: The exit code: 0 ok, 1 failed, 2 usage, 3 cannot reach, 4 not permitted.
public func runTutti(_ words: [String], environment: [String: String]) -> Int32 {
  signal(SIGPIPE, SIG_IGN)
  let terminal = Terminal(environment: environment)
  do throws(ClientFailure) {
    try run(words, environment: environment, terminal: terminal)
    return 0
  } catch {
    if case .said = error { return error.exitCode }
    Terminal.complain("tutti: \(error)")
    return error.exitCode
  }
}

private func run(
  _ words: [String], environment: [String: String], terminal: Terminal
) throws(ClientFailure) {
  let arguments: ParsedArguments
  do throws(CommandLineError) {
    switch try TuttiCommandLine.program.parse(words, environment: environment) {
    case .print(let text):
      terminal.write(text + (text.hasSuffix("\n") ? "" : "\n"))
      return
    case .run(let parsed): arguments = parsed
    }
  } catch {
    throw .usage("\(error)")
  }
  if let command = arguments.command, TuttiCommandLine.later.contains(command) {
    throw .failed("'\(command)' is not yet there in this version")
  }
  // These three work without a coordinator.
  switch arguments.command {
  case "completion":
    let text = try CompletionCommand(environment: environment).text(arguments)
    return terminal.write(text.isEmpty ? "" : text + "\n")
  case "doctor":
    return try DoctorCommand(
      environment: environment, arguments: arguments, terminal: terminal
    ).run()
  case "report":
    return try ReportCommand(
      environment: environment, arguments: arguments, terminal: terminal
    ).run()
  default: break
  }
  let locator = ServerLocator(environment: environment)
  let server = try locator.serverOrSearch(given: arguments[TuttiCommandLine.server])
  let client: HTTPClient
  do { client = try HTTPClient(server: server) } catch { throw .failed("\(error)") }
  let house = HouseConnection(client: client, groupName: arguments[TuttiCommandLine.group])
  try CommandRun(arguments: arguments, house: house, terminal: terminal).run()
}
