// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DaemonProcess
import Glibc
import HTTPService
import Testing

@Suite struct HTTPServiceTests {
  static func get(_ path: String, _ headers: String...) -> String {
    "GET \(path) HTTP/1.1\r\nHost: localhost\r\n"
      + headers.map { $0 + "\r\n" }.joined() + "\r\n"
  }

  static func post(_ path: String, length: Int) -> String {
    "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(length)\r\n\r\n"
  }

  @Test func `a request is answered on the Unix socket and on loopback`() async throws {
    let server = try ServiceUnderTest()
    for client in [try server.unix(), try server.tcp()] {
      client.send(Self.get("/a%20b/%C3%A9?x=1&y=a%20b&x=2"))
      let response = try await client.response()
      #expect(response.status == 200)
      #expect(response.body == "GET /a%20b/%C3%A9 [x=2,y=a b] none")
      #expect(response.head.lowercased().contains("x-content-type-options: nosniff"))
    }
    let origins = server.handler.seen.map(\.origin)
    #expect(origins == [.unixSocket, .loopback])
  }

  @Test func `the Unix socket is for the owner and the group`() async throws {
    let server = try ServiceUnderTest()
    var status = stat()
    #expect(stat(server.socketPath, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
  }

  @Test(arguments: ["GET /3 HTTP/1.1\r\nHost: a\r\n\r\n", "garbage", "\r\n", "\0"])
  func `a connection ends with its answer, whatever follows the request`(
    trailer: String
  ) async throws {
    let server = try ServiceUnderTest()
    for path in ["/x", "/large"] {
      for request in [Self.get(path), Self.post(path, length: 3) + "abc"] {
        let client = try server.unix()
        client.send(request + trailer)
        #expect(try await client.response().status == 200)
        try await client.read { _ in false }
        #expect(client.isClosed && client.received.isEmpty)
      }
    }
    let stream = try server.unix()
    stream.send(Self.get("/events") + trailer)
    try await stream.read { $0.contains("retry:") }
    server.events.publish(name: "n", data: [])
    try await stream.read { $0.contains("event: n") }
    let other = try server.unix()
    other.send(Self.get("/x"))
    #expect(try await other.response().status == 200)
  }

  @Test func `a slow handler holds up nobody else`() async throws {
    let server = try ServiceUnderTest()
    let (slow, fast) = (try server.unix(), try server.unix())
    slow.send(Self.get("/slow"))
    fast.send(Self.get("/fast"))
    #expect(try await fast.response().status == 200)
    server.handler.openGate()
    #expect(try await slow.response().body == "slow")
  }

  @Test func `a large response arrives whole`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send(Self.get("/large"))
    try await client.read { $0.utf8.count > 3_000_000 }
    #expect(try await client.response().body.utf8.count == 3_000_000)
  }

  @Test func `an empty answer is one`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send(Self.get("/empty"))
    #expect(try await client.response().status == 204)
  }

  @Test func `HEAD is GET without the body`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send("HEAD /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let text = try await client.read { _ in false }
    #expect(text.hasPrefix("HTTP/1.1 200"))
    #expect(text.hasSuffix("\r\n\r\n"))
  }

  @Test func `a socket file that a killed run left is replaced`() async throws {
    let path = "/tmp/tutti-http-left-\(getpid()).sock"
    let descriptor = open(path, O_CREAT | O_WRONLY, 0o600)
    close(descriptor)
    let service = try HTTPService(
      configuration: HTTPConfiguration(unixSocketPath: path), handler: Echo(),
      events: EventHub(boot: "b"), log: .discarding)
    let client = try RawClient(unixSocket: path)
    client.send(Self.get("/x"))
    #expect(try await client.response().status == 200)
    service.stop()
    unlink(path)
  }

  @Test func `a busy port is named`() async throws {
    let server = try ServiceUnderTest()
    let port = try #require(server.service.port)
    let error = #expect(throws: HTTPServiceError.self) {
      try HTTPService(
        configuration: HTTPConfiguration(loopbackPort: port), handler: Echo(),
        events: EventHub(boot: "b"), log: .discarding)
    }
    #expect(error?.description.contains("127.0.0.1:\(port)") == true)
    #expect(error?.description.contains("--port") == true)
  }

  @Test func `a path that no socket can have is named`() {
    let error = #expect(throws: HTTPServiceError.self) {
      try HTTPService(
        configuration: HTTPConfiguration(
          unixSocketPath: "/tmp/" + String(repeating: "x", count: 103)),
        handler: Echo(), events: EventHub(boot: "b"), log: .discarding)
    }
    #expect(error?.description.contains("too long") == true)
  }

  @Test func `stopping closes every connection`() async throws {
    let server = try ServiceUnderTest()
    let (idle, slow, stream) = (try server.unix(), try server.unix(), try server.unix())
    slow.send(Self.get("/slow"))
    stream.send(Self.get("/events"))
    try await stream.read { $0.contains("retry:") }
    #expect(throws: Never.self) {
      let other = try ServiceUnderTest()
      _ = other
    }
    _ = idle
    server.handler.openGate()
  }
}
