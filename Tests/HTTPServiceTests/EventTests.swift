// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import HTTPService
import Testing

@Suite struct EventHTTPServiceTests {
  static func open(_ server: ServiceUnderTest, after id: String? = nil) async throws -> RawClient {
    let client = try server.unix()
    client.send(HTTPServiceTests.get("/events", id.map { "Last-Event-ID: \($0)" } ?? "Foo: y"))
    try await client.read { $0.contains("retry: 1000\n") }
    return client
  }

  static func publish(_ count: Int, on server: ServiceUnderTest) {
    for number in 0..<count {
      server.events.publish(name: "n", data: Array("{\"n\":\(number)}".utf8))
    }
  }

  @Test func `events reach every listener in order`() async throws {
    let server = try ServiceUnderTest()
    var listeners: [RawClient] = []
    for _ in 0..<3 { listeners.append(try await Self.open(server)) }
    Self.publish(2, on: server)
    for listener in listeners {
      let text = try await listener.read { $0.hasSuffix("{\"n\":1}\n\n") }
      #expect(text.contains("content-type: text/event-stream\r\n"))
      #expect(
        text.hasSuffix(
          "retry: 1000\nid: b1-0\n\nid: b1-1\nevent: n\ndata: {\"n\":0}\n\n"
            + "id: b1-2\nevent: n\ndata: {\"n\":1}\n\n"))
    }
  }

  @Test func `a listener that comes back gets what it missed`() async throws {
    let server = try ServiceUnderTest()
    Self.publish(3, on: server)
    let listener = try await Self.open(server, after: "b1-1")
    let text = try await listener.read { $0.hasSuffix("{\"n\":2}\n\n") }
    #expect(text.contains("retry: 1000\n\nid: b1-2\n"))
    #expect(!text.contains("reset"))
  }

  @Test(arguments: ["b0-1", "b1-1", "b1-99", "b1", "b1-x", "-", "b1--1"])
  func `a listener that cannot be brought up to date is told to start over`(id: String) async throws
  {
    let server = try ServiceUnderTest(events: EventHub(boot: "b1", capacity: 2))
    Self.publish(5, on: server)
    let listener = try await Self.open(server, after: id)
    try await listener.read { $0.hasSuffix("id: b1-5\nevent: reset\ndata: {}\n\n") }
    Self.publish(1, on: server)
    let text = try await listener.read { $0.contains("id: b1-6\n") }
    #expect(!text.contains("id: b1-4\n"))
  }

  @Test func `the place of an id at the ring's edge is exact`() async throws {
    let server = try ServiceUnderTest(events: EventHub(boot: "b1", capacity: 2))
    Self.publish(5, on: server)
    let listener = try await Self.open(server, after: "b1-3")
    #expect(try await listener.read { $0.contains("id: b1-5\n") }.contains("id: b1-4\n"))
  }

  @Test func `a listener that does not read costs nothing and is told to start over`() async throws
  {
    let server = try ServiceUnderTest(events: EventHub(boot: "b1", capacity: 64))
    let listener = try await Self.open(server)
    let large = Array(String(repeating: "x", count: 10_000).utf8)
    for _ in 0..<500 { server.events.publish(name: "n", data: large) }
    let text = try await listener.read {
      $0.contains("event: reset\n") || $0.contains("id: b1-500\n")
    }
    #expect(text.contains("event: reset\n"))
    server.events.publish(name: "last", data: [])
    try await listener.read { $0.contains("event: last\n") }
  }

  @Test func `data in several lines stays one event`() async throws {
    let server = try ServiceUnderTest()
    let listener = try await Self.open(server)
    server.events.publish(name: "n", data: Array("a\nb".utf8))
    try await listener.read { $0.hasSuffix("event: n\ndata: a\ndata: b\n\n") }
  }

  @Test func `a silent stream shows that it is alive`() async throws {
    var bounds = HTTPBounds()
    bounds.heartbeatSeconds = 1
    bounds.patienceSeconds = 1
    let server = try ServiceUnderTest(bounds: bounds)
    let listener = try await Self.open(server)
    try await listener.read { $0.hasSuffix(":\n\n:\n\n:\n\n") }
    Self.publish(1, on: server)
    try await listener.read { $0.contains("id: b1-1\n") }
  }
}
