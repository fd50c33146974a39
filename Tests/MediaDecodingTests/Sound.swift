// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc

/// A sound known as a function of time, so that it can be compared at any rate.
struct Sound {
  /// Partials far from each other and below the edge of every codec tested.
  static let partials: [(hertz: Double, phase: Double)] = [
    (220.5, 0.1), (447.3, 0.7), (1003.1, 1.3), (1999.7, 2.1),
  ]

  /// The value `seconds` from the beginning; a slow swell makes every moment different.
  static func value(at seconds: Double, channel: Int) -> Double {
    var sum = 0.0
    for partial in partials {
      sum += sin(2 * .pi * partial.hertz * seconds + partial.phase + Double(channel))
    }
    return 0.1 * sum * (0.5 + 0.45 * sin(2 * .pi * 0.37 * seconds + 1 + Double(channel)))
  }

  /// The first `count` frames, interleaved.
  static func frames(_ count: Int, rate: Int, channels: Int = 2) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(count * channels)
    for index in 0..<count {
      let seconds = Double(index) / Double(rate)
      for channel in 0..<channels { samples.append(Float(value(at: seconds, channel: channel))) }
    }
    return samples
  }
}

/// A WAV file of 16-bit samples.
struct WAVFile {
  var rate = 48_000
  var channels = 2
  var samples: [Int16]

  init(_ sound: [Float], rate: Int = 48_000, channels: Int = 2) {
    self.rate = rate
    self.channels = channels
    samples = sound.map { Int16(($0 * 32_767).rounded()) }
  }

  var bytes: [UInt8] {
    let length = samples.count * 2
    var bytes = Array("RIFF".utf8) + little(36 + length) + Array("WAVEfmt ".utf8)
    bytes += little(16) + [1, 0, UInt8(channels), 0] + little(rate)
    bytes += little(rate * channels * 2) + [UInt8(channels * 2), 0, 16, 0]
    bytes += Array("data".utf8) + little(length)
    bytes.reserveCapacity(bytes.count + length)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return bytes
  }

  private func little(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

/// How far `samples` are from `reference`, in decibels of the reference's power.
func signalToNoise(_ reference: ArraySlice<Float>, _ samples: ArraySlice<Float>) -> Double {
  var (signal, noise) = (0.0, 1e-30)
  for (expected, found) in zip(reference, samples) {
    signal += Double(expected) * Double(expected)
    noise += (Double(expected) - Double(found)) * (Double(expected) - Double(found))
  }
  return 10 * log10(signal / noise)
}
