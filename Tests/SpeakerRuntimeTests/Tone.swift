// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc

/// A steady tone, and how well a recording holds it.
struct Tone {
  /// Hertz; 2 ms a period, so that its phase tells time within 1 ms either way.
  static let pitch = 500.0
  static let level: Float = 0.5

  /// Source frame n.
  static func sample(_ frame: Int) -> Float {
    level * Float(sin(2 * .pi * pitch * Double(frame) / 48_000))
  }

  /// How much later than `expected` the tone's frame 0 lies in `samples`, by its phase over `range`.
  ///
  /// - Parameters:
  ///   - samples: 48 kHz by the card's crystal.
  ///   - range: Where to look; the tone must be steady there.
  ///   - expected: The sample, with fraction, at which source frame 0 is due.
  ///   - pace: Samples per frame of media: the crystal's rate over the media clock's.
  /// - Returns: Lateness in microseconds, within 1 ms either way, and the tone's level.
  static func lateness(
    in samples: [Float], over range: Range<Int>, expected: Double, pace: Double = 1
  ) -> (microseconds: Double, level: Double) {
    var (real, imaginary) = (0.0, 0.0)
    for index in range {
      let turn = 2 * .pi * pitch * (Double(index) - expected) / 48_000 / pace
      real += Double(samples[index]) * sin(turn)
      imaginary += Double(samples[index]) * cos(turn)
    }
    let scale = 2 / Double(range.count)
    let phase = atan2(imaginary, real)
    return (
      -phase / (2 * .pi * pitch) * 1e6,
      (real * real + imaginary * imaginary).squareRoot() * scale
    )
  }

  /// Blocks of 10 ms between two samples that are quieter than half the tone.
  static func quietBlocks(in samples: [Float], over range: Range<Int>, level: Float) -> Int {
    stride(from: range.lowerBound, to: range.upperBound - 480, by: 480).count { start in
      let power = samples[start..<start + 480].reduce(0) { $0 + $1 * $1 } / 480
      return power < level * level / 8
    }
  }
}
