// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Pure cores link no libm: these are good to 1e-5, which is plenty for a weight.

/// The standard normal distribution, as far as a one-sided reading needs it.
enum NormalTail {
  /// Density over cumulative probability at `z`: the mean of what lies below `z` is minus this.
  static func hazard(_ z: Double) -> Double {
    guard z >= 0 else { return 1 / millsRatio(-z) }
    let density = exponential(-z * z / 2) * 0.398_942_280_401_432_7
    return density / (1 - density * millsRatio(z))
  }

  /// Probability beyond `x` over the density at `x`, for `x` from 0 on.
  ///
  /// Abramowitz and Stegun 26.2.17 below 3, the continued fraction 26.2.14 from there on.
  static func millsRatio(_ x: Double) -> Double {
    guard x < 3 else {
      var tail = x
      for term in stride(from: 12.0, through: 1, by: -1) { tail = x + term / tail }
      return 1 / tail
    }
    let t = 1 / (1 + 0.231_641_9 * x)
    let cubic = t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))
    return t * (0.319_381_530 + t * (-0.356_563_782 + cubic))
  }

  /// e to the power of `x`, for `x` from -700 to 0.
  static func exponential(_ x: Double) -> Double {
    guard x > -700 else { return 0 }
    // 2^k times the series for what is left, at most half of log 2: seven terms give 1e-8.
    let k = (x * 1.442_695_040_888_963_4).rounded()
    let rest = x - k * 0.693_147_180_559_945_3
    var sum = 1.0
    for term in stride(from: 8.0, through: 1, by: -1) { sum = 1 + rest / term * sum }
    return Double(sign: .plus, exponent: Int(k), significand: sum)
  }
}
