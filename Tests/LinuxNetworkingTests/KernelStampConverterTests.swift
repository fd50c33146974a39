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

  @Test(arguments: [0, 1_000_000_000, 9_000_000_000])
  func `a missing, future or ancient stamp gives the time of reading`(stamp: Int64) {
    var converter = KernelStampConverter()
    observe(&converter, raw: 5_000_000_000, distance: 100)
    #expect(converter.arrival(stamped: stamp).nanoseconds == 5_000_000_050)
  }
}
