// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import LinuxNetworking
import SecureLink
import Testing
import WireProtocol

@Suite struct ControlLinkTests {
  private let hello = ControlMessage.hello(
    Hello(
      nodeID: Array(repeating: 7, count: 32), name: "Kitchen", role: .speaker,
      softwareVersion: "1", udpPort: 7701))

  @Test func `messages go both ways in order`() throws {
    let pair = try LinkPair()
    #expect(try pair.near.readable().isEmpty)
    try pair.near.send(hello)
    try pair.near.send(.ping(1))
    var received: [ControlMessage] = []
    while received.count < 2 {
      try LinkPair.wait(for: pair.far)
      received += try pair.far.readable()
    }
    #expect(received == [hello, .ping(1)])
    try pair.far.send(.pong(1))
    try LinkPair.wait(for: pair.near)
    #expect(try pair.near.readable() == [.pong(1)])
  }

  @Test func `the last words before the end are heard`() throws {
    let pair = try LinkPair()
    try pair.far.send(.goodbye(Goodbye(reason: .shuttingDown)))
    shutdown(pair)
    try LinkPair.wait(for: pair.near)
    #expect(try pair.near.readable() == [.goodbye(Goodbye(reason: .shuttingDown))])
    try LinkPair.wait(for: pair.near)
    #expect(throws: LinkError.closedByPeer) { try pair.near.readable() }
  }

  @Test func `a stranger on the port is told from a peer`() throws {
    let pair = try LinkPair()
    _ = try pair.farStream.send(Array("GET / HTTP/1.1\r\n\r\n".utf8)[...])
    try LinkPair.wait(for: pair.near)
    let error = #expect(throws: LinkError.self) { try pair.near.readable() }
    #expect(error == .malformed(.frameTooLarge(bytes: 0x4745_5420)))
    #expect(error?.description.contains("does not speak") == true)
  }

  @Test func `a peer that does not read is given up, one that reads late gets everything`() throws {
    let pair = try LinkPair()
    let report = ControlMessage.refusal(
      Refusal(reason: .other, detail: String(repeating: "x", count: 1_000)))
    var sent = 0
    let error = #expect(throws: LinkError.self) {
      while true {
        try pair.near.send(report)
        sent += 1
      }
    }
    guard case .peerDoesNotRead(let waiting) = error else {
      Issue.record("ended with \(String(describing: error))")
      return
    }
    #expect(waiting >= ControlLink.outboxLimit && waiting < ControlLink.outboxLimit + 2_000)
    #expect(pair.near.wantsToWrite)
    var received = 0
    while received < sent {
      try LinkPair.wait(for: pair.far)
      received += try pair.far.readable().count
      try pair.near.writable()
    }
    #expect(received == sent)
    #expect(!pair.near.wantsToWrite)
  }

  /// Ends the far side's sending, as a closing program does.
  private func shutdown(_ pair: LinkPair) {
    Glibc.shutdown(pair.far.descriptor, Int32(SHUT_WR))
  }
}
