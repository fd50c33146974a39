// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import LinuxNetworking
import Synchronization
import Testing

@Suite struct PollerTests {
  @Test func `a deadline ends the wait, not before it`() throws {
    let poller = try Poller()
    let deadline = LocalClock.now() + .milliseconds(20)
    let isWoken = poller.wait(until: deadline) { _ in }
    #expect(!isWoken)
    // RAW and MONOTONIC may part by 500 ppm while waiting.
    #expect(LocalClock.now() >= deadline - .microseconds(20))
  }

  @Test func `a past deadline polls`() throws {
    let poller = try Poller()
    #expect(!poller.wait(until: LocalInstant(nanoseconds: 0)) { _ in })
  }

  @Test func `a wake before the wait is not lost`() throws {
    let poller = try Poller()
    poller.wake()
    #expect(poller.wait(until: nil) { _ in })
    #expect(!poller.wait(until: LocalClock.now()) { _ in })
  }

  @Test func `events carry the token until removed`() throws {
    let poller = try Poller()
    let socket = try UDPSocket(binding: .loopback(port: 0))
    try poller.add(socket.descriptor, for: .readable, token: 42)
    socket.send([1], to: socket.localAddress, .bestEffort)
    var tokens: [UInt64] = []
    poller.wait(until: LocalClock.now() + .seconds(1)) { tokens.append($0.token) }
    #expect(tokens == [42])
    try poller.change(socket.descriptor, to: .writable, token: 43)
    poller.wait(until: LocalClock.now() + .seconds(1)) { tokens.append($0.token) }
    #expect(tokens == [42, 43])
    poller.remove(socket.descriptor)
    poller.wait(until: LocalClock.now()) { tokens.append($0.token) }
    #expect(tokens == [42, 43])
  }
}

/// An actor that lives on a loop.
private actor Resident {
  let loop: LoopExecutor
  var count = 0

  init(loop: LoopExecutor) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func increment() -> Int {
    count += 1
    return count
  }

  /// The datagrams that `socket` receives, counted on the loop by way of `assumeIsolated`.
  func watch(_ socket: UDPSocket, _ done: @escaping @Sendable (Int) -> Void) throws {
    _ = try loop.watch(socket.descriptor, for: .readable) { [self] _ in
      assumeIsolated { resident in
        var inbox = DatagramInbox(slots: 1)
        _ = try? inbox.receive(from: socket) { _, _, _ in }
        done(resident.increment())
      }
    }
  }
}

@Suite struct LoopExecutorTests {
  @Test func `an actor's jobs run on the loop, in turn`() async throws {
    let loop = try LoopExecutor(name: "test-loop")
    let resident = Resident(loop: loop)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<50 { group.addTask { _ = await resident.increment() } }
    }
    #expect(await resident.count == 50)
    loop.stop()
  }

  @Test func `a socket's handler is isolated to the actor`() async throws {
    let loop = try LoopExecutor(name: "test-loop")
    let resident = Resident(loop: loop)
    let socket = try UDPSocket(binding: .loopback(port: 0))
    let counts = AsyncStream<Int> { continuation in
      Task { try await resident.watch(socket) { continuation.yield($0) } }
    }
    socket.send([1], to: socket.localAddress, .bestEffort)
    socket.send([2], to: socket.localAddress, .bestEffort)
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      if seen.count == 2 { break }
    }
    #expect(seen == [1, 2])
    loop.stop()
  }

  @Test func `timers fire in the order of their deadlines, cancelled ones never`() async throws {
    let loop = try LoopExecutor(name: "test-loop")
    let now = LocalClock.now()
    let order = AsyncStream<Int> { continuation in
      loop.schedule(at: now + .milliseconds(20)) { continuation.finish() }
      loop.schedule(at: now + .milliseconds(10)) { continuation.yield(2) }
      let cancelled = loop.schedule(at: now + .milliseconds(8)) { continuation.yield(99) }
      loop.schedule(at: now + .milliseconds(5)) { continuation.yield(1) }
      loop.cancel(cancelled)
    }
    #expect(await order.reduce(into: []) { $0.append($1) } == [1, 2])
    loop.stop()
  }

  @Test func `the loop knows its own thread`() async throws {
    let loop = try LoopExecutor(name: "test-loop")
    #expect(loop.isIsolatingCurrentContext() == false)
    let inside = await withCheckedContinuation { continuation in
      loop.schedule(at: LocalClock.now()) {
        continuation.resume(returning: loop.isIsolatingCurrentContext())
      }
    }
    #expect(inside == true)
    loop.stop()
  }
}
