// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import MediaDecoding

@Suite struct InputGridTests {
  static let rates: [Int64] = [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_056, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ]

  @Test(arguments: rates)
  func `a length is rounded to the nearest frame`(rate: Int64) {
    let grid = InputGrid(rate: rate)
    for samples in Int64(0)..<2_000 {
      let exact = Double(samples) * 48_000 / Double(rate)
      #expect(grid.frames(samples) == Int64((exact + 0.5).rounded(.down)), "\(samples)")
    }
  }

  @Test(arguments: rates)
  func `the grids meet at every period`(rate: Int64) {
    let grid = InputGrid(rate: rate)
    #expect(grid.period * 48_000 == grid.outputPeriod * rate)
    for sample in stride(from: Int64(0), to: 100_000, by: 997) {
      let meeting = grid.meeting(before: sample)
      #expect(meeting <= sample && sample - meeting < grid.period)
      #expect(grid.frame(atMeeting: meeting) == grid.frames(meeting))
    }
  }

  @Test(arguments: rates)
  func `the sample before a frame is at or before it`(rate: Int64) {
    let grid = InputGrid(rate: rate)
    for frame in stride(from: Int64(0), to: 200_000, by: 313) {
      let sample = grid.sample(before: frame)
      #expect(sample * 48_000 <= frame * rate && frame * rate < (sample + 1) * 48_000)
    }
  }

  @Test func `tracks cut as CDs are join without a rounding`() {
    let grid = InputGrid(rate: 44_100)
    // A sector of a CD: 1/75 s.
    for sectors in Int64(1)...500 { #expect(grid.frames(588 * sectors) == 640 * sectors) }
  }

  @Test func `ten years of samples do not overflow`() {
    let samples: Int64 = 192_000 * 86_400 * 3_653
    #expect(InputGrid(rate: 192_000).frames(samples) == samples / 4)
    #expect(InputGrid(rate: 44_101).frames(44_101 * 1_000_000_000) == 48_000 * 1_000_000_000)
  }
}
