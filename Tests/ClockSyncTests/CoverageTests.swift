// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Testing

/// A kind of network and host, met by many seeds.
struct PathCase: Sendable, CustomTestStringConvertible {
  var name: String
  /// Delay there and back, in seconds.
  var there: @Sendable (inout SeededRandom) -> Double
  var back: @Sendable (inout SeededRandom) -> Double
  /// What no filter can see: half the difference of the undisturbed ways, in seconds.
  var asymmetry = 0.0
  /// Growth of the host's frequency error, per second: 20 ppm in five minutes.
  var ramp = 0.0
  /// 99 of 100 errors are below, in microseconds: measured, and a third more.
  var limit: Double

  var testDescription: String { name }

  init(
    _ name: String, _ there: @escaping @Sendable (inout SeededRandom) -> Double,
    back: (@Sendable (inout SeededRandom) -> Double)? = nil, asymmetry: Double = 0,
    ramp: Double = 0, limit: Double
  ) {
    self.name = name
    self.there = there
    self.back = back ?? there
    self.asymmetry = asymmetry
    self.ramp = ramp
    self.limit = limit
  }

  static let warmUp = 20e-6 / 300

  static let all = [
    PathCase("wired, 20 us of jitter", { 80e-6 + 20e-6 * $0.unit() }, limit: 3),
    PathCase("wired, 100 us of jitter", VirtualPath.lan, limit: 6),
    PathCase("wired, warming up", VirtualPath.lan, ramp: warmUp, limit: 9),
    PathCase(
      "wired, one packet in seven late by up to 3 ms",
      { VirtualPath.lan(&$0) + ($0.unit() < 0.15 ? 3e-3 * $0.unit() : 0) }, limit: 7),
    PathCase("Wi-Fi, 1 ms tail, sleeps to 100 ms", VirtualPath.wifi, limit: 55),
    PathCase("Wi-Fi, warming up", VirtualPath.wifi, ramp: warmUp, limit: 60),
    PathCase(
      "Wi-Fi, stalls of 20-150 ms one way",
      { 1e-3 + 0.4e-3 * VirtualPath.exponential(&$0) },
      back: {
        let stall = $0.unit() < 0.05 ? 20e-3 + 130e-3 * $0.unit() : 0
        return 1e-3 + 0.8e-3 * VirtualPath.exponential(&$0) + stall
      }, limit: 35),
    PathCase(
      "Wi-Fi without a hard floor",
      { 1e-3 + 0.4e-3 * (VirtualPath.exponential(&$0) + VirtualPath.exponential(&$0)) },
      limit: 75),
    PathCase(
      "8 ms there and 1 ms back", { 8e-3 + 50e-6 * $0.unit() }, back: { 1e-3 + 50e-6 * $0.unit() },
      asymmetry: 3.5e-3, limit: 6),
  ]
}

@Suite struct CoverageTests {
  /// Errors without what cannot be seen, in microseconds, and how often sigma and bound held.
  struct Record {
    var errors: [Double] = []
    var withinSigma = 0
    var withinBound = 0

    mutating func note(_ map: ClockMap, _ path: VirtualPath, asymmetry: Double) {
      let error = path.error(of: map)
      let visible = abs(error - asymmetry * 1e6)
      errors.append(visible)
      if visible <= 4 * map.sigma.inMicroseconds { withinSigma += 1 }
      if abs(error) <= map.bound.inMicroseconds { withinBound += 1 }
    }

    func share(_ count: Int) -> Double { Double(count) / Double(errors.count) }
  }

  /// A host somewhere within +-100 ppm that also wanders.
  func path(_ kind: PathCase, seed: UInt64) -> VirtualPath {
    var draw = SeededRandom(seed: seed &+ 1_000)
    var path = VirtualPath(seed: seed, hostPPM: 200 * draw.unit() - 100, delay: kind.there)
    path.backDelay = kind.back
    path.wander = 0.01e-6
    path.ramp = seed % 2 == 0 ? kind.ramp : -kind.ramp
    return path
  }

  @Test(arguments: PathCase.all)
  func `sigma and bound cover the truth in 99 of 100 cases`(kind: PathCase) {
    var record = Record()
    for seed in 0..<40 as Range<UInt64> {
      var path = path(kind, seed: seed)
      var client = ClockClient(seed: seed)
      path.serve(&client, seconds: 5)
      for _ in 0..<80 {
        path.serve(&client, seconds: 0.25)
        guard let map = client.map(at: path.local) else { continue }
        record.note(map, path, asymmetry: kind.asymmetry)
      }
    }
    let (sigma, bound) = (record.share(record.withinSigma), record.share(record.withinBound))
    let (p50, p99) = (percentile(0.5, of: record.errors), percentile(0.99, of: record.errors))
    print("\(kind.name): p50 \(p50) p99 \(p99) us; sigma covers \(sigma), bound \(bound)")
    #expect(record.errors.count == 40 * 80)
    #expect(sigma >= 0.99)
    #expect(bound >= 0.99)
    #expect(p99 < kind.limit)
  }

  @Test(arguments: [(0, 60.0), (1, 60), (2, 300), (4, 90), (5, 300)] as [(Int, Double)])
  func `holdover: after a minute of silence sigma still covers the truth`(
    index: Int, limit: Double
  ) {
    let kind = PathCase.all[index]
    var record = Record()
    for seed in 100..<140 as Range<UInt64> {
      var path = path(kind, seed: seed)
      var client = ClockClient(seed: seed)
      path.serve(&client, seconds: 60)
      path.pass(60)
      if let map = client.map(at: path.local) { record.note(map, path, asymmetry: 0) }
    }
    let squares = record.errors.reduce(0) { $0 + $1 * $1 }
    let rms = (squares / Double(record.errors.count)).squareRoot()
    let worst = record.errors.max() ?? .nan
    print("holdover, \(kind.name): rms \(rms) max \(worst) us")
    #expect(record.errors.count == 40)
    #expect(worst < limit)
    #expect(record.share(record.withinSigma) >= 0.97, "39 of 40")
    #expect(record.share(record.withinBound) >= 0.97)
  }
}
