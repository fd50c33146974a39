// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import HTTPClient
import HTTPService
import Synchronization
import Testing

/// The two ends of the API over real sockets.
@Suite struct ClientAndServiceHTTPClientTests {
  @Test(arguments: [true, false])
  func `documents go both ways`(overUnixSocket: Bool) async throws {
    let house = try HouseUnderTest()
    let server = overUnixSocket ? house.unix : house.loopback
    let texts = try await onThread {
      let client = try HTTPClient(server: server)
      let got = try client.get("/a?x=1")
      // The same client again: the service has ended the first connection.
      let posted = try client.post("/b", json: Array("{}".utf8))
      return [got, posted].map { String(decoding: $0.body, as: UTF8.self) }
    }
    #expect(texts == ["GET /a x=1 0", "POST /b x= 2"])
  }

  @Test func `a refusal arrives with its status and its words`() async throws {
    let house = try HouseUnderTest()
    let answer = try await onThread { [server = house.unix] in
      try HTTPClient(server: server).get("/refused")
    }
    #expect(answer.status == 409)
    #expect(String(decoding: answer.body, as: UTF8.self).contains("/problems/not-now"))
  }

  @Test func `a large answer arrives whole`() async throws {
    let house = try HouseUnderTest()
    let count = try await onThread { [server = house.loopback] in
      try HTTPClient(server: server).get("/large").body.count
    }
    #expect(count == HouseUnderTest.largeSize)
  }

  @Test func `a file is sent with its progress`() async throws {
    let house = try HouseUnderTest()
    let size = 5_000_000
    let file = try house.file(size: size)
    let (answer, last) = try await onThread { [server = house.unix] in
      let progress = Mutex<Int64>(0)
      let answer = try HTTPClient(server: server).upload("/upload?x=n", file: file) { sent, _ in
        progress.withLock { $0 = max($0, sent) }
      }
      return (answer, progress.withLock { $0 })
    }
    #expect(String(decoding: answer.body, as: UTF8.self) == "POST /upload x=n \(size)")
    #expect(last == Int64(size))
  }

  @Test func `an upload over the bound is refused in words`() async throws {
    let house = try HouseUnderTest()
    let file = try house.file(size: HouseUnderTest.uploadLimit + 1)
    for server in [house.unix, house.loopback] {
      let answer = try await onThread {
        try HTTPClient(server: server).upload("/upload", file: file) { _, _ in }
      }
      #expect(answer.status == 413)
      #expect(String(decoding: answer.body, as: UTF8.self).contains("/problems/too-large"))
    }
  }

  @Test func `a missing file is named and nothing is sent`() async throws {
    let house = try HouseUnderTest()
    await #expect(throws: HTTPClientError.self) {
      try await onThread { [server = house.unix] in
        try HTTPClient(server: server).upload("/upload", file: "/nowhere.wav") { _, _ in }.status
      }
    }
    #expect(house.handler.count == 0)
  }

  @Test func `events arrive in order, and again from where a listener left`() async throws {
    let house = try HouseUnderTest()
    for number in 1...3 { house.events.publish(name: "n", data: Array("\(number)".utf8)) }
    let events = try await onThread { [server = house.unix] in
      let seen = Mutex<[ServerEvent]>([])
      try HTTPClient(server: server).events("/events", lastEventID: "b1-1") { event in
        seen.withLock {
          $0.append(event)
          return $0.count < 2
        }
      }
      return seen.withLock { $0 }
    }
    #expect(events.map(\.name) == ["n", "n"])
    #expect(events.map(\.id) == ["b1-2", "b1-3"])
    #expect(events.map { String(decoding: $0.data, as: UTF8.self) } == ["2", "3"])
  }

  @Test func `nobody there is said so`() async throws {
    for server in [ServerAddress.unix(path: "/tmp/no-such.sock"), .url("http://127.0.0.1:1")] {
      let error = await #expect(throws: HTTPClientError.self) {
        try await onThread { try HTTPClient(server: server).get("/").status }
      }
      guard case .unreachable(server, _)? = error else {
        Issue.record("\(String(describing: error))")
        continue
      }
    }
  }
}
