// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Continues a sound beyond its end by what it has been doing: each sample is predicted as a weighted
// sum of the 32 before it. Burg's method (J. P. Burg, "Maximum entropy spectral analysis", 1975)
// finds the weights that predict best in both directions; its predictors are stable, so a
// continuation never grows.

enum LinearPrediction {
  /// Weights per sample. More follow music no better from 1024 samples.
  static let order = 32

  /// `frames` stereo frames that continue `samples`.
  static func continuation(of samples: [Float], frames: Int) -> [Float] {
    var result = [Float](repeating: 0, count: frames * 2)
    for channel in 0..<2 {
      var signal = stride(from: channel, to: samples.count, by: 2).map { Double(samples[$0]) }
      let weights = predictor(of: signal)
      guard !weights.isEmpty else { continue }
      for frame in 0..<frames {
        var next = 0.0
        for (index, weight) in weights.enumerated() {
          next += weight * signal[signal.count - 1 - index]
        }
        signal.append(next)
        result[frame * 2 + channel] = Float(next)
      }
    }
    return result
  }

  /// The weights of the samples before, nearest first; none for silence, or for very little sound.
  static func predictor(of signal: [Double]) -> [Double] {
    let count = signal.count
    guard count > 2 * order else { return [] }
    // Errors of predicting forwards and backwards.
    var (forward, backward) = (signal, signal)
    var coefficients = [1.0]
    for step in 1...order {
      var (product, power) = (0.0, 0.0)
      for index in step..<count {
        product += forward[index] * backward[index - 1]
        power += forward[index] * forward[index] + backward[index - 1] * backward[index - 1]
      }
      guard power > 1e-18 else { break }
      let reflection = -2 * product / power
      for index in (step..<count).reversed() {
        let ahead = forward[index]
        forward[index] = ahead + reflection * backward[index - 1]
        backward[index] = backward[index - 1] + reflection * ahead
      }
      coefficients.append(0)
      let before = coefficients
      for index in 1...step {
        coefficients[index] = before[index] + reflection * before[step - index]
      }
    }
    return coefficients.dropFirst().map { -$0 }
  }
}
