// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

@Suite struct DelayRampTests {
  private let start = MediaFrame(index: 190_000_000_000_000)

  private func ramp(from d0: Int64, to d1: Int64, slope: Double) -> DelayRamp {
    DelayRamp(
      t0: start, d0: .milliseconds(d0), d1: .milliseconds(d1), slope: PartsPerMillion(slope))
  }

  @Test func `constant delay is the same at every frame`() {
    let ramp = DelayRamp(constant: .seconds(6))
    for index in [Int64.min, -1, 0, 1, .max] {
      #expect(ramp.delay(at: MediaFrame(index: index)) == .seconds(6))
    }
  }

  @Test(arguments: [(400, 500), (500, 400)] as [(Int64, Int64)])
  func `delay moves at the slope, then stays`(d0: Int64, d1: Int64) {
    let ramp = ramp(from: d0, to: d1, slope: 1_000)
    #expect(ramp.delay(at: start - 1) == .milliseconds(d0))
    #expect(ramp.delay(at: start) == .milliseconds(d0))
    // 1,000 ppm: one millisecond a second, so half way after 50 s.
    #expect(ramp.delay(at: start + 50 * MediaFrame.rate) == .milliseconds(450))
    #expect(ramp.delay(at: start + 100 * MediaFrame.rate) == .milliseconds(d1))
    #expect(ramp.delay(at: start + 1_000_000 * MediaFrame.rate) == .milliseconds(d1))
  }

  @Test(arguments: [0, -5, Double.nan]) func `no slope means no movement`(slope: Double) {
    #expect(ramp(from: 400, to: 500, slope: slope).delay(at: start + 480_000) == .milliseconds(400))
  }

  @Test(arguments: [Double.infinity, 1e300]) func `steep slope jumps`(slope: Double) {
    #expect(ramp(from: 400, to: 500, slope: slope).delay(at: start + 1) == .milliseconds(500))
  }
}
