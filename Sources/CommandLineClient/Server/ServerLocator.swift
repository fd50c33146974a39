// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc
internal import HTTPClient

/// Finds out which coordinator is meant.
struct ServerLocator {
  /// The environment of the process.
  let environment: [String: String]
  /// Whether there is something at a path.
  var exists: (String) -> Bool = { access($0, F_OK) == 0 }

  /// The address to ask, without asking the network.
  ///
  /// - Parameter given: What `--server` or `TUTTI_SERVER` says.
  /// - Returns: The address; nil when none is given and no coordinator's socket is on this machine.
  /// - Throws: `ClientFailure` when it is no address.
  func server(given: String?) throws(ClientFailure) -> ServerAddress? {
    if let given {
      guard let address = ServerAddress(given) else {
        throw .usage(
          "'\(given)' is no address of a coordinator; try unix:PATH or http://HOST:7700")
      }
      return address
    }
    return candidates.first(where: exists).map { .unix(path: $0) }
  }

  /// The address to ask; when no socket is on this machine the network is looked at for a second.
  ///
  /// - Parameter given: What `--server` or `TUTTI_SERVER` says.
  /// - Returns: The address.
  /// - Throws: `ClientFailure`: none, several, or one that cannot be reached.
  func serverOrSearch(given: String?) throws(ClientFailure) -> ServerAddress {
    if let server = try server(given: given) { return server }
    return try self.server(given: nil, or: HouseSearch.run())
  }

  /// The address to ask, when the network has been looked at already.
  func server(given: String?, or search: HouseSearch) throws(ClientFailure) -> ServerAddress {
    if let server = try server(given: given) { return server }
    let choice = ServerChoice(search: search, socketPaths: candidates)
    return try choice.server(answers: Self.answers)
  }

  /// How long somebody found on the network may take to answer, in ms.
  private static let patienceMilliseconds = 2_000

  private static func answers(_ address: ServerAddress) -> Bool {
    let client = try? HTTPClient(server: address)
    let answer = try? client?.get(APIRoute.health.path, within: patienceMilliseconds)
    return answer?.isSuccess == true
  }

  /// Where a coordinator on this machine has its socket: its state folder, by the rules that it
  /// follows itself.
  var candidates: [String] {
    let program = "tutti-coordinator"
    var folders: [String] = []
    if let given = environment["STATE_DIRECTORY"], !given.isEmpty { folders.append(given) }
    if let state = environment["XDG_STATE_HOME"], !state.isEmpty {
      folders.append("\(state)/\(program)")
    } else if let home = environment["HOME"], !home.isEmpty {
      folders.append("\(home)/.local/state/\(program)")
    }
    folders.append("/var/lib/\(program)")
    return folders.map { "\($0)/control.sock" }
  }
}
