// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import HTTPClient

// Until logins exist a coordinator's API listens on its own machine alone. What is found on the network
// is shown, with the way that works today; it is asked first, so that one that does listen is used.

/// Which coordinator is meant when nobody named one and no socket is on this machine.
struct ServerChoice {
  let search: HouseSearch
  /// Where the socket was looked for.
  let socketPaths: [String]

  /// The one to ask.
  ///
  /// - Parameter answers: Whether a coordinator's API answers at an address.
  /// - Returns: Its address.
  /// - Throws: `ClientFailure`: usage (2) for several, unreachable (3) for none that answers.
  func server(answers: (ServerAddress) -> Bool) throws(ClientFailure) -> ServerAddress {
    let here = search.houses.filter(\.isOnThisHost)
    for house in here where answers(Self.loopback(house)) { return Self.loopback(house) }
    guard let house = search.houses.first else { throw .unreachable(nothing) }
    guard search.houses.count == 1 else { throw .usage(several) }
    if house.isOnThisHost {
      throw .unreachable(
        "'\(house.name)' is announced by this machine, but its API does not answer at "
          + "\(Self.loopback(house)); is it still running? --server unix:STATE_DIR/control.sock names "
          + "its socket")
    }
    let address = ServerAddress.url("http://\(house.address):\(house.port)")
    if answers(address) { return address }
    throw .unreachable(
      "found '\(house.name)' on \(house.host) (\(house.address)), but its API answers on that machine "
        + "only, until logins exist; \(Self.way(house))")
  }

  private static func loopback(_ house: HouseSearch.House) -> ServerAddress {
    .url("http://127.0.0.1:\(house.port)")
  }

  /// What works from another machine today.
  private static func way(_ house: HouseSearch.House) -> String {
    "run tutti there (ssh \(house.host) tutti ...), or forward its port: "
      + "ssh -N -L \(house.port):localhost:\(house.port) \(house.host) & "
      + "then TUTTI_SERVER=http://localhost:\(house.port)"
  }

  private var nothing: String {
    let network =
      search.problem.map { "the network cannot be searched: \($0)" }
      ?? "none is announced on the network"
    return
      "no coordinator runs on this machine (looked for \(socketPaths.joined(separator: ", "))), and "
      + "\(network); start tutti-coordinator, or name one with --server or TUTTI_SERVER"
  }

  private var several: String {
    let lines = search.houses.map { house in
      "  '\(house.name)' on \(house.host) (\(house.address):\(house.port))"
        + (house.isOnThisHost ? ", this machine" : "")
    }
    return "there are several coordinators; choose one with --server or TUTTI_SERVER:\n"
      + lines.joined(separator: "\n") + "\nFor one on another machine "
      + (search.houses.first { !$0.isOnThisHost }.map(Self.way) ?? "name its socket")
  }
}
