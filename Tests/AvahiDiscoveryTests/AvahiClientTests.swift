// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AvahiDiscovery
import Testing

// Against a real D-Bus and a real avahi-daemon, see PrivateZeroconf. One after the other: libdbus
// knows one system bus in a process.

@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .enabled(
    if: PrivateZeroconf.isPossible,
    "needs root, dbus-daemon, avahi-daemon, avahi-utils, iproute2 and util-linux: run tools/setup"))
struct AvahiClientTests {
  private static let type = "_tutti-test._tcp"
  private let zeroconf: PrivateZeroconf
  private let events = EventRecorder()

  init() throws { zeroconf = try PrivateZeroconf() }

  private func kitchen(port: UInt16 = 7701, text: [String: String] = [:]) -> ServiceAnnouncement {
    ServiceAnnouncement(name: "Küche", type: Self.type, port: port, text: text)
  }

  private func client(
    publishing: [ServiceAnnouncement] = [], browsing: [String] = []
  ) throws -> AvahiClient {
    try AvahiClient(
      publishing: publishing, browsing: browsing,
      retry: RetryPace(firstMilliseconds: 50, maximumMilliseconds: 200), handler: events.record)
  }

  @Test func `a service is published, found with address and text, changed, gone and back`() throws
  {
    try zeroconf.startBus()
    try zeroconf.startDaemon()
    let service = kitchen(text: ["id": "0123", "Room": "Küche", "note": "a=b"])
    let client = try client(publishing: [service], browsing: [Self.type])
    #expect(events.nextName() == "Küche")
    let found = try #require(events.nextFound("Küche"))
    #expect(found.host == "testhouse.local")
    #expect(["127.0.0.1", "::1"].contains(found.address))
    #expect(found.port == 7701)
    #expect(found.text == ["id": "0123", "room": "Küche", "note": "a=b"])
    #expect(found.interfaceName == "lo" && found.instance.interface == 1)
    #expect(found.isOnThisHost)

    client.publish([])
    #expect(events.waitUntilLost("Küche"))
    client.publish([kitchen(port: 7702)])
    #expect(events.nextFound("Küche")?.port == 7702)
    client.browse([])
    #expect(events.waitUntilLost("Küche"))
  }

  @Test func `a taken name is exchanged for the next one, and said`() throws {
    try zeroconf.startBus()
    try zeroconf.startDaemon()
    let first = try client(publishing: [kitchen()])
    #expect(events.nextName() == "Küche")
    let second = try client(publishing: [kitchen(port: 7702)], browsing: [Self.type])
    #expect(events.nextName() == "Küche #2")
    #expect(events.nextFound("Küche #2")?.port == 7702)
    withExtendedLifetime((first, second)) {}
  }

  /// Which of two hosts gives way is up to their daemons when both have just come.
  @Test func `of two hosts with one name one takes the next, and both are found`() throws {
    try zeroconf.startBus()
    try zeroconf.startDaemon(besideHostWith: "Küche", type: Self.type)
    let client = try client(browsing: [Self.type])
    let other = try #require(events.nextFound("Küche"))
    #expect(other.host == "otherhouse.local" && other.port == 7799)
    #expect(!other.isOnThisHost)
    client.publish([kitchen()])
    let renamed = try #require(events.nextFound("Küche #2"))
    if renamed.host == "testhouse.local" {
      #expect(renamed.port == 7701 && renamed.isOnThisHost)
      #expect(events.waitUntilPublished(as: "Küche #2"))
    } else {
      #expect(renamed.host == "otherhouse.local" && renamed.port == 7799)
      #expect(events.waitUntilPublished(as: "Küche"))
    }
  }

  @Test func `a daemon that comes late is used, and one that restarts is used again`() throws {
    try zeroconf.startBus()
    let client = try client(publishing: [kitchen()], browsing: [Self.type])
    #expect(events.reasonOfAbsence() == "Daemon not running")
    for _ in 0..<2 {
      try zeroconf.startDaemon()
      #expect(events.waitUntilAvailable())
      #expect(events.nextFound("Küche") != nil)
      zeroconf.stopDaemon()
      #expect(events.reasonOfAbsence() != nil)
    }
    withExtendedLifetime(client) {}
  }

  @Test func `without D-Bus it is tried again in silence until both are there`() throws {
    let client = try client(publishing: [kitchen()], browsing: [Self.type])
    #expect(events.reasonOfAbsence() != nil)
    for _ in 0..<2 {
      try zeroconf.startBus()
      try zeroconf.startDaemon()
      #expect(events.waitUntilAvailable())
      #expect(events.nextFound("Küche") != nil)
      zeroconf.stopBus()
      #expect(events.reasonOfAbsence() != nil)
      zeroconf.stopDaemon()
    }
    let complaints = events.remaining.filter {
      if case .unavailable = $0 { true } else { false }
    }
    #expect(complaints.isEmpty)
    withExtendedLifetime(client) {}
  }

  @Test(arguments: ["", String(repeating: "x", count: 64)])
  func `a name that cannot be announced is refused with words`(name: String) throws {
    try zeroconf.startBus()
    try zeroconf.startDaemon()
    let service = ServiceAnnouncement(name: name, type: Self.type, port: 1)
    let client = try client(publishing: [service, kitchen()])
    let failure = events.next { if case .publishingFailed = $0 { true } else { false } }
    guard case .publishingFailed(service, let reason) = failure else {
      Issue.record("not refused")
      return
    }
    #expect(reason.contains("1 to 63 bytes"))
    #expect(events.nextName() == "Küche")
    withExtendedLifetime(client) {}
  }

  @Test func `the sequence of events ends with its client`() async throws {
    var (client, events): (AvahiClient?, AsyncStream<DiscoveryEvent>) =
      try AvahiClient.withEvents(browsing: [Self.type])
    var seen = 0
    for await _ in events {
      seen += 1
      client = nil
    }
    #expect(seen == 1, "no D-Bus is there: one complaint")
    #expect(client == nil)
  }

  @Test func `a client can be let go at any moment`() throws {
    for _ in 0..<20 { _ = try client(publishing: [kitchen()], browsing: [Self.type]) }
    try zeroconf.startBus()
    try zeroconf.startDaemon()
    for _ in 0..<20 { _ = try client(publishing: [kitchen()], browsing: [Self.type]) }
    let last = try client(publishing: [kitchen()])
    #expect(events.nextName()?.hasPrefix("Küche") == true)
    withExtendedLifetime(last) {}
  }
}
