// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Testing

@Suite struct UDPSocketTests {
  /// Waits until `socket` has something, at most two seconds.
  private func awaitReadable(_ socket: UDPSocket) throws {
    let poller = try Poller()
    try poller.add(socket.descriptor, for: .readable, token: 1)
    poller.wait(until: LocalClock.now() + .seconds(2)) { _ in }
  }

  @Test func `a batch arrives in order, from the sender, with its bytes`() throws {
    let receiver = try UDPSocket(binding: .loopback(port: 0))
    let sender = try UDPSocket(binding: .loopback(port: 0))
    var batch = DatagramBatch()
    for value in UInt8(0)..<40 {
      batch.append([value, value ^ 0xff], to: receiver.localAddress, .audio)
    }
    #expect(sender.send(&batch) == 40)
    #expect(batch.isEmpty)
    try awaitReadable(receiver)
    var inbox = DatagramInbox(slots: 16)
    var firsts: [UInt8] = []
    var senders: Set<SocketAddress> = []
    for _ in 0..<3 {
      try inbox.receive(from: receiver) { bytes, address, _ in
        firsts.append(bytes[0])
        #expect(bytes.count == 2 && bytes[1] == bytes[0] ^ 0xff)
        senders.insert(address)
      }
    }
    #expect(firsts == Array(0..<40))
    #expect(senders == [sender.localAddress])
  }

  @Test func `the arrival is the kernel's, however late the reader`() throws {
    let receiver = try UDPSocket(binding: .loopback(port: 0))
    let sender = try UDPSocket(binding: .loopback(port: 0))
    let nothing = try Poller()
    var inbox = DatagramInbox()
    var best = Nanoseconds.seconds(1)
    // The kernel turns its stamps on a little after the first socket asked: hence the rounds.
    for _ in 0..<20 where best > .milliseconds(4) {
      let before = LocalClock.now()
      sender.send([1], to: receiver.localAddress, .clock)
      nothing.wait(until: LocalClock.now() + .milliseconds(8)) { _ in }
      try inbox.receive(from: receiver) { _, _, arrival in
        #expect(arrival >= before - .microseconds(50))
        best = min(best, arrival - before)
      }
    }
    #expect(best < .milliseconds(4))
  }

  @Test func `a wildcard socket serves IPv4 and IPv6 peers`() throws {
    let receiver = try UDPSocket(binding: .any(port: 0))
    let port = receiver.localAddress.port
    let four = try UDPSocket(binding: .loopback(port: 0))
    four.send([4], to: .loopback(port: port), .clock)
    try awaitReadable(receiver)
    var inbox = DatagramInbox()
    var seen: [SocketAddress] = []
    try inbox.receive(from: receiver) { _, address, _ in seen.append(address) }
    #expect(seen == [four.localAddress])
    guard let six = try? UDPSocket(binding: SocketAddress(literal: "[::1]")) else {
      return  // The host has no IPv6.
    }
    six.send([6], to: SocketAddress(high: 0, low: 1, port: port), .audio)
    try awaitReadable(receiver)
    seen = []
    try inbox.receive(from: receiver) { _, address, _ in seen.append(address) }
    #expect(seen == [six.localAddress])
  }

  @Test func `one unreachable address does not stop the rest of a batch`() throws {
    let receiver = try UDPSocket(binding: .loopback(port: 0))
    let sender = try UDPSocket(binding: .loopback(port: 0))
    var batch = DatagramBatch()
    batch.append([1], to: receiver.localAddress, .audio)
    batch.append([2], to: .loopback(port: 0), .audio)
    batch.append([3], to: receiver.localAddress, .audio)
    #expect(sender.send(&batch) == 2)
  }

  @Test func `a port in use is named, with what to do`() throws {
    let first = try UDPSocket(binding: .loopback(port: 0))
    let port = first.localAddress.port
    let error = #expect(throws: NetworkError.self) {
      try UDPSocket(binding: .loopback(port: port))
    }
    #expect(error?.isAddressInUse == true)
    #expect(error?.description.contains("UDP port \(port)") == true)
    #expect(error?.description.contains("--port") == true)
  }

  @Test func `a datagram longer than a slot is dropped and counted`() throws {
    let receiver = try UDPSocket(binding: .loopback(port: 0))
    let sender = try UDPSocket(binding: .loopback(port: 0))
    sender.send([UInt8](repeating: 7, count: 300), to: receiver.localAddress, .audio)
    try awaitReadable(receiver)
    var inbox = DatagramInbox(slots: 4, slotBytes: 128)
    var count = 0
    try inbox.receive(from: receiver) { _, _, _ in count += 1 }
    #expect(count == 0)
    #expect(inbox.oversized == 1)
  }
}
