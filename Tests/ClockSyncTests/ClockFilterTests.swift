// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Testing

@Suite struct ClockFilterTests {
  /// Errors in microseconds of a minute after `settling` seconds, four times a second.
  func errors(
    of path: inout VirtualPath, settling: Double = 5, client: inout ClockClient
  ) -> [Double] {
    path.serve(&client, seconds: settling)
    var errors: [Double] = []
    for _ in 0..<240 {
      path.serve(&client, seconds: 0.25)
      if let map = client.map(at: path.local) { errors.append(abs(path.error(of: map))) }
    }
    return errors
  }

  @Test(arguments: [(1, 12), (2, -18), (3, 25), (4, 100), (5, -100)] as [(UInt64, Double)])
  func `noise: on a wired network the error stays below 8 microseconds`(
    seed: UInt64, hostPPM: Double
  ) {
    var path = VirtualPath(seed: seed, hostPPM: hostPPM, delay: VirtualPath.lan)
    var client = ClockClient(seed: seed)
    let errors = errors(of: &path, client: &client)
    let (p50, p99) = (percentile(0.5, of: errors), percentile(0.99, of: errors))
    print("wired, seed \(seed): p50 \(p50) p99 \(p99) us")
    #expect(p99 < 8)
    #expect(abs(client.frequency.value + hostPPM) < 1)
  }

  @Test func `ramp: a host that drifts by 20 ppm in five minutes is followed`() {
    var path = VirtualPath(seed: 21, hostPPM: 0, delay: VirtualPath.lan)
    var client = ClockClient(seed: 21)
    path.serve(&client, seconds: 10)
    var errors: [Double] = []
    path.ramp = 20e-6 / 300
    for _ in 0..<1200 {
      path.serve(&client, seconds: 0.25)
      if let map = client.map(at: path.local) { errors.append(abs(path.error(of: map))) }
    }
    print("ramp: p99 \(percentile(0.99, of: errors)) us")
    #expect(percentile(0.99, of: errors) < 12)
  }

  @Test func `step: an unannounced step is followed within two bursts and keeps the frequency`() {
    var path = VirtualPath(seed: 31, hostPPM: 25, delay: VirtualPath.lan)
    var client = ClockClient(seed: 31)
    path.serve(&client, seconds: 20)
    path.stepHost(0.005)
    path.serve(&client, seconds: 2.5)
    #expect(client.steps == 1)
    #expect(client.map.map { abs(path.error(of: $0)) < 50 } == true)
    #expect(abs(client.frequency.value + 25) < 1)
  }

  @Test func `outlier: one wild reading hardly moves the estimate`() {
    var path = VirtualPath(seed: 41, hostPPM: 12, delay: VirtualPath.lan)
    var client = ClockClient(seed: 41)
    path.serve(&client, seconds: 20)
    let before = client.map.map { path.error(of: $0) } ?? .nan
    var filter = ClockFilter()
    for _ in 0..<64 {
      path.pass(0.1)
      _ = filter.receive(path.exchange(), clockID: path.clockID)
    }
    var wild = path.exchange()
    wild.received = wild.received + .milliseconds(20)
    wild.transmitted = wild.transmitted + .milliseconds(20)
    let error = filter.map(at: path.local).map { path.error(of: $0) } ?? .nan
    let outcome = filter.receive(wild, clockID: path.clockID)
    #expect(outcome == .doubted)
    let after = filter.map(at: path.local).map { path.error(of: $0) } ?? .nan
    #expect(abs(before) < 20)
    #expect(abs(after - error) < 1)
    #expect(filter.steps == 0)
  }

  @Test func `asymmetry: 8 ms there and 1 ms back is wrong by 3.5 ms and the bound says so`() {
    var path = VirtualPath(seed: 51, delay: { 8e-3 + 20e-6 * $0.unit() })
    path.backDelay = { 1e-3 + 20e-6 * $0.unit() }
    var client = ClockClient(seed: 51)
    path.serve(&client, seconds: 10)
    let map = client.map(at: path.local)
    let error = map.map { path.error(of: $0) } ?? .nan
    #expect(abs(error - 3_500) < 30)
    #expect(map.map { $0.bound.inMicroseconds > abs(error) } == true)
    #expect(map.map { $0.bound.inMicroseconds < 4_600 } == true)
  }

  @Test func `a route that became shorter is believed at once`() {
    var path = VirtualPath(seed: 71, delay: { 2e-3 + 10e-6 * $0.unit() })
    path.backDelay = { 6e-3 + 10e-6 * $0.unit() }
    var client = ClockClient(seed: 71)
    path.serve(&client, seconds: 30)
    path.thereDelay = VirtualPath.lan
    path.backDelay = VirtualPath.lan
    path.serve(&client, seconds: 2)
    let error = client.map(at: path.local).map { path.error(of: $0) } ?? .nan
    #expect(abs(error) < 40)
  }

  @Test func `impossible stamps change nothing`() {
    var path = VirtualPath(seed: 81, delay: VirtualPath.lan)
    var filter = ClockFilter()
    _ = filter.receive(path.exchange(), clockID: path.clockID)
    let before = filter.map(at: path.local)
    let good = path.exchange()
    var backwards = good
    backwards.returned = good.sent - .milliseconds(1)
    var servedTooLong = good
    servedTooLong.transmitted = good.received + .seconds(1)
    var servedBackwards = good
    servedBackwards.transmitted = good.received - .seconds(1)
    var ancient = good
    ancient.sent = good.sent - .seconds(5)
    for exchange in [backwards, servedTooLong, servedBackwards, ancient] {
      let outcome = filter.receive(exchange, clockID: path.clockID)
      #expect(outcome == .ignored)
    }
    #expect(filter.map(at: path.local)?.anchorMedia != nil)
    #expect(before != nil)
    #expect(filter.exchanges == 1)
  }

  @Test func `random stamps never trap`() {
    var random = SeededRandom(seed: 91)
    var filter = ClockFilter()
    for _ in 0..<20_000 {
      let sent = Int64(truncatingIfNeeded: random.next())
      let media = Int64(truncatingIfNeeded: random.next())
      let wild = random.unit() < 0.3
      _ = filter.receive(
        ClockExchange(
          sent: LocalInstant(nanoseconds: sent),
          received: MediaInstant(nanosecondsSince1900: media),
          transmitted: MediaInstant(
            nanosecondsSince1900: wild ? Int64(truncatingIfNeeded: random.next()) : media &+ 10),
          returned: LocalInstant(nanoseconds: sent &+ 1_000_000)),
        clockID: ClockID(rawValue: random.next() & 1))
      _ = filter.map(at: LocalInstant(nanoseconds: sent &+ 2_000_000))
    }
    #expect(filter.exchanges >= 0)
  }
}
