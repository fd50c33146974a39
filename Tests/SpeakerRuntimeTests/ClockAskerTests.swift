// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import DaemonProcess
import LinuxNetworking
import Synchronization
import Testing
import WireProtocol

@testable import SpeakerRuntime

/// The asking side over real sockets, with a coordinator of a few lines.
@Suite(.timeLimit(.minutes(1))) struct ClockAskerTests {
  /// How long this host has slept, as far as the asker knows.
  final class Bed: Sendable {
    let slept = Mutex<Int64>(0)
    var watch: SleepWatch { SleepWatch(read: { self.slept.withLock { $0...$0 } }) }
  }

  /// Answers with its host's clock and an offset.
  final class Service {
    let socket: UDPSocket
    var inbox = DatagramInbox()
    var clockID = ClockID(rawValue: 7)
    var offset: Int64 = 4_000_000_000_000_000_000
    var answered = 0

    init() throws { socket = try UDPSocket(binding: .loopback(port: 0)) }

    func answer() throws {
      var questions: [(NTPPacket, SocketAddress, LocalInstant)] = []
      try inbox.receive(from: socket) { bytes, from, arrival in
        if let packet = try? NTPPacket.parse(bytes) { questions.append((packet, from, arrival)) }
      }
      for (question, from, arrival) in questions {
        answered += 1
        let reply = clockReply(
          to: question, received: media(arrival), transmitted: media(LocalClock.now()),
          clockID: clockID)
        socket.send(reply.encode(), to: from, .clock)
      }
    }

    func media(_ local: LocalInstant) -> MediaInstant {
      MediaInstant(nanosecondsSince1900: local.nanoseconds + offset)
    }
  }

  let socket: UDPSocket
  let bed = Bed()

  init() throws {
    socket = try UDPSocket(binding: .loopback(port: 0))
    socket.allowTransmitStamps()
  }

  /// Asks and answers until the clock is settled.
  func settle(_ asker: inout ClockAsker, _ service: Service) throws {
    let poller = try Poller()
    var inbox = DatagramInbox()
    try poller.add(socket.descriptor, for: .readable, token: 1)
    try poller.add(service.socket.descriptor, for: .readable, token: 2)
    let end = LocalClock.now() + .seconds(5)
    while LocalClock.now() < end {
      asker.sendDue(by: socket)
      poller.wait(until: min(end, asker.nextDeadline ?? end)) { _ in }
      try service.answer()
      var news = false
      try inbox.receive(from: socket) { bytes, _, arrival in
        news = asker.receive(bytes, at: arrival) || news
      }
      if asker.isSettled { return }
    }
    Issue.record("never settled")
  }

  func error(of asker: ClockAsker, _ service: Service) -> Nanoseconds? {
    let now = LocalClock.now()
    return asker.map(of: service.clockID, at: now).map {
      ($0.media(at: now) - service.media(now)).magnitude
    }
  }

  @Test func `a sleep of this host is noticed, and the clock found again where it is now`() throws {
    let service = try Service()
    var asker = ClockAsker(log: .discarding, sleep: bed.watch)
    asker.ask(service.socket.localAddress, prior: nil)
    try settle(&asker, service)
    #expect(error(of: asker, service).map { $0 < .milliseconds(1) } == true)
    #expect(asker.noticeSleep() == false)
    bed.slept.withLock { $0 += 600_000_000_000 }
    service.offset += 600_000_000_000
    #expect(asker.noticeSleep() == true)
    #expect(!asker.isSettled && asker.map(of: service.clockID, at: LocalClock.now()) == nil)
    #expect(asker.noticeSleep() == false)
    try settle(&asker, service)
    #expect(error(of: asker, service).map { $0 < .milliseconds(1) } == true)
    #expect(asker.client?.steps == 0)
  }

  @Test func `a coordinator that moved is asked at its new address at once`() throws {
    let old = try Service()
    let new = try Service()
    var asker = ClockAsker(log: .discarding, sleep: bed.watch)
    asker.ask(old.socket.localAddress, prior: nil)
    try settle(&asker, old)
    asker.ask(new.socket.localAddress, prior: nil)
    #expect(asker.isSettled, "the clock is known meanwhile")
    #expect(asker.nextDeadline.map { $0 <= LocalClock.now() } == true)
    try settle(&asker, new)
    asker.sendDue(by: socket)
    try new.answer()
    #expect(new.answered >= 1)
    #expect(error(of: asker, new).map { $0 < .milliseconds(1) } == true)
  }
}
