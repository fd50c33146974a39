// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Testing

@testable import SpeakerRuntime

@Suite struct StreamSourceTests {
  private let home = SocketAddress.loopback(port: 7_700)
  private let elsewhere = SocketAddress.loopback(port: 7_800)

  private func at(_ milliseconds: Int64) -> LocalInstant {
    LocalInstant(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000)
  }

  @Test func `before an announcement nobody is followed`() {
    var source = StreamSource()
    #expect(source.heard(from: elsewhere, at: at(0)) == nil)
    #expect(source.address == nil)
  }

  @Test func `a stream that comes from elsewhere is followed once its place is silent`() {
    var source = StreamSource()
    source.announce(home, at: at(0))
    #expect(source.heard(from: home, at: at(20)) == nil)
    #expect(source.heard(from: elsewhere, at: at(219)) == nil)
    #expect(source.heard(from: elsewhere, at: at(220)) == elsewhere)
    #expect(source.address == elsewhere)
    #expect(source.heard(from: elsewhere, at: at(240)) == nil)
  }

  @Test func `while the coordinator sends, nobody takes its place`() {
    var source = StreamSource()
    source.announce(home, at: at(0))
    for packet in Int64(1)...500 {
      #expect(source.heard(from: home, at: at(packet * 20)) == nil)
      #expect(source.heard(from: elsewhere, at: at(packet * 20 + 1)) == nil)
    }
    #expect(source.address == home)
  }
}
