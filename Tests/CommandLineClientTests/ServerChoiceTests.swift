// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import HTTPClient
import Testing

@testable import CommandLineClient

@Suite struct ServerChoiceTests {
  private func house(_ name: String, here: Bool = false, id: String = "") -> HouseSearch.House {
    HouseSearch.House(
      name: name, id: id.isEmpty ? name : id, host: "\(name).local", address: "192.168.1.7",
      port: 7_700, isOnThisHost: here)
  }

  private func choose(
    _ houses: [HouseSearch.House], problem: String? = nil, answering: [String] = []
  ) throws(ClientFailure) -> ServerAddress {
    var search = HouseSearch(problem: problem)
    for house in houses { search.add(house) }
    return try ServerChoice(search: search, socketPaths: ["/a/control.sock"])
      .server { answering.contains("\($0)") }
  }

  private func failure(
    _ houses: [HouseSearch.House], problem: String? = nil
  ) -> ClientFailure? {
    do { _ = try choose(houses, problem: problem) } catch { return error }
    return nil
  }

  @Test func `one of this machine that is kept elsewhere is used, whoever else is there`() throws {
    let local = "http://127.0.0.1:7700"
    #expect("\(try choose([house("a", here: true)], answering: [local]))" == local)
    #expect("\(try choose([house("a", here: true), house("b")], answering: [local]))" == local)
  }

  @Test func `one elsewhere that answers is used`() throws {
    let far = "http://192.168.1.7:7700"
    #expect("\(try choose([house("nas")], answering: [far]))" == far)
  }

  @Test func `one elsewhere that does not answer is shown with the way that works`() {
    let failure = failure([house("nas")])
    #expect(failure?.exitCode == 3)
    let text = failure?.description ?? ""
    #expect(text.contains("'nas'") && text.contains("until logins exist"))
    #expect(text.contains("ssh -N -L 7700:localhost:7700 nas.local"))
  }

  @Test func `several are listed and left to choose`() {
    let failure = failure([house("nas"), house("attic")])
    #expect(failure?.exitCode == 2)
    let text = failure?.description ?? ""
    #expect(text.contains("'nas' on nas.local") && text.contains("'attic' on attic.local"))
  }

  @Test func `none is said with where was looked, and why the network was not`() {
    let alone = failure([])
    #expect(alone?.exitCode == 3)
    #expect(alone?.description.contains("/a/control.sock") == true)
    #expect(alone?.description.contains("none is announced") == true)
    let blind = failure([], problem: "Daemon not running")
    #expect(blind?.description.contains("Daemon not running") == true)
  }

  @Test func `a house seen on several ways is one, by its IPv4 address`() {
    var search = HouseSearch()
    var six = house("nas", id: "1")
    six.address = "[fe80::1%2]"
    search.add(six)
    search.add(house("nas", id: "1"))
    search.add(six)
    #expect(search.houses == [house("nas", id: "1")])
  }
}

@Suite struct ServerLocatorTests {
  @Test func `what is given wins, and nonsense is a usage error`() throws {
    let locator = ServerLocator(environment: ["HOME": "/h"]) { _ in true }
    #expect(try locator.server(given: "unix:/x") == .unix(path: "/x"))
    #expect(try locator.server(given: "http://a:7700/") == .url("http://a:7700"))
    let failure = #expect(throws: ClientFailure.self) { try locator.server(given: "a:7700") }
    #expect(failure?.exitCode == 2)
  }

  @Test func `sockets are looked for where coordinators keep them`() throws {
    let environment = ["HOME": "/h", "STATE_DIRECTORY": "/s"]
    let locator = ServerLocator(environment: environment) { $0.hasPrefix("/h") }
    #expect(
      try locator.server(given: nil)
        == .unix(path: "/h/.local/state/tutti-coordinator/control.sock"))
    #expect(try ServerLocator(environment: environment) { _ in false }.server(given: nil) == nil)
  }
}
