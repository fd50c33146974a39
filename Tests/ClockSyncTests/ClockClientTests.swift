// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Testing

@Suite struct ClockClientTests {
  let start = LocalInstant(nanoseconds: 1_000_000_000)

  func request(of client: inout ClockClient, at now: LocalInstant) throws -> UInt64 {
    let stamp = client.requestDue(at: now)
    return try #require(stamp)
  }

  /// The moments of the requests of the first `seconds`.
  func requests(seed: UInt64, seconds: Int64) -> [LocalInstant] {
    var client = ClockClient(seed: seed, startingAt: start)
    var moments: [LocalInstant] = []
    while client.nextDeadline < start + .seconds(seconds) {
      let now = client.nextDeadline
      let early = client.requestDue(at: now - Nanoseconds(1))
      let inTime = client.requestDue(at: now)
      #expect(early == nil)
      #expect(inTime != nil)
      moments.append(now)
    }
    return moments
  }

  @Test func `the opening burst of eight is over within 50 ms`() {
    let moments = requests(seed: 1, seconds: 1)
    #expect(moments[0] == start)
    #expect(moments[7] - moments[0] < .milliseconds(50))
    #expect(moments[8] - moments[7] > .milliseconds(100))
  }

  @Test func `eight busy seconds are followed by sixteen requests a second`() {
    let moments = requests(seed: 2, seconds: 30)
    let busy = moments.count { $0 < start + .seconds(8) }
    let steady = moments.count { $0 >= start + .seconds(10) && $0 < start + .seconds(30) }
    #expect((245...270).contains(busy))
    #expect((305...335).contains(steady))
  }

  @Test func `distances in a burst are random and two rooms differ`() {
    let kitchen = requests(seed: 3, seconds: 10)
    let study = requests(seed: 4, seconds: 10)
    let distances = zip(kitchen.dropFirst(), kitchen).map { ($0 - $1).count }
    #expect(Set(distances).count == distances.count)
    #expect(distances.allSatisfy { $0 >= 2_000_000 })
    #expect(kitchen != study)
  }

  @Test(arguments: 20..<25 as Range<UInt64>)
  func `questions meet every phase of the 20 ms between audio packets`(seed: UInt64) {
    let moments = requests(seed: seed, seconds: 120)
    var phases = [0, 0, 0, 0, 0]
    for moment in moments { phases[Int(moment.nanoseconds % 20_000_000) / 4_000_000] += 1 }
    for count in phases {
      #expect((0.16...0.24).contains(Double(count) / Double(moments.count)), "\(phases)")
    }
  }

  @Test func `the same seed gives the same schedule and stamps`() {
    var one = ClockClient(seed: 5, startingAt: start)
    var two = ClockClient(seed: 5, startingAt: start)
    for _ in 0..<100 {
      let now = one.nextDeadline
      #expect(two.nextDeadline == now)
      let stamps = (one.requestDue(at: now), two.requestDue(at: now))
      #expect(stamps.0 == stamps.1)
    }
  }

  @Test func `forged, doubled and late replies are ignored and counted`() throws {
    var path = VirtualPath(seed: 6, delay: VirtualPath.lan)
    var client = ClockClient(seed: 6, startingAt: path.local)
    let stamp = try request(of: &client, at: path.local)
    let exchange = path.exchange()
    func reply(_ origin: UInt64, after: Nanoseconds = .zero) -> ClockFilter.Outcome {
      client.receive(
        origin: origin, received: exchange.received, transmitted: exchange.transmitted,
        clockID: path.clockID, at: exchange.returned + after)
    }
    #expect(reply(stamp ^ 2) == .ignored)
    #expect(reply(0) == .ignored)
    #expect(client.map == nil)
    #expect(reply(stamp) == .acquired)
    let map = client.map
    #expect(reply(stamp) == .ignored)
    #expect(client.map == map)
    path.pass(1)
    let late = try request(of: &client, at: path.local)
    #expect(reply(late, after: .seconds(4)) == .ignored)
    #expect(client.repliesIgnored == 4)
    #expect(client.repliesAccepted == 1)
  }

  @Test func `requests that are never answered do not pile up`() throws {
    var client = ClockClient(seed: 7, startingAt: start)
    let first = try request(of: &client, at: start)
    for _ in 0..<1_000 { _ = client.requestDue(at: client.nextDeadline) }
    let media = MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
    let outcome = client.receive(
      origin: first, received: media, transmitted: media, clockID: ClockID(rawValue: 1),
      at: start + .milliseconds(1))
    #expect(outcome == .ignored)
  }

  @Test func `the time of sending may be corrected`() throws {
    var client = ClockClient(seed: 8, startingAt: start)
    let stamp = try request(of: &client, at: start)
    client.sent(stamp, at: start + .microseconds(400))
    // Earlier, or an hour later: stamps of a wall clock that was set.
    client.sent(stamp, at: start + .microseconds(100))
    client.sent(stamp, at: start + .seconds(3_600))
    let media = MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000)
    client.receive(
      origin: stamp, received: media, transmitted: media, clockID: ClockID(rawValue: 1),
      at: start + .microseconds(600))
    let map = try #require(client.map(at: start + .microseconds(500)))
    #expect((map.media(at: start + .microseconds(500)) - media).magnitude <= Nanoseconds(1))
  }

  @Test func `a new clock is followed at once, at the old frequency, and the old map is held`() {
    var path = VirtualPath(seed: 9, hostPPM: 25, delay: VirtualPath.lan)
    var client = ClockClient(seed: 9)
    path.serve(&client, seconds: 60)
    let old = path.clockID
    let before = client.frequency.value
    path.clockID = ClockID(rawValue: 43)
    path.serve(&client, seconds: 1.3)
    #expect(client.clockID == path.clockID)
    #expect(client.clockChanges == 1)
    #expect(client.isSettled)
    #expect(abs(client.frequency.value - before) < 3)
    #expect(
      client.map(of: path.clockID, at: path.local).map { abs(path.error(of: $0)) < 60 } == true)
    // Here the media clock itself went on, so the held map must still be right.
    #expect(client.map(of: old, at: path.local).map { abs(path.error(of: $0)) < 20 } == true)
    #expect(client.map(of: ClockID(rawValue: 99), at: path.local) == nil)
  }

  @Test func `what is held plays out by the old clock while the new one is still being found`() {
    var path = VirtualPath(seed: 10, hostPPM: 25, delay: VirtualPath.lan)
    var client = ClockClient(seed: 10)
    path.serve(&client, seconds: 5)
    let old = path.clockID
    path.clockID = ClockID(rawValue: 43)
    while client.clockID == old { path.serve(&client, seconds: 0.001) }
    #expect(!client.isSettled)
    #expect(client.settledMap(of: path.clockID, at: path.local) == nil)
    let held = client.settledMap(of: old, at: path.local)
    #expect(held.map { abs(path.error(of: $0)) < 20 } == true)
    path.serve(&client, seconds: 0.5)
    #expect(client.settledMap(of: path.clockID, at: path.local) != nil)
  }

  @Test func `a clock that was never found is not held`() {
    var path = VirtualPath(seed: 11, delay: VirtualPath.lan)
    var client = ClockClient(seed: 11)
    while client.clockID == nil { path.serve(&client, seconds: 0.001) }
    let old = path.clockID
    path.clockID = ClockID(rawValue: 43)
    while client.clockID == old { path.serve(&client, seconds: 0.001) }
    #expect(client.settledMap(of: old, at: path.local) == nil)
  }

  @Test(arguments: [0.05, 60, 3_600] as [Double])
  func `after a sleep of this host nothing is claimed, and the clock is found within 100 ms`(
    slept: Double
  ) throws {
    var path = VirtualPath(seed: 15, hostPPM: 25, delay: VirtualPath.lan)
    var client = ClockClient(seed: 15)
    path.serve(&client, seconds: 60)
    let late = try request(of: &client, at: max(path.local, client.nextDeadline))
    // The host's clock stands still while it sleeps: as if it were set back.
    path.stepHost(-slept)
    client.hostSlept(at: path.local)
    #expect(client.map == nil && client.map(of: path.clockID, at: path.local) == nil)
    #expect(!client.isSettled && client.nextDeadline <= path.local)
    let media = path.media
    let outcome = client.receive(
      origin: late, received: media, transmitted: media, clockID: path.clockID, at: path.local)
    #expect(outcome == .ignored, "it was asked before the sleep")
    path.serve(&client, seconds: 0.1)
    #expect(client.isSettled && client.steps == 0 && client.hostSleeps == 1)
    #expect(client.map(at: path.local).map { abs(path.error(of: $0)) < 60 } == true)
    path.serve(&client, seconds: 5)
    #expect(client.map(at: path.local).map { abs(path.error(of: $0)) < 12 } == true)
    #expect(abs(client.frequency.value + 25) < 1)
  }

  @Test(arguments: [3e-3, 20e-6] as [Double])
  func `a coordinator that moved is the same clock at another distance`(delay: Double) {
    var path = VirtualPath(seed: 16, hostPPM: 25, delay: VirtualPath.lan)
    var client = ClockClient(seed: 16)
    path.serve(&client, seconds: 60)
    path.thereDelay = { delay + 100e-6 * $0.unit() }
    path.backDelay = path.thereDelay
    client.routeChanged(at: path.local)
    #expect(client.isSettled && client.nextDeadline <= path.local)
    var worst = 0.0
    path.serve(&client, seconds: 20) { client, path in
      if let map = client.map(at: path.local) { worst = max(worst, abs(path.error(of: map))) }
    }
    #expect(worst < 25)
    #expect(client.steps == 0 && client.clockChanges == 0)
  }

  @Test func `a host that is stopped for seconds goes on where it was`() throws {
    var path = VirtualPath(seed: 17, hostPPM: 25, delay: VirtualPath.lan)
    var client = ClockClient(seed: 17)
    path.serve(&client, seconds: 60)
    path.pass(max(0, (client.nextDeadline - path.local).inSeconds) + 1e-6)
    let stamp = try request(of: &client, at: path.local)
    let exchange = path.exchange()
    path.pass(5)
    // The answer was stamped by the kernel while the program stood still: as good as any.
    let outcome = client.receive(
      origin: stamp, received: exchange.received, transmitted: exchange.transmitted,
      clockID: path.clockID, at: exchange.returned)
    #expect(outcome == .accepted)
    #expect(client.map(at: path.local).map { abs(path.error(of: $0)) < 12 } == true)
    path.serve(&client, seconds: 1)
    #expect(client.steps == 0)
    #expect(client.map(at: path.local).map { abs(path.error(of: $0)) < 12 } == true)
  }

  @Test func `a reply of the old clock that overtakes the change is ignored`() throws {
    var path = VirtualPath(seed: 10, delay: VirtualPath.lan)
    var client = ClockClient(seed: 10, startingAt: path.local)
    path.serve(&client, seconds: 5)
    path.pass(max(0, (client.nextDeadline - path.local).inSeconds) + 0.03)
    let slow = try request(of: &client, at: path.local)
    let old = path.exchange()
    path.pass(max(0, (client.nextDeadline - path.local).inSeconds) + 1e-6)
    let quick = try request(of: &client, at: path.local)
    let new = path.exchange()
    client.receive(
      origin: quick, received: new.received, transmitted: new.transmitted,
      clockID: ClockID(rawValue: 43), at: new.returned)
    let outcome = client.receive(
      origin: slow, received: old.received, transmitted: old.transmitted,
      clockID: path.clockID, at: new.returned)
    #expect(outcome == .ignored)
    #expect(client.clockID == ClockID(rawValue: 43))
  }

  @Test func `a coordinator that restarts on the same clock is no event`() {
    var path = VirtualPath(seed: 12, hostPPM: 12, delay: VirtualPath.lan)
    var client = ClockClient(seed: 12)
    path.serve(&client, seconds: 30)
    path.pass(4)
    path.serve(&client, seconds: 1)
    #expect(client.clockChanges == 0)
    #expect(client.steps == 0)
    #expect(client.map(at: path.local).map { abs(path.error(of: $0)) < 20 } == true)
  }

  @Test func `a cached frequency makes the first second better`() {
    func worst(prior: PartsPerMillion?) -> Double {
      var path = VirtualPath(seed: 13, hostPPM: 80, delay: VirtualPath.lan)
      var client = ClockClient(seed: 13, priorFrequency: prior)
      path.serve(&client, seconds: 0.15)
      path.pass(2)
      return client.map(at: path.local).map { abs(path.error(of: $0)) } ?? .nan
    }
    #expect(worst(prior: PartsPerMillion(-80)) < 50)
    #expect(worst(prior: PartsPerMillion(-80)) < worst(prior: nil))
  }
}
