// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing
import WireProtocol

@Suite struct DatagramTests {
  /// `first` and `second` followed by zeros.
  private func kind(
    _ first: UInt8, _ second: UInt8 = 0, length: Int = 48, at role: NodeRole = .coordinator
  ) -> DatagramKind {
    let bytes = ([first, second] + Array(repeating: 0, count: 64)).prefix(length)
    return classifyDatagram(Array(bytes).span, at: role)
  }

  @Test func `version 2 is RTP, or RTCP from 192 to 223`() {
    for second in UInt8.min...UInt8.max {
      let expected: DatagramKind = (192...223).contains(second) ? .rtcp : .rtp
      #expect(kind(0x80, second) == expected)
      #expect(kind(0xBF, second, at: .speaker) == expected)
    }
  }

  @Test func `short datagrams are unknown`() {
    #expect(kind(0x80, 97, length: 12) == .rtp)
    #expect(kind(0x80, 97, length: 11) == .unknown)
    #expect(kind(0x80, 204, length: 8) == .rtcp)
    for length in 0..<8 { #expect(kind(0x80, 204, length: length) == .unknown) }
    #expect(kind(0x23, length: 47) == .unknown)
    #expect(kind(0x23, length: 48) == .ntpRequest)
  }

  @Test func `clock service listens to clients at a coordinator, to servers at a speaker`() {
    #expect(kind(0x23) == .ntpRequest)
    #expect(kind(0xE3, 16) == .ntpRequest, "a stock GStreamer client")
    #expect(kind(0x24) == .unknown)
    #expect(kind(0x24, at: .speaker) == .ntpReply)
    #expect(kind(0x23, at: .speaker) == .unknown)
    #expect(kind(0xE3, at: .speaker) == .unknown)
  }

  @Test func `every first byte has one meaning`() {
    for first in UInt8.min...UInt8.max where first >> 6 != 2 {
      #expect(kind(first) == (first & 7 == 3 ? .ntpRequest : .unknown))
      #expect(kind(first, at: .speaker) == (first & 7 == 4 ? .ntpReply : .unknown))
    }
  }
}
