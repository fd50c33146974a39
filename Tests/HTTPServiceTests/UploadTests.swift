// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import HTTPService
import Testing

@Suite struct UploadHTTPServiceTests {
  @Test func `an upload goes to a file that is gone afterwards`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send(HTTPServiceTests.post("/upload?name=a%20b.wav", length: 3_000_000))
    client.send([UInt8](repeating: 7, count: 3_000_000))
    let response = try await client.response()
    #expect(response.body == "POST /upload [name=a b.wav] file of 3000000, first 7")
    try await client.read { _ in false }
    #expect(rmdir(server.uploads) == 0)
  }

  @Test func `an upload that breaks off leaves nothing`() async throws {
    let server = try ServiceUnderTest()
    do {
      let client = try server.unix()
      client.send(HTTPServiceTests.post("/upload", length: 1_000_000))
      client.send([UInt8](repeating: 7, count: 500_000))
    }
    // The service notices in its own time: other requests are answered meanwhile.
    let end = RawClient.now() + 10
    var isGone = false
    while !isGone, RawClient.now() < end {
      let client = try server.unix()
      client.send(HTTPServiceTests.get("/x"))
      _ = try await client.response()
      isGone = rmdir(server.uploads) == 0
    }
    #expect(isGone)
    #expect(server.handler.seen.allSatisfy { $0.method == "GET" })
  }

  @Test func `an upload over the bound is refused`() async throws {
    var bounds = HTTPBounds()
    bounds.uploadBytes = 1_000
    let server = try ServiceUnderTest(bounds: bounds)
    let client = try server.unix()
    client.send(HTTPServiceTests.post("/upload", length: 1_001))
    #expect(try await client.response().status == 413)
  }

  @Test func `an empty upload is a request without a body`() async throws {
    let server = try ServiceUnderTest()
    let client = try server.unix()
    client.send(HTTPServiceTests.post("/upload", length: 0))
    #expect(try await client.response().body == "POST /upload [] none")
  }
}
