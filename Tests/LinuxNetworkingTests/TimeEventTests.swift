// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import CLinux
import Synchronization
import Testing

@testable import LinuxNetworking

/// Real sockets and real kernel stamps under a time of day that somebody changes.
@Suite struct TimeEventTests {
  /// The host's time of day and what was added to it.
  final class TurnedDay: Sendable {
    let added = Mutex<Int64>(0)
    var clock: @Sendable () -> Int64 { { self.added.withLock { $0 } + tutti_realtime_ns() } }
  }

  let day = TurnedDay()
  let sender: UDPSocket
  let receiver: UDPSocket

  init() throws {
    sender = try UDPSocket(binding: .loopback(port: 0))
    receiver = try UDPSocket(binding: .loopback(port: 0))
  }

  /// Sends a packet, lets `waiting` pass, reads it; the times before it was sent and after it was
  /// there, and the arrival that it was given.
  func pass(
    _ inbox: inout DatagramInbox, waiting: Nanoseconds = .zero, meanwhile: () -> Void = {}
  ) throws -> (sent: LocalInstant, arrival: LocalInstant, read: LocalInstant) {
    let poller = try Poller()
    let sent = LocalClock.now()
    sender.send([1], to: receiver.localAddress, .clock)
    try poller.add(receiver.descriptor, for: .readable, token: 1)
    poller.wait(until: LocalClock.now() + .seconds(2)) { _ in }
    meanwhile()
    if waiting > .zero {
      poller.remove(receiver.descriptor)
      poller.wait(until: LocalClock.now() + waiting) { _ in }
    }
    var arrival: LocalInstant?
    try inbox.receive(from: receiver) { _, _, at in arrival = at }
    return (sent, try #require(arrival), LocalClock.now())
  }

  @Test(arguments: [3_600_000_000_000, -3_600_000_000_000, 5_000_000, -5_000_000] as [Int64])
  func `a time of day set between stamp and reading never gives a wrong arrival`(
    step: Int64
  ) throws {
    var inbox = DatagramInbox(realtime: day.clock)
    for _ in 0..<3 { _ = try pass(&inbox) }
    #expect(inbox.stampsRefused == 0)
    let stepped = try pass(&inbox, meanwhile: { day.added.withLock { $0 += step } })
    #expect(inbox.stampsRefused == 1)
    #expect(stepped.arrival >= stepped.sent && stepped.arrival <= stepped.read)
    // From then on the time of day is what it is: kernel stamps of the new one would be right. Here
    // they are still of the old, and therefore from far away or the future.
    for _ in 0..<3 {
      let next = try pass(&inbox)
      #expect(next.arrival >= next.sent - .milliseconds(10) && next.arrival <= next.read)
    }
  }

  @Test func `a slewed time of day moves no arrival`() throws {
    var inbox = DatagramInbox(realtime: day.clock)
    var last = LocalClock.now()
    for _ in 0..<50 {
      let now = LocalClock.now()
      // 500 ppm, and the stamps are of it.
      day.added.withLock { $0 += (now - last).count / 2_000 }
      last = now
      let packet = try pass(&inbox)
      #expect(packet.arrival >= packet.sent - .microseconds(300))
      #expect(packet.arrival <= packet.read)
    }
  }

  @Test func `a reader that was held up still learns when packets arrived`() throws {
    var inbox = DatagramInbox()
    _ = try pass(&inbox)
    let late = try pass(&inbox, waiting: .milliseconds(150))
    #expect(late.arrival >= late.sent - .microseconds(50))
    #expect(late.read - late.arrival > .milliseconds(149))
    #expect(inbox.stampsRefused == 0)
  }

  @Test func `a sleep of the host is noticed once, a preempted reading is none`() {
    let reading = SleepReading()
    var watch = SleepWatch(read: { reading.total.withLock { $0 } })
    #expect(watch.slept() == nil)
    reading.total.withLock { $0 = -90_000_000...5_100 }
    #expect(watch.slept() == nil)
    reading.total.withLock { $0 = 600_000_005_000...600_000_005_100 }
    #expect(watch.slept().map { $0 >= .seconds(600) - .microseconds(1) } == true)
    #expect(watch.slept() == nil)
  }

  @Test func `this host is awake`() {
    var watch = SleepWatch()
    #expect(watch.slept() == nil)
    #expect(SleepWatch.total().lowerBound >= -1_000_000_000)
  }
}

/// How long a made-up host has slept.
final class SleepReading: Sendable {
  let total = Mutex<ClosedRange<Int64>>(5_000...5_100)
}
