// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CommandLineOptions
internal import ControlAPI
internal import HTTPClient

/// `doctor`: looks at this machine and, when it answers, at the house.
struct DoctorCommand {
  let environment: [String: String]
  let arguments: ParsedArguments
  let terminal: Terminal

  /// What was seen.
  struct Facts {
    var host: HostFacts
    var house: HouseFacts
    /// How to ask on; nil when nobody answers.
    var connection: HouseConnection?

    func findings(ink: Ink) -> [Finding] {
      Examination(host: host, house: house, ink: ink).findings
    }
  }

  /// Prints what is found; fails when there is a problem.
  func run() throws(ClientFailure) {
    let findings = try Self.gather(environment, arguments).findings(ink: terminal.ink)
    if arguments[TuttiCommandLine.json] {
      try terminal.writeJSON(DoctorDocument(findings: findings))
    } else {
      let text = FindingText(columns: terminal.columns, ink: terminal.ink)
      terminal.write(text.lines(findings).joined(separator: "\n") + "\n")
    }
    let problems = findings.count { $0.verdict == .problem }
    if problems > 0 { throw .said }
  }

  /// Looks at everything; a coordinator that cannot be reached is a fact like others.
  static func gather(
    _ environment: [String: String], _ arguments: ParsedArguments
  ) throws(ClientFailure) -> Facts {
    let locator = ServerLocator(environment: environment)
    let given = arguments[TuttiCommandLine.server]
    var host = HostFacts.gather(socketPaths: locator.candidates, ports: [7_700, 7_701])
    do throws(ClientFailure) {
      let server = try locator.server(given: given, or: host.search)
      let client: HTTPClient
      do { client = try HTTPClient(server: server) } catch { throw .failed("\(error)") }
      let connection = HouseConnection(
        client: client, groupName: arguments[TuttiCommandLine.group])
      let house = connection.facts()
      if let port = house.diagnosis?.port, port != 7_700 {
        host.ports[0] = HostFacts.Port(number: port, owner: PortOwner.find(port))
      }
      return Facts(
        host: host, house: house, connection: house.state == nil ? nil : connection)
    } catch {
      // What was typed wrong is no finding.
      if given != nil, case .usage = error { throw error }
      return Facts(host: host, house: .failed(error), connection: nil)
    }
  }
}
