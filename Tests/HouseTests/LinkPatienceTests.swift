// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import House
import Testing

private func at(_ milliseconds: Int64) -> LocalInstant {
  LocalInstant(nanoseconds: milliseconds * 1_000_000)
}

@Suite struct LinkPatienceTests {
  @Test func `a silent link is asked each second and given up after three`() {
    var keepalive = LinkKeepalive(at: at(0))
    #expect(keepalive.verdict(at: at(0)) == .wait(until: at(1_000)))
    #expect(keepalive.verdict(at: at(1_000)) == .ping)
    #expect(keepalive.verdict(at: at(1_001)) == .wait(until: at(2_000)))
    #expect(keepalive.verdict(at: at(2_500)) == .ping)
    #expect(keepalive.verdict(at: at(2_600)) == .wait(until: at(3_000)))
    #expect(keepalive.verdict(at: at(3_000)) == .dead)
  }

  @Test func `a link on which something comes lives on`() {
    var keepalive = LinkKeepalive(at: at(0))
    for second in Int64(1)...60 {
      keepalive.heard(at: at(second * 1_000))
      #expect(keepalive.verdict(at: at(second * 1_000)) == .ping)
    }
    #expect(keepalive.verdict(at: at(62_999)) == .ping)
    #expect(keepalive.verdict(at: at(63_000)) == .dead)
  }

  @Test func `who stood still himself blames nobody for the silence`() {
    var keepalive = LinkKeepalive(at: at(0))
    for half in Int64(1)...6 {
      keepalive.heard(at: at(half * 500))
      _ = keepalive.verdict(at: at(half * 500))
    }
    // Eight seconds without a look: what came meanwhile has not been read yet.
    #expect(keepalive.verdict(at: at(11_000)) == .ping)
    #expect(keepalive.verdict(at: at(12_900)) == .ping)
    // But who is still silent then is dead, three seconds after the time that was watched.
    #expect(keepalive.verdict(at: at(13_000)) == .dead)
  }

  @Test func `a link is silent before it is dead`() {
    var keepalive = LinkKeepalive(at: at(0))
    #expect(!keepalive.isSilent(at: at(1_500)))
    #expect(keepalive.isSilent(at: at(1_501)))
    keepalive.heard(at: at(1_600))
    #expect(!keepalive.isSilent(at: at(3_000)))
  }

  @Test func `a speaker that was there lately is called often`() {
    var backoff = RedialBackoff()
    backoff.lost(at: at(0))
    var now = at(0)
    var longest = Nanoseconds.zero
    while now < at(29_000) {
      let next = backoff.nextCall(after: now)
      longest = max(longest, next - now)
      now = next
    }
    #expect(longest == .milliseconds(400))
  }

  @Test func `a speaker that stays away is called every five seconds`() {
    var backoff = RedialBackoff()
    let pauses = (0..<8).map { _ in (backoff.nextCall(after: at(0)) - at(0)).inMilliseconds }
    #expect(pauses == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
    backoff.succeeded()
    #expect(backoff.nextCall(after: at(0)) == at(100))
  }
}
