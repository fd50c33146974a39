// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import DaemonProcess
internal import LinuxNetworking

/// `tutti-coordinator`, from its command line to its exit code.
///
/// - Parameter arguments: The words after the program's name.
/// - Returns: The exit code: 0 in good order, 1 failed, 2 for a command line that cannot be obeyed.
public func runCoordinator(arguments: [String]) -> Int32 {
  let given: ParsedArguments
  let configuration: CoordinatorConfiguration
  do {
    switch try CoordinatorOptions.program.parse(arguments, environment: environment()) {
    case .print(let text):
      print(text)
      return 0
    case .run(let parsed):
      given = parsed
      configuration = try CoordinatorConfiguration(parsed)
    }
  } catch {
    reportToStandardError("tutti-coordinator: \(error)")
    return 2
  }
  // Before any thread starts: threads inherit what is blocked.
  let signals = SignalWaiter()
  let log = Log(
    .standardError(
      level: given[CoordinatorOptions.logLevel], format: given[CoordinatorOptions.logFormat]))
  do {
    try serve(configuration, given, until: signals, log: log)
    return 0
  } catch {
    log.error("\(error)")
    return 1
  }
}

/// What the environment says about the options.
private func environment() -> [String: String] {
  let program = CoordinatorOptions.program
  let names = program.options.map { program.environmentName(of: $0.specification) }
  return Dictionary(
    names.compactMap { name in Environment.value(name).map { (name, $0) } },
    uniquingKeysWith: { first, _ in first })
}

private func serve(
  _ configuration: CoordinatorConfiguration, _ given: ParsedArguments,
  until signals: SignalWaiter, log: Log
) throws {
  let directory = try StateDirectory.resolve(
    flag: given[CoordinatorOptions.stateDirectory], program: "tutti-coordinator")
  let state = try StateDirectory(path: directory, program: "tutti-coordinator")
  let coordinator = try finish {
    try await RunningCoordinator(configuration, state: state, log: log)
  }
  log.notice(
    "the house \"\(configuration.name)\" is open: stream and clock on UDP port \(coordinator.port), "
      + "control on \(state.path(of: "control.sock"))"
      + (coordinator.apiPort.map { " and http://127.0.0.1:\($0)" } ?? ""))
  ServiceNotifier.ready(status: "serving")
  while signals.next() != .terminate {}
  log.notice("stopping")
  ServiceNotifier.stopping()
  try finish { await coordinator.stop() }
}

/// Runs something asynchronous to its end while the calling thread waits.
///
/// The main thread of the program waits for signals as plain function calls; nothing depends on it.
private func finish<Result: Sendable>(
  _ body: @escaping @Sendable () async throws -> Result
) throws -> Result {
  let outcome = Outcome<Result>(waiting: try Poller())
  Task {
    do {
      outcome.take(.success(try await body()))
    } catch {
      outcome.take(.failure(error))
    }
  }
  return try outcome.wait()
}
