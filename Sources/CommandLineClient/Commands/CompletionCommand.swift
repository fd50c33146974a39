// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI
internal import HTTPClient

/// `completion`: the scripts for shells, and the words that they ask for.
struct CompletionCommand {
  let environment: [String: String]

  /// How long the coordinator may take, in ms: a keystroke waits for it.
  static let patienceMilliseconds = 300

  /// What `completion` prints.
  func text(_ arguments: ParsedArguments) throws(ClientFailure) -> String {
    if arguments[TuttiCommandLine.words] { return words(for: arguments.operands) }
    let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
    guard let name = arguments.operands.first else { throw .usage("name a shell: \(shells)") }
    guard let shell = CompletionShell(rawValue: name) else {
      throw .usage("the shell '\(name)' is unknown; there are: \(shells)")
    }
    return shell.script(for: "tutti", asking: "completion --words --")
  }

  /// What fits at the end of `line`; says nothing about anything that is wrong.
  private func words(for line: [String]) -> String {
    // Asked at most once, however many subjects there are.
    var state: StateDocument?
    var isAsked = false
    let server = server(line)
    return TuttiCommandLine.program.completions(of: line) { subject in
      if subject == TuttiCommandLine.Subject.music {
        return LibraryCompletion { ask(server, $0) }.candidates(for: line.last ?? "")
      }
      if !isAsked {
        state = ask(server, APIRoute.state.path)
          .flatMap { try? JSONDocument.decode(StateDocument.self, from: $0) }
      }
      isAsked = true
      return Self.names(subject, in: state)
    }.text
  }

  private static func names(_ subject: String, in state: StateDocument?) -> [Completion.Candidate] {
    switch subject {
    case TuttiCommandLine.Subject.rooms:
      (state?.rooms ?? []).map {
        Completion.Candidate($0.name, help: $0.isConnected ? "room" : "room, not connected")
      }
    case TuttiCommandLine.Subject.groups:
      (state?.groups ?? []).map { Completion.Candidate($0.name, help: "group") }
    default: []
    }
  }

  /// Never searches the network: nobody waits a second for a key.
  private func server(_ line: [String]) -> ServerAddress? {
    (try? ServerLocator(environment: environment).server(given: given(line))) ?? nil
  }

  private func ask(_ server: ServerAddress?, _ path: String) -> [UInt8]? {
    guard let server, let client = try? HTTPClient(server: server),
      let answer = try? client.get(path, within: Self.patienceMilliseconds), answer.isSuccess
    else { return nil }
    return answer.body
  }

  /// The `--server` on the line that is being typed, else the environment's.
  private func given(_ line: [String]) -> String? {
    for (index, word) in line.enumerated() {
      if word.hasPrefix("--server=") { return String(word.dropFirst(9)) }
      if word == "--server", index + 1 < line.count { return line[index + 1] }
    }
    return environment["TUTTI_SERVER"]
  }
}
