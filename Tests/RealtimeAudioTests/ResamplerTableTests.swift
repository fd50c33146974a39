// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import RealtimeAudio
import Testing

/// The resampler's figures at every device rate; `tools/bench` prints them from a release build.
@Suite(.serialized) struct ResamplerTableTests {
  static let rates = [44_100, 48_000, 88_200, 96_000, 192_000]
  /// What a servo and two crystals may ask for; not a round ratio, so every phase of the table is met.
  static let ppm = 137.0

  /// What comes out for a tone: its level against what went in, and all that is not the tone, in dB.
  func measure(_ hertz: Double, rate: Int, frames: Int = 4_800) -> (level: Double, rest: Double) {
    var player = LanePlayer(deviceRate: rate)
    player.order.step = UInt64(48_000 / Double(rate) * (1 + Self.ppm * 1e-6) * 0x1p32)
    player.fill(0) { tone(hertz, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    for _ in 0..<frames / 480 {
      player.play()
      player.extend(0, frames: min(player.bank[0].room, 600)) { tone(hertz, at: $0) }
    }
    #expect(player.underrunFrames == 0)
    let step = Double(player.order.step) * 0x1p-32
    let fit = fitTone(player.left, turnsPerSample: hertz / 48_000 * step)
    return (20 * log10(fit.amplitude / 0.5), fit.rest)
  }

  @Test(arguments: rates)
  func `every rate is clean to 18 kHz and flat to 20`(rate: Int) {
    let rests = [1_000.0, 15_000, 18_000].map { measure($0, rate: rate, frames: 24_000).rest }
    let passBand = [20.0, 1_000, 5_000, 10_000, 15_000, 18_000]
    let levels = passBand.map { measure($0, rate: rate).level }
    let at20 = measure(20_000, rate: rate).level
    let ripple = (levels.max() ?? 0) - (levels.min() ?? 0)
    print(
      "resampler \(rate) Hz: THD+N \(rests.map(short)) dB at 1/15/18 kHz,"
        + " ripple \(short(ripple)) dB to 18 kHz, \(short(at20)) dB at 20 kHz,"
        + " corner (-3 dB) \(Int(corner(rate))) Hz, \(short(speed(rate))) times real time")
    #expect(rests[0] < -120)
    #expect(rests[1] < -120)
    #expect(rests[2] < -110)
    #expect(ripple < 0.01)
    #expect(at20 > -1)
  }

  @Test(arguments: [(23_000.0, -45.0), (23_500, -100)])
  func `what a 44.1 kHz device would fold back is taken out`(hertz: Double, limit: Double) {
    let level = measure(hertz, rate: 44_100).level
    print("resampler 44100 Hz: \(hertz) Hz, which would fold, \(short(level)) dB")
    #expect(level < limit)
  }

  @Test(arguments: [88_200, 96_000, 192_000], [1_000.0, 10_000, 18_000, 20_000])
  func `images above 24 kHz stay below -100 dB`(rate: Int, hertz: Double) {
    // All that is not the tone: the image at 48 kHz - f is the largest part of it.
    let rest = measure(hertz, rate: rate).rest
    if hertz > 15_000 { print("resampler \(rate) Hz: image of \(hertz) Hz \(short(rest)) dB") }
    #expect(rest < -100)
  }

  private func corner(_ rate: Int) -> Double {
    var (low, high) = (18_000.0, 23_999.0)
    while high - low > 25 {
      let middle = ((low + high) / 2).rounded()
      if measure(middle, rate: rate).level > -3 {
        low = middle
      } else {
        high = middle
      }
    }
    return low
  }

  /// Seconds of sound rendered in a second.
  private func speed(_ rate: Int) -> Double {
    var player = LanePlayer(deviceRate: rate)
    player.order.step = UInt64(48_000 / Double(rate) * (1 + Self.ppm * 1e-6) * 0x1p32)
    player.start()
    let block = rate / 100
    var samples = [Float](repeating: 0, count: 2 * block)
    let begin = seconds()
    for _ in 0..<200 {
      samples.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress {
          player.renderer.render(player.order, into: base, frames: block)
        }
      }
      player.order.jumpTo = nil
    }
    return 2 / (seconds() - begin)
  }

  private func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func short(_ value: Double) -> String {
    abs(value) < 1 ? "\((value * 10_000).rounded() / 10_000)" : "\((value * 10).rounded() / 10)"
  }
}
