// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import HTTPClient
import Testing

@Suite struct EventStreamParserTests {
  static let stream = """
    : heartbeat

    id: boot-1
    event: room
    data: {"a":1}

    data: two
    data: lines
    unknown: field

    event: nothing

    data:

    """

  private func events(_ text: String, portion: Int) -> [ServerEvent] {
    var parser = EventStreamParser()
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: portion).flatMap {
      parser.append(bytes[$0..<min($0 + portion, bytes.count)])
    }
  }

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `events come out whole however the bytes came in`(portion: Int) {
    let found = events(Self.stream + "\n", portion: portion)
    #expect(found.count == 3)
    #expect(found.map(\.name) == ["room", "message", "message"])
    #expect(
      found.map { String(decoding: $0.data, as: UTF8.self) } == ["{\"a\":1}", "two\nlines", ""])
    #expect(found.map(\.id) == ["boot-1", "boot-1", "boot-1"])
  }

  @Test(arguments: ["\r\n", "\r", "\n"])
  func `every line end of the standard is taken`(end: String) {
    let text = ["event: a", "data: 1", "", "data: 2", "", ""].joined(separator: end)
    #expect(events(text, portion: 1).map(\.name) == ["a", "message"])
  }

  @Test func `random bytes never trap`() {
    var random = SystemRandomNumberGenerator()
    var parser = EventStreamParser()
    let alphabet = Array(":\r\n dataeventid\u{0}".utf8) + [0xFF, 0xC3]
    for _ in 0..<200 {
      _ = parser.append((0..<100).map { _ in alphabet.randomElement(using: &random) ?? 0 })
    }
  }
}

@Suite struct ServerAddressTests {
  @Test(arguments: ["unix:/run/tutti.sock", "http://nas:7700", "https://nas.local"])
  func `an address survives the way through text`(text: String) {
    #expect(ServerAddress(text)?.description == text)
  }

  @Test(arguments: ["", "unix:", "nas:7700", "ftp://nas", "http://"])
  func `what is no address is refused`(text: String) {
    #expect(ServerAddress(text) == nil)
  }

  @Test func `a trailing slash does not count`() {
    #expect(ServerAddress("http://nas:7700/") == .url("http://nas:7700"))
  }

  @Test func `nobody there is said with the address`() throws {
    let client = try HTTPClient(server: .unix(path: "/nowhere/control.sock"))
    let error = #expect(throws: HTTPClientError.self) { try client.get("/api/v1/state") }
    #expect(error?.description.contains("/nowhere/control.sock") == true)
  }
}
