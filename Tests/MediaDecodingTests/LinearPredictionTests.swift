// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc
import Testing

@testable import MediaDecoding

@Suite struct LinearPredictionTests {
  @Test func `partials go on as they were`() {
    let sound = Sound.frames(1_200, rate: 44_100)
    let continued = LinearPrediction.continuation(of: Array(sound[..<2_048]), frames: 40)
    #expect(signalToNoise(sound[2_048..<2_128], continued[...]) > 40)
  }

  @Test func `silence stays silence`() {
    let continued = LinearPrediction.continuation(of: .init(repeating: 0, count: 2_048), frames: 50)
    #expect(continued == .init(repeating: 0, count: 100))
  }

  @Test(arguments: [0, 1, 2, 63, 64, 65, 200])
  func `any number of samples can be continued`(frames: Int) {
    let continued = LinearPrediction.continuation(
      of: Sound.frames(frames, rate: 48_000), frames: 10)
    #expect(continued.count == 20)
    #expect(continued.allSatisfy { $0.magnitude < 1 })
  }

  @Test func `a step does not run away`() {
    let step = [Float](repeating: 0, count: 1_024) + [Float](repeating: 0.5, count: 1_024)
    #expect(peak(of: step, over: 2_000) < 1)
  }

  @Test func `a ramp does not run away`() {
    let ramp = (0..<2_048).map { Float($0 / 2) / 1_024 }
    #expect(peak(of: ramp, over: 2_000) < 2)
  }

  @Test func `one wild sample does not run away`() {
    var sound = Sound.frames(1_024, rate: 48_000)
    sound[2_000] = 2
    #expect(peak(of: sound, over: 2_000) < 4)
  }

  @Test(arguments: 0..<UInt64(20))
  func `noise fades away`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let noise = (0..<2_048).map { _ in Float.random(in: -1...1, using: &random) }
    let continued = LinearPrediction.continuation(of: noise, frames: 2_000)
    #expect(continued.allSatisfy { $0.magnitude < 3 })
    #expect(continued.suffix(200).allSatisfy { $0.magnitude < 0.1 })
  }

  private func peak(of samples: [Float], over frames: Int) -> Float {
    LinearPrediction.continuation(of: samples, frames: frames).reduce(0) { max($0, abs($1)) }
  }
}

/// Steele and others' SplitMix64: small, seeded, the same everywhere.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
