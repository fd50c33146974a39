// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Testing

@Suite struct TransmitStampTests {
  let receiver: UDPSocket
  let sender: UDPSocket

  init() throws {
    receiver = try UDPSocket(binding: .loopback(port: 0))
    sender = try UDPSocket(binding: .any(port: 0))
    sender.allowTransmitStamps()
  }

  func payload(_ tail: UInt8) -> [UInt8] {
    [UInt8](repeating: 0x23, count: 40) + [1, 2, 3, 4, 5, 6, 7, tail]
  }

  @Test func `a stamped datagram is known by its tail and left during the call`() throws {
    for tail in UInt8(0)..<8 {
      let before = LocalClock.now()
      #expect(sender.sendStamped(payload(tail), to: receiver.localAddress, .clock))
      let after = LocalClock.now()
      let left = sender.takeTransmissions()
      #expect(left.count == 1)
      let first = try #require(left.first)
      #expect(first.tail == 0x0102_0304_0506_0700 + UInt64(tail))
      #expect(first.moment >= before && first.moment <= after)
    }
    var count = 0
    var inbox = DatagramInbox()
    try inbox.receive(from: receiver) { bytes, _, _ in
      #expect(bytes.count == 48)
      count += 1
    }
    #expect(count == 8)
  }

  @Test func `other datagrams are not stamped, and receive stamps stay`() throws {
    sender.send(payload(1), to: receiver.localAddress, .audio)
    #expect(sender.takeTransmissions().isEmpty)
    receiver.allowTransmitStamps()
    let before = LocalClock.now()
    sender.send(payload(2), to: receiver.localAddress, .audio)
    let after = LocalClock.now()
    var arrivals: [LocalInstant] = []
    var inbox = DatagramInbox()
    try inbox.receive(from: receiver) { _, _, arrival in arrivals.append(arrival) }
    #expect(arrivals.count == 2)
    #expect(arrivals.last.map { $0 >= before - .microseconds(50) && $0 <= after } == true)
    #expect(inbox.stampsRefused == 0)
  }
}
