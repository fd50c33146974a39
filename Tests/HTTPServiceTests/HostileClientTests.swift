// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import HTTPService
import Testing

@Suite struct HostileClientHTTPServiceTests {
  /// One second is the library's smallest patience.
  static var impatient: HTTPBounds {
    var bounds = HTTPBounds()
    bounds.patienceSeconds = 1
    bounds.bodySeconds = 1
    bounds.connections = 4
    return bounds
  }

  @Test(arguments: [
    "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost.evil.example:1\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost:80\r\nOrigin: http://localhost:81\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: null\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n\r\n",
    "GET / HTTP/1.1\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
  ])
  func `a page from elsewhere is refused on loopback`(request: String) async throws {
    let server = try ServiceUnderTest()
    let client = try server.tcp()
    client.send(request)
    let response = try await client.response()
    #expect(response.status == 403)
    #expect(response.head.contains("application/problem+json"))
    #expect(response.body.contains("/problems/foreign-page"))
    #expect(server.handler.seen.isEmpty)
  }

  /// libwebsockets would take what follows the line end for headers of the request.
  @Test(arguments: [
    "/%0AHost:localhost%0AX:", "/%0D%0AHost:localhost%0D%0A", "/a?b=%0Aif-match:x%0A", "/%0A",
    "/x%0D", "/%20HTTP/1.1%0D%0AHost:%20localhost%0D%0A%0D%0A",
  ])
  func `an address cannot smuggle headers in`(address: String) async throws {
    let server = try ServiceUnderTest()
    for connect in [server.unix, server.tcp] {
      let client = try connect()
      client.send("GET \(address) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      let text = try await client.read { $0.contains("}") }
      #expect(text.contains(" 400 ") && text.contains("/problems/bad-request-line"), "\(text)")
    }
    #expect(server.handler.seen.isEmpty)
  }

  @Test(
    arguments: [
      ("localhost", nil), ("localhost:7700", "http://localhost:7700"), ("LOCALHOST", nil),
      ("127.0.0.1:1", "http://127.0.0.1:1"), ("[::1]:7700", nil), ("[::1]", "http://[::1]"),
    ] as [(String, String?)])
  func `this host's own pages and programs pass`(host: String, origin: String?) async throws {
    let server = try ServiceUnderTest()
    let client = try server.tcp()
    client.send(
      "GET / HTTP/1.1\r\nHost: \(host)\r\n" + (origin.map { "Origin: \($0)\r\n" } ?? "")
        + "\r\n")
    #expect(try await client.response().status == 200)
  }

  @Test func `a body over the bound is refused unread`() async throws {
    let server = try ServiceUnderTest(bounds: Self.impatient)
    for connect in [server.unix, server.tcp] {
      let client = try connect()
      client.send(HTTPServiceTests.post("/x", length: 2_000_000))
      // More than the kernel's buffers hold: the service must read on for the answer to arrive.
      let isSent = client.send([UInt8](repeating: 0, count: 1_500_000))
      #expect(isSent)
      let response = try await client.response()
      #expect(response.status == 413)
      #expect(response.body.contains("at most 1048576"))
      try await client.read { _ in false }
      #expect(client.isClosed)
    }
    #expect(server.handler.seen.isEmpty)
  }

  @Test(arguments: ["Content-Length: x", "Content-Length: -1", "Transfer-Encoding: chunked"])
  func `a body without a usable length is refused`(header: String) async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send("POST /x HTTP/1.1\r\nHost: a\r\n\(header)\r\n\r\n")
    let text = try await client.read { $0.contains("}") }
    #expect(text.isEmpty || text.hasPrefix("HTTP/1.1 4"), "\(text)")
    #expect(server.handler.seen.isEmpty)
  }

  @Test func `a head over the bound ends the connection`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send(
      "GET /" + String(repeating: "a", count: 20_000) + " HTTP/1.1\r\nHost: a\r\n\r\n")
    let text = try await client.read { _ in false }
    #expect(client.isClosed)
    #expect(!text.hasPrefix("HTTP/1.1 200"))
    #expect(server.handler.seen.isEmpty)
  }

  @Test func `many headers over the bound end the connection`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send(
      "GET / HTTP/1.1\r\nHost: a\r\n"
        + (0..<2_000).map { "X-\($0): aaaaaaaa\r\n" }.joined() + "\r\n")
    let text = try await client.read { !$0.isEmpty }
    #expect(!text.hasPrefix("HTTP/1.1 200"))
  }

  @Test func `a client that never finishes its head is dropped`() async throws {
    let server = try ServiceUnderTest(bounds: Self.impatient)
    let client = try server.unix()
    client.send("GET / HT")
    try await client.read(seconds: 20) { _ in false }
    #expect(client.isClosed)
  }

  @Test func `a client that never finishes its body is dropped`() async throws {
    let server = try ServiceUnderTest(bounds: Self.impatient)
    let client = try server.unix()
    client.send(HTTPServiceTests.post("/x", length: 10) + "abc")
    try await client.read(seconds: 20) { _ in false }
    #expect(client.isClosed)
    #expect(server.handler.seen.isEmpty)
  }

  @Test func `connections are bounded and their places come back`() async throws {
    let server = try ServiceUnderTest(bounds: Self.impatient)
    var clients = try (0..<4).map { _ in try server.unix() }
    for client in clients {
      client.send(HTTPServiceTests.get("/events"))
      try await client.read { $0.contains("retry:") }
    }
    let extra = try server.unix()
    extra.send(HTTPServiceTests.get("/x"))
    try await extra.read { _ in false }
    #expect(extra.isClosed && extra.received.isEmpty)

    clients.removeAll()
    let end = RawClient.now() + 10
    var served = false
    while !served, RawClient.now() < end {
      let late = try server.unix()
      late.send(HTTPServiceTests.get("/x"))
      served = try await late.read { $0.contains("HTTP/1.1 200") }.contains("HTTP/1.1 200")
    }
    #expect(served)
  }

  @Test func `programs on loopback cannot take the last places`() async throws {
    let server = try ServiceUnderTest(bounds: Self.impatient)
    var held: [RawClient] = []
    for _ in 0..<3 {
      held.append(try server.tcp())
      held.last?.send(HTTPServiceTests.get("/events"))
      try await held.last?.read { $0.contains("retry:") }
    }
    let refused = try server.tcp()
    refused.send(HTTPServiceTests.get("/x"))
    try await refused.read { _ in false }
    #expect(refused.received.isEmpty)
    let served = try server.unix()
    served.send(HTTPServiceTests.get("/x"))
    #expect(try await served.response().status == 200)
  }

  @Test func `garbage harms nobody`() async throws {
    let server = try ServiceUnderTest()
    var generator = SeededGenerator(state: 11)
    for round in 0..<200 {
      let client = try server.unix()
      var bytes = Array(
        (round % 2 == 0 ? "GET /\(round) HTTP/1.1\r\nHost: a\r\n" : "POST /x HTTP/1.1\r\n").utf8)
      bytes += (0..<Int.random(in: 1...400, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      client.send(bytes)
    }
    let client = try server.unix()
    client.send(HTTPServiceTests.get("/still"))
    #expect(try await client.response().body == "GET /still [] none")
  }

  @Test func `an upgrade to another protocol is refused`() async throws {
    let server = try ServiceUnderTest()
    for upgrade in ["websocket", "h2c"] {
      let client = try server.unix()
      client.send(
        HTTPServiceTests.get(
          "/x", "Connection: Upgrade, HTTP2-Settings", "Upgrade: \(upgrade)",
          "HTTP2-Settings: AAMAAABkAAQAAP__", "Sec-WebSocket-Version: 13",
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="))
      let text = try await client.read { !$0.isEmpty }
      #expect(!text.hasPrefix("HTTP/1.1 101"), "\(text)")
    }
  }
}

/// SplitMix64, so that a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
