// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import HTTPService
import Testing

@testable import CoordinatorRuntime

@Suite struct PlayerPageTests {
  private func page(_ path: String, method: String = "GET") -> HTTPResponse? {
    CoordinatorAPI.page(HTTPRequest(method: method, path: path))
  }

  private func header(_ name: String, of response: HTTPResponse?) -> String? {
    response?.headers.first { $0.name == name }?.value
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/player.js", "text/javascript; charset=utf-8"),
    ("/player.css", "text/css; charset=utf-8"), ("/icon.svg", "image/svg+xml"),
  ])
  func `each file comes with its type and the policy`(path: String, type: String) {
    let response = page(path)
    #expect(response?.status == 200)
    #expect(header("Content-Type", of: response) == type)
    let policy = header("Content-Security-Policy", of: response) ?? ""
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'"))
    #expect(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"))
  }

  @Test func `the page names no other host and keeps script and style out of its text`() throws {
    for path in ["/", "/player.js", "/player.css"] {
      guard case .bytes(let bytes) = page(path)?.body else { throw Missing() }
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(!text.contains("http://") && !text.contains("https://"), "\(path)")
      #expect(path != "/" || (!text.contains("style=") && !text.contains("onclick")))
    }
  }

  @Test func `other addresses are not the page's, and it is only read`() {
    #expect(page("/api/v1/state") == nil)
    #expect(page("/index.html") == nil)
    #expect(page("/", method: "POST")?.status == 405)
    #expect(page("/", method: "HEAD")?.status == 200)
  }

  private struct Missing: Error {}
}
