// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Testing

@Suite struct TCPStreamTests {
  private func wait(_ descriptor: Int32, for interest: Poller.Interest) throws {
    let poller = try Poller()
    try poller.add(descriptor, for: interest, token: 1)
    poller.wait(until: LocalClock.now() + .seconds(2)) { _ in }
  }

  @Test func `octets go both ways and the end is seen`() throws {
    let listener = try TCPListener(binding: .loopback(port: 0))
    var client: TCPStream? = try TCPStream(connectingTo: listener.localAddress)
    let descriptor = try #require(client?.descriptor)
    try wait(descriptor, for: .writable)
    try client?.finishConnecting()
    try wait(listener.descriptor, for: .readable)
    let (server, peer) = try #require(listener.accept())
    #expect(peer == client?.localAddress)
    #expect(server.peer == peer)
    #expect(listener.accept()?.peer == nil)

    var buffer = [UInt8](repeating: 0, count: 16)
    #expect(try server.receive(into: &buffer) == .wouldBlock)
    #expect(try client?.send([1, 2, 3]) == 3)
    try wait(server.descriptor, for: .readable)
    #expect(try server.receive(into: &buffer) == .bytes(3))
    #expect(buffer.prefix(3) == [1, 2, 3])
    client = nil
    try wait(server.descriptor, for: .readable)
    #expect(try server.receive(into: &buffer) == .ended)
  }

  @Test func `nobody listening is reported`() throws {
    let address = try TCPListener(binding: .loopback(port: 0)).localAddress
    let error = #expect(throws: NetworkError.self) {
      let client = try TCPStream(connectingTo: address)
      try wait(client.descriptor, for: .writable)
      try client.finishConnecting()
    }
    #expect(error?.description.contains("refused") == true)
  }

  @Test func `a port in use is named`() throws {
    let first = try TCPListener(binding: .loopback(port: 0))
    let error = #expect(throws: NetworkError.self) {
      try TCPListener(binding: first.localAddress)
    }
    #expect(error?.description.contains("TCP port \(first.localAddress.port)") == true)
  }

  @Test func `a full peer takes part of the octets`() throws {
    let listener = try TCPListener(binding: .loopback(port: 0))
    let client = try TCPStream(connectingTo: listener.localAddress)
    try wait(client.descriptor, for: .writable)
    let big = [UInt8](repeating: 1, count: 64 << 20)
    var sent = try client.send(big[...])
    while true {
      let more = try client.send(big[...])
      if more == 0 { break }
      sent += more
    }
    #expect(sent > 0)
  }
}
