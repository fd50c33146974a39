// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing

@testable import LinuxNetworking

@Suite struct KernelStampConverterTests {
  /// A host whose REALTIME leads RAW by `distance` nanoseconds.
  private func observe(
    _ converter: inout KernelStampConverter, raw: Int64, distance: Int64
  ) {
    converter.observe(
      before: LocalInstant(nanoseconds: raw - 50), realtime: raw + distance,
      after: LocalInstant(nanoseconds: raw + 50))
  }

  @Test func `a stamp moves by the distance of the clocks`() {
    var converter = KernelStampConverter()
    observe(&converter, raw: 5_000_000_000, distance: 1_700_000_000_000_000_000)
    let arrival = converter.arrival(stamped: 1_700_000_004_999_990_000)
    #expect(arrival.nanoseconds == 4_999_990_000)
  }

  @Test func `a slewed clock keeps its stamps, a set one loses them once`() {
    var converter = KernelStampConverter()
    observe(&converter, raw: 1_000_000_000, distance: 7_000_000_000)
    // 500 ppm for a second: what NTP may do.
    observe(&converter, raw: 2_000_000_000, distance: 7_000_500_000)
    #expect(converter.arrival(stamped: 9_000_490_000).nanoseconds == 1_999_990_000)
    // Someone sets the clock back by ten seconds.
    observe(&converter, raw: 3_000_000_000, distance: -2_999_500_000)
    #expect(converter.arrival(stamped: 490_000).nanoseconds == 3_000_000_050)
    observe(&converter, raw: 4_000_000_000, distance: -2_999_500_000)
    #expect(converter.arrival(stamped: 1_000_490_000).nanoseconds == 3_999_990_000)
  }

  @Test func `a stamp from before the socket was last empty gives the time of reading`() {
    var converter = KernelStampConverter()
    converter.emptied(at: LocalInstant(nanoseconds: 4_000_000_000))
    observe(&converter, raw: 9_000_000_000, distance: 100)
    // The thread was stopped for five seconds: a packet may well have waited for all of them.
    #expect(converter.arrival(stamped: 4_000_000_200).nanoseconds == 4_000_000_100)
    #expect(converter.refused == 0)
    #expect(converter.arrival(stamped: 3_980_000_000).nanoseconds == 9_000_000_050)
    #expect(converter.refused == 1)
  }

  /// Feeds 16 packets a second whose stamps are of a clock that gains `ppm` on REALTIME; returns the
  /// largest error of an arrival in microseconds after each second.
  private func errors(ppm: Double, age: (Int) -> Int64, seconds: Int) -> [Double] {
    var converter = KernelStampConverter()
    var raw: Int64 = 1_000_000_000
    var errors: [Double] = []
    for second in 0..<seconds {
      var worst = 0.0
      for count in 0..<16 {
        raw += 62_500_000
        observe(&converter, raw: raw, distance: 7_000_000_000)
        let gained = Int64(ppm * 1e-6 * Double(raw - 1_000_000_000))
        let arrived = raw - age(second * 16 + count)
        let arrival = converter.arrival(stamped: arrived + 7_000_000_000 + gained)
        worst = max(worst, Double((arrival.nanoseconds - arrived).magnitude) / 1e3)
      }
      errors.append(worst)
    }
    return errors
  }

  @Test(arguments: [50.0, -50, 500, -500])
  func `stamps of a clock that drifts away are found out, and never wrong by a millisecond`(
    ppm: Double
  ) {
    let errors = errors(ppm: ppm, age: { _ in 30_000 }, seconds: 60)
    #expect(errors.allSatisfy { $0 < (ppm.magnitude > 100 ? 5_000 : 1_000) })
    // Found out: the time of reading, 30 us late.
    #expect(errors.suffix(30).allSatisfy { $0 < 31 })
  }

  @Test func `stamps of our clock are believed on a slow host and behind long queues`() {
    let errors = errors(
      ppm: 0, age: { $0 % 8 == 0 ? 250_000 : 3_000_000 + Int64($0 % 7) * 1_000_000 }, seconds: 60)
    #expect(errors.allSatisfy { $0 < 1 })
  }

  @Test func `a clock that came back is believed again`() {
    var ages = StampAges()
    func feed(_ age: Nanoseconds, from start: Int64) {
      for count in 0..<80 as Range<Int64> {
        ages.observe(age, at: LocalInstant(nanoseconds: start + count * 62_500_000))
      }
    }
    feed(.milliseconds(3), from: 0)
    #expect(ages.isForeign)
    feed(.microseconds(30), from: 10_000_000_000)
    #expect(!ages.isForeign)
    feed(.microseconds(-300), from: 20_000_000_000)
    #expect(ages.isForeign)
  }

  @Test(arguments: [0, 1_000_000_000, 9_000_000_000])
  func `a missing, future or ancient stamp gives the time of reading`(stamp: Int64) {
    var converter = KernelStampConverter()
    observe(&converter, raw: 5_000_000_000, distance: 100)
    #expect(converter.arrival(stamped: stamp).nanoseconds == 5_000_000_050)
  }
}
