// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Simulation
import Testing

/// Houses as `tools/simulate` draws them, in microseconds between settled rooms.
@Suite struct RandomHouseTests {
  struct Case: CustomTestStringConvertible {
    var kind: HouseScenario.Kind
    /// Five seeds for the way, then those that were the worst of hundreds.
    var seeds: [UInt64]
    /// Of all houses together.
    var p99: Double
    var largest: Double

    var testDescription: String { kind.rawValue }
  }

  static let cases: [Case] = [
    Case(kind: .wired, seeds: [1, 2, 3, 4, 5, 136], p99: 20, largest: 40),
    Case(kind: .quiet, seeds: [1, 2, 3, 4, 5, 70], p99: 10, largest: 20),
    Case(kind: .wireless, seeds: [1, 2, 3, 4, 5, 93], p99: 100, largest: 200),
    Case(kind: .asymmetric, seeds: [1, 2, 3, 4, 5, 10], p99: 20, largest: 40),
    Case(kind: .coarse, seeds: [1, 2, 3, 4, 5, 63], p99: 20, largest: 40),
    Case(kind: .warming, seeds: [1, 2, 3, 4, 5, 78], p99: 20, largest: 40),
    Case(kind: .large, seeds: [1, 2, 3, 41], p99: 20, largest: 40),
    Case(kind: .awkward, seeds: [1, 2, 3, 4, 5, 16], p99: 100, largest: 1_000),
  ]

  @Test(arguments: cases)
  func `random houses stay within what their kind allows`(these: Case) {
    var sum: HouseReport?
    for seed in these.seeds {
      let report = VirtualHouse(.random(these.kind, seed: seed, seconds: 60)).run()
      if report.skew.percentile(0.99) > these.p99 {
        print("  seed \(seed): \(report.figures)")
      }
      sum?.merge(report)
      sum = sum ?? report
    }
    guard let sum else { return }
    print("\(these.kind.rawValue), \(these.seeds.count) houses: \(sum.figures)")
    #expect(sum.skew.percentile(0.99) < these.p99)
    #expect(sum.skew.largest < these.largest)
    // The bound must hold always, four sigma nearly so.
    #expect(Double(sum.beyondSigma) < 0.01 * Double(sum.clockSamples))
    #expect(Double(sum.beyondBound) <= 0.001 * Double(sum.clockSamples))
    if these.kind != .awkward, these.kind != .wireless {
      #expect(sum.resyncs == 0 && sum.missingFrames == 0 && sum.cardUnderruns == 0)
    }
  }

  @Test func `sixteen rooms stay within 20 microseconds`() {
    let report = VirtualHouse(.random(.large, seed: 1, seconds: 60, rooms: 16)).run()
    print("16 rooms: \(report.figures)")
    #expect(report.skew.count > 50_000)
    #expect(report.skew.percentile(0.99) < 20)
    #expect(report.starts.count == 16)
    #expect(report.starts.largest < 100)
  }

  @Test(arguments: [HouseScenario.Kind.wired, .quiet, .asymmetric, .warming])
  func `armed rooms start within 100 microseconds in house after house`(
    kind: HouseScenario.Kind
  ) {
    var starts = Distribution()
    var settling = Distribution()
    for seed in 1...20 as ClosedRange<UInt64> {
      let report = VirtualHouse(.random(kind, seed: seed, seconds: 6)).run()
      starts.merge(report.starts)
      settling.merge(report.settling)
    }
    print(
      "\(kind.rawValue): first frame \(HouseReport.three(starts)) us,"
        + " in time after \(HouseReport.three(settling)) ms")
    #expect(starts.count >= 40)
    #expect(starts.largest < 100)
  }
}
