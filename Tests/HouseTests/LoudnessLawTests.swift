// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Foundation
import House
import Testing

@Suite struct LoudnessLawTests {
  private let both = MeasuredLoudness(trackGain: -6, trackPeak: 0.9, albumGain: -3, albumPeak: 1)

  private func decibels(_ factor: Float) -> Double { 20 * log10(Double(factor)) }

  @Test(arguments: [(LoudnessMode.off, 0.0), (.track, -6), (.album, -3), (.auto, -6)])
  func `the mode says which gain counts`(mode: LoudnessMode, gain: Double) {
    #expect(abs(decibels(LoudnessLaw.factor(both, mode)) - gain) < 1e-5)
  }

  @Test func `one gain stands in for the other`() {
    let track = MeasuredLoudness(trackGain: -2)
    #expect(abs(decibels(LoudnessLaw.factor(track, .album)) + 2) < 1e-5)
    let album = MeasuredLoudness(albumGain: -4, albumPeak: 1)
    #expect(abs(decibels(LoudnessLaw.factor(album, .track)) + 4) < 1e-5)
    #expect(LoudnessLaw.factor(nil, .track) == 1)
    #expect(LoudnessLaw.factor(MeasuredLoudness(trackPeak: 0.5), .track) == 1)
  }

  @Test func `nothing is made to clip`() {
    for gain in stride(from: -60.0, through: 60, by: 1.5) {
      for peak in [0.01, 0.5, 1, 1.3] {
        let factor = LoudnessLaw.factor(
          MeasuredLoudness(trackGain: gain, trackPeak: peak), .track)
        #expect(Double(factor) * peak <= 1.000_001)
        #expect(factor > 0)
      }
      #expect(LoudnessLaw.factor(MeasuredLoudness(trackGain: gain), .track) <= 1)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 0, -1])
  func `figures that are none are not believed`(odd: Double) {
    #expect(LoudnessLaw.factor(MeasuredLoudness(trackGain: 3, trackPeak: odd), .track) == 1)
    if !odd.isFinite {
      #expect(LoudnessLaw.factor(MeasuredLoudness(trackGain: odd, trackPeak: 1), .track) == 1)
    }
  }

  @Test func `powers of ten are those of libm`() {
    for gain in stride(from: -51.0, through: 51, by: 0.25) {
      let factor = LoudnessLaw.factor(
        MeasuredLoudness(trackGain: gain, trackPeak: 1e-9), .track)
      #expect(abs(Double(factor) / pow(10, gain / 20) - 1) < 1e-6)
    }
  }
}
