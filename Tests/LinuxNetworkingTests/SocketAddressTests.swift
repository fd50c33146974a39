// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import LinuxNetworking
import Testing

@Suite struct SocketAddressTests {
  @Test(arguments: [
    ("192.168.1.7", "192.168.1.7:7701"), ("192.168.1.7:80", "192.168.1.7:80"),
    ("::1", "[::1]:7701"), ("[::1]", "[::1]:7701"), ("[2001:db8::5]:9", "[2001:db8::5]:9"),
    ("::ffff:10.0.0.1", "10.0.0.1:7701"), ("fe80::1%lo", "[fe80::1%lo]:7701"),
  ])
  func `a literal is read and written`(text: String, written: String) throws {
    #expect(try SocketAddress(literal: text, defaultPort: 7_701).description == written)
  }

  @Test(arguments: ["", ":80", "[::1", "[::1]x", "1.2.3.4:0", "1.2.3.4:65536", "1.2.3.4:x"])
  func `nonsense is refused in words`(text: String) {
    let error = #expect(throws: ResolveError.self) {
      try SocketAddress.resolve(text, defaultPort: 1)
    }
    #expect(error?.description.contains("cannot find the host") == true)
  }

  @Test func `a name is no literal`() {
    #expect(throws: ResolveError.self) { try SocketAddress(literal: "localhost") }
  }

  @Test func `IPv4 compares equal in both forms`() throws {
    let plain = try SocketAddress(literal: "127.0.0.1:5")
    #expect(plain == .loopback(port: 5))
    #expect(plain == (try SocketAddress(literal: "[::ffff:127.0.0.1]:5")))
    #expect(plain.isIPv4 && plain.isLoopback)
    #expect(plain.with(port: 6).port == 6)
  }

  @Test func `random text never traps`() {
    var generator = SeededGenerator(state: 2)
    let alphabet = Array("[]:%.0123456789abcf\0 x")
    for _ in 0..<2_000 {
      let length = Int.random(in: 0..<24, using: &generator)
      let text = String(
        (0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
      _ = try? SocketAddress(literal: text)
      _ = try? SocketAddress.split(text, defaultPort: 1)
    }
  }
}

/// SplitMix64: the same addresses in every run.
private struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
    return value ^ (value >> 31)
  }
}
