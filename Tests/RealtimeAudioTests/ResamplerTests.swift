// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import RealtimeAudio
import Testing

/// What is left of `samples` beside a sine of `turnsPerSample`, relative to the sine, in dB.
///
/// Least squares for sine and cosine over the whole stretch; a constant counts as distortion.
func distortion(_ samples: [Float], turnsPerSample: Double) -> Double {
  fitTone(samples, turnsPerSample: turnsPerSample).rest
}

/// The same, and the sine's amplitude.
func fitTone(
  _ samples: [Float], turnsPerSample: Double
) -> (rest: Double, amplitude: Double) {
  let basis = samples.indices.map { index in
    let angle = 2 * Double.pi * (Double(index) * turnsPerSample)
    return (sin: sin(angle), cos: cos(angle))
  }
  var (s, c, ss, sc, cc) = (0.0, 0.0, 0.0, 0.0, 0.0)
  for (sample, wave) in zip(samples, basis) {
    s += wave.sin * Double(sample)
    c += wave.cos * Double(sample)
    ss += wave.sin * wave.sin
    sc += wave.sin * wave.cos
    cc += wave.cos * wave.cos
  }
  let determinant = ss * cc - sc * sc
  let a = (s * cc - c * sc) / determinant
  let b = (c * ss - s * sc) / determinant
  var (residue, signal) = (0.0, 0.0)
  for (sample, wave) in zip(samples, basis) {
    let fitted = a * wave.sin + b * wave.cos
    signal += fitted * fitted
    residue += (Double(sample) - fitted) * (Double(sample) - fitted)
  }
  return (10 * log10(residue / signal), (a * a + b * b).squareRoot())
}

@Suite struct ResamplerTests {
  /// Plays a tone for about `seconds` and measures what is not the tone.
  func measure(
    hertz: Double, ppm: Double, deviceRate: Int = 48_000, seconds: Double = 1
  ) -> Double {
    var player = LanePlayer(deviceRate: deviceRate)
    let step = 48_000 / Double(deviceRate) * (1 + ppm * 1e-6)
    player.order.step = UInt64(step * 0x1p32)
    player.fill(0) { tone(hertz, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    for _ in 0..<Int(seconds * Double(deviceRate) / 480) {
      player.play()
      player.extend(0, frames: min(player.bank[0].room, 600)) { tone(hertz, at: $0) }
    }
    #expect(player.underrunFrames == 0)
    let exactStep = Double(player.order.step) * 0x1p-32
    return distortion(player.left, turnsPerSample: hertz / 48_000 * exactStep)
  }

  @Test func `music passes untouched at a whole position and unity step`() {
    var player = LanePlayer()
    player.fill(0) { tone(997, at: $0) + tone(11_025, amplitude: 0.3, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    for _ in 0..<4 { player.play() }
    let worst = player.left.enumerated().map { index, sample in
      let frame = LanePlayer.origin.index + Int64(index)
      return abs(sample - (tone(997, at: frame) + tone(11_025, amplitude: 0.3, at: frame)))
    }.max()
    #expect((worst ?? 1) < 1e-6)
  }

  @Test(arguments: [(1_000.0, -130.0), (15_000.0, -120.0), (18_000.0, -115.0)])
  func `distortion at +137 ppm stays below what anybody hears`(hertz: Double, limit: Double) {
    let measured = measure(hertz: hertz, ppm: 137)
    #expect(measured < limit, "\(hertz) Hz: \(measured) dB")
  }

  @Test(arguments: [(44_100, 1_000.0), (44_100, 15_000.0), (96_000, 15_000.0), (192_000, 15_000.0)])
  func `other device rates are as clean`(deviceRate: Int, hertz: Double) {
    let measured = measure(hertz: hertz, ppm: -60, deviceRate: deviceRate, seconds: 0.5)
    #expect(measured < -115, "\(deviceRate), \(hertz) Hz: \(measured) dB")
  }

  @Test func `what a 44.1 kHz device cannot play is taken out, not folded back`() {
    var player = LanePlayer(deviceRate: 44_100)
    player.order.step = (UInt64(48_000) << 32) / 44_100
    player.fill(0) { tone(23_500, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    for _ in 0..<8 { player.play() }
    let loudest = player.left.dropFirst(200).map { abs($0) }.max() ?? 1
    #expect(loudest < 0.5 * 0.001, "\(loudest)")
  }

  @Test func `the position is the centre of the filter`() {
    // An impulse a quarter frame after the position appears a quarter frame late: its centroid says so.
    var player = LanePlayer()
    let impulse = LanePlayer.origin + 200
    player.fill(0) { $0 == impulse.index ? 1 : 0 }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start(at: MediaPosition(frame: LanePlayer.origin, fraction: 1 << 30))
    player.play()
    let sum = player.left.reduce(0) { $0 + Double($1) }
    let moment = player.left.enumerated().reduce(0.0) {
      $0 + Double($1.offset) * Double($1.element)
    }
    #expect(abs(moment / sum - 199.75) < 1e-3)
    #expect(abs(sum - 1) < 1e-4)
  }

  @Test func `a step that changes from block to block leaves no trace`() {
    var player = LanePlayer()
    player.fill(0) { tone(1_000, at: $0) }
    player.cue(0, at: LanePlayer.origin - 2_000)
    player.start()
    player.play()
    var worst = 0.0
    for block in 0..<100 {
      player.order.step = UInt64((1 + 200e-6 * sin(Double(block) / 8)) * 0x1p32)
      let start = player.renderer.position
      player.play()
      for (index, sample) in player.left.suffix(480).enumerated() {
        let offset = Double(start.fraction) * 0x1p-32
        let phase = Double(start.frame.index % 48_000) + offset
        let due = phase + Double(index) * Double(player.order.step) * 0x1p-32
        worst = max(worst, abs(Double(sample) - 0.5 * sin(2 * .pi * due / 48)))
      }
      player.extend(0, frames: min(player.bank[0].room, 600)) { tone(1_000, at: $0) }
    }
    #expect(worst < 1e-6, "\(worst)")
  }
}
