// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// From the source's rate and channels to stereo at 48 kHz, without losing count.
//
// Output frame k lies at input sample k * rate / 48000: libswresample's first output frame lies on
// its first input sample, and here its first input sample is always one where the two grids meet
// (a multiple of `InputGrid.period`). So a run begun in the middle gives the very samples that a
// run from the beginning gives, once the filter is full. A source of n samples has
// round(n * 48000 / rate) frames, however it was cut up; files cut from one at multiples of 1/75 s,
// as CDs are, join on the grid.

/// The common grid of a source's rate and 48 kHz.
struct InputGrid: Equatable {
  /// Samples per second of the source.
  let rate: Int64
  /// Input samples from one meeting of the grids to the next.
  let period: Int64
  /// Output frames in that time.
  let outputPeriod: Int64

  init(rate: Int64) {
    var (a, b) = (rate, Self.outputRate)
    while b != 0 { (a, b) = (b, a % b) }
    self.rate = rate
    period = rate / a
    outputPeriod = Self.outputRate / a
  }

  static let outputRate: Int64 = 48_000

  /// Whether there is nothing to convert.
  var isIdentity: Bool { rate == Self.outputRate }

  /// The length at 48 kHz of `samples`, rounded to the nearest frame.
  func frames(_ samples: Int64) -> Int64 {
    let rest = samples % period
    return frame(atMeeting: samples) + (2 * rest * outputPeriod + period) / (2 * period)
  }

  /// The last meeting of the grids at or before a sample.
  func meeting(before sample: Int64) -> Int64 { sample / period * period }

  /// The output frame at a meeting of the grids.
  func frame(atMeeting sample: Int64) -> Int64 { sample / period * outputPeriod }

  /// The input sample at or before an output frame.
  func sample(before frame: Int64) -> Int64 {
    frame / outputPeriod * period + frame % outputPeriod * period / outputPeriod
  }
}
