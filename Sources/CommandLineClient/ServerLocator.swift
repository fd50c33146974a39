// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc
internal import HTTPClient

/// Finds out which coordinator is meant.
struct ServerLocator {
  /// The environment of the process.
  let environment: [String: String]
  /// Whether there is something at a path.
  var exists: (String) -> Bool = { access($0, F_OK) == 0 }

  /// The address to ask.
  ///
  /// - Parameter given: What `--server` or `TUTTI_SERVER` says.
  /// - Returns: The address.
  /// - Throws: `ClientFailure` when it is no address, or no coordinator runs on this machine.
  func server(given: String?) throws(ClientFailure) -> ServerAddress {
    if let given {
      guard let address = ServerAddress(given) else {
        throw .usage(
          "'\(given)' is no address of a coordinator; try unix:PATH or http://HOST:7700")
      }
      return address
    }
    guard let path = candidates.first(where: exists) else {
      throw .unreachable(
        "no coordinator runs on this machine (looked for \(candidates.joined(separator: ", "))); "
          + "start tutti-coordinator, or name one with --server or TUTTI_SERVER")
    }
    return .unix(path: path)
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
