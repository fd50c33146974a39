// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Playout
import Testing

@Suite struct ServoTests {
  static let block = 0.01

  /// A servo past its quick first seconds.
  func steadyServo() -> Servo {
    var servo = Servo()
    for _ in 0..<400 { _ = servo.decide(error: 0, block: Self.block) }
    return servo
  }

  /// Runs the loop on its plant, an integrator.
  ///
  /// - Returns: The error at each block, and the ratio applied in it.
  func run(
    _ servo: inout Servo, from start: Double, seconds: Double,
    disturbance: (Int) -> Double = { _ in 0 }
  ) -> [(error: Double, trim: Double)] {
    var error = start
    var history: [(Double, Double)] = []
    for index in 0..<Int(seconds / Self.block) {
      switch servo.decide(error: error, block: Self.block) {
      case .steer(let ratio):
        history.append((error, ratio))
        error += (ratio + disturbance(index)) * Self.block
      case .jump:
        history.append((error, .infinity))
        error = 0
      }
    }
    return history
  }

  @Test func `step: 100 microseconds decay without overshoot within the limits of speed`() {
    var servo = steadyServo()
    let history = run(&servo, from: 100e-6, seconds: 10)
    #expect(history.allSatisfy { $0.error > -1e-6 })
    #expect(abs(history[history.count - 1].error) < 1e-6)
    #expect(history.allSatisfy { abs($0.trim) <= 50e-6 + 1e-12 })
    for (before, after) in zip(history, history.dropFirst()) {
      #expect(abs(after.trim - before.trim) <= 3e-6 + 1e-12)
    }
  }

  @Test func `step: in the first seconds 500 microseconds are gone after one second and a half`() {
    var servo = Servo()
    let history = run(&servo, from: 500e-6, seconds: 1.5)
    #expect(abs(history[history.count - 1].error) < 10e-6)
    #expect(history.allSatisfy { abs($0.trim) <= 1_000e-6 + 1e-12 })
  }

  @Test func `ramp: a rate error leaves that error times tau`() {
    var servo = steadyServo()
    let history = run(&servo, from: 0, seconds: 20) { _ in 0.3e-6 }
    #expect(abs(history[history.count - 1].error - 0.3e-6 * Servo.steadyTau) < 0.01e-6)
  }

  @Test(arguments: [1, 50, 150, 199, 201, 250, 1_000, 1_999] as [Double])
  func `no limit cycle: every error below 2 ms ends in rest`(microseconds: Double) {
    var servo = steadyServo()
    let history = run(&servo, from: microseconds * 1e-6, seconds: 30)
    #expect(history.suffix(500).allSatisfy { abs($0.error) < 0.01e-6 })
    #expect(history.allSatisfy { $0.trim.isFinite })
  }

  @Test func `outlier: two wild blocks steer, the third jumps`() {
    var servo = steadyServo()
    #expect(servo.decide(error: 0.0021, block: Self.block) != .jump)
    #expect(servo.decide(error: 0.0021, block: Self.block) != .jump)
    #expect(servo.decide(error: 0.0001, block: Self.block) != .jump)
    var lost = steadyServo()
    let history = run(&lost, from: 0.003, seconds: 1)
    #expect(history.filter { $0.trim == .infinity }.count == 1)
    #expect(history[2].trim == .infinity)
  }

  @Test func `margin: the loop stays calm with 30 blocks of dead time`() {
    // A loop 1/s with tau = 1 s crosses unity at 1 rad/s: it would oscillate from 1.57 s of delay.
    var servo = steadyServo()
    var errors = Array(repeating: 100e-6, count: 30)
    for _ in 0..<2_000 {
      guard
        case .steer(let ratio) = servo.decide(
          error: errors[errors.count - 30], block: Self.block)
      else { continue }
      errors.append(errors[errors.count - 1] + ratio * Self.block)
    }
    #expect(errors.allSatisfy { $0 > -10e-6 })
    #expect(abs(errors[errors.count - 1]) < 0.1e-6)
  }

  @Test func `noise: white errors of 20 microseconds become trims of less than 25 ppm`() {
    var servo = steadyServo()
    var seed: UInt64 = 99
    var trims: [Double] = []
    for _ in 0..<5_000 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let error = (Double(seed >> 11) * 0x1p-53 - 0.5) * 40e-6
      if case .steer(let ratio) = servo.decide(error: error, block: Self.block) {
        trims.append(abs(ratio))
      }
    }
    #expect(percentile(0.99, of: trims) < 25e-6)
  }
}
