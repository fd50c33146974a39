// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import ClockSync

@Suite struct NormalTailTests {
  /// Density over cumulative probability, from tables of 15 digits.
  static let known: [(Double, Double)] = [
    (-40, 40.024968847), (-10, 10.098093230), (-3, 3.283098644), (-1, 1.525135276),
    (0, 0.797884561), (1, 0.287599971), (3, 0.004437829), (6, 6.075883e-9),
  ]

  @Test(arguments: known)
  func `the hazard is good to a hundred thousandth`(z: Double, hazard: Double) {
    #expect(abs(NormalTail.hazard(z) - hazard) <= 2e-5 * hazard)
  }

  @Test func `the exponential is good to a ten millionth, also where it vanishes`() {
    let known = [(0.0, 1.0), (-0.5, 0.606530659713), (-5, 0.006737946999), (-50, 1.928749848e-22)]
    for (x, value) in known {
      #expect(abs(NormalTail.exponential(x) - value) <= 1e-7 * value)
    }
    #expect(NormalTail.exponential(-1e6) == 0)
  }
}
