// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Glibc
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

  /// Whether the real servo, its error scaled by `gain` and late by `delay` blocks, comes to rest.
  func comesToRest(gain: Double, delay: Int, isQuick: Bool = false) -> Bool {
    var servo = isQuick ? Servo() : steadyServo()
    // Far below every limit, so that the loop is linear.
    var errors = Array(repeating: 1e-9, count: delay + 1)
    // The quick seconds are three; the steady ones can be watched for longer.
    let blocks = isQuick ? 290 : 20_000
    for _ in 0..<blocks {
      guard
        case .steer(let ratio) = servo.decide(
          error: gain * errors[errors.count - 1 - delay], block: Self.block)
      else { return false }
      errors.append(errors[errors.count - 1] + ratio * Self.block)
    }
    // A loop past its margin grows until a limit holds it: it never comes below where it began.
    return errors.suffix(blocks / 4).allSatisfy { abs($0) < 0.5e-9 }
  }

  @Test func `gain margin: the steady loop stands 200 times its gain, the quick one 50 times`() {
    #expect(comesToRest(gain: 195, delay: 0))
    #expect(!comesToRest(gain: 205, delay: 0))
    #expect(comesToRest(gain: 49, delay: 0, isQuick: true))
    #expect(!comesToRest(gain: 51.5, delay: 0, isQuick: true))
  }

  @Test func `phase margin: 1.57 s of dead time, 90 degrees at unity gain, are needed to upset it`()
  {
    // pi/2 s less half a block of hold: 156 or 157 blocks.
    #expect(comesToRest(gain: 1, delay: 150))
    #expect(!comesToRest(gain: 1, delay: 163))
    // Half the dead time at twice the gain: the same margin, as of an integrator alone.
    #expect(comesToRest(gain: 2, delay: 74))
    #expect(!comesToRest(gain: 2, delay: 82))
  }

  @Test(arguments: [0.001, 0.005, 0.01, 0.02, 0.05])
  func `margin against the block: blocks of 1 to 50 ms decay alike`(block: Double) {
    var servo = Servo()
    for _ in 0..<Int(4 / block) { _ = servo.decide(error: 0, block: block) }
    var error = 20e-6
    var largest = 0.0
    for _ in 0..<Int(1 / block) {
      if case .steer(let ratio) = servo.decide(error: error, block: block) {
        error += ratio * block
      }
      largest = max(largest, -error)
    }
    // One time constant: 1/e, 36.8 %, and the slew limit's little.
    #expect(abs(error / 20e-6 - 0.37) < 0.035, "\(error)")
    #expect(largest == 0)
  }

  @Test func `noise bandwidth: white errors pass with the power of a quarter of a hertz`() {
    var servo = steadyServo()
    var random = SeededRandom(seed: 4)
    var position = 0.0
    var power = 0.0
    let blocks = 400_000
    // 1 us even noise, so small that no limit acts.
    for _ in 0..<blocks {
      let noise = (random.unit() - 0.5) * 1e-6
      if case .steer(let ratio) = servo.decide(error: position + noise, block: Self.block) {
        position += ratio * Self.block
      }
      power += position * position
    }
    let bandwidth = power / Double(blocks) / (1e-12 / 12) / (2 * Self.block)
    print("servo: noise bandwidth \(bandwidth) Hz")
    #expect(abs(bandwidth - 0.25) < 0.03)
  }
}

@Suite struct ServoHourTests {
  @Test func `an hour on quantised readings leaves no line in the servo's spectrum`() {
    var bench = PumpBench(seed: 12, ppm: 40)
    bench.card.wander = 0.01e-6
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 1_500)
    var trims: [Double] = []
    var worst = 0.0
    for _ in 0..<360_000 {
      bench.orders.removeAll(keepingCapacity: true)
      bench.errors.removeAll(keepingCapacity: true)
      bench.run(blocks: 1)
      trims.append(bench.pump.trim.value)
      worst = max(worst, bench.errors.map { abs($0) }.max() ?? 0)
    }
    let spectrum = amplitudes(
      of: trims, cyclesPerSegment: [1, 2, 5, 10, 20, 50, 100, 200, 500, 2_000])
    let line = spectrum.max() ?? .nan
    let largest = trims.map { abs($0) }.max() ?? .nan
    let mean = trims.reduce(0, +) / Double(trims.count)
    print(
      "servo, one hour: largest \(largest) ppm, mean \(mean) ppm, largest line \(line) ppm,"
        + " worst block \(worst) us")
    #expect(bench.pump.resyncs == 0)
    #expect(line < 0.1)
    #expect(largest < 5)
    #expect(worst < 8)
  }

  /// Mean amplitude of sines over segments of 100 s: a limit cycle would stand out at its period.
  func amplitudes(of values: [Double], cyclesPerSegment: [Double]) -> [Double] {
    let length = 10_000
    return cyclesPerSegment.map { cycles in
      var sum = 0.0
      var segments = 0.0
      for start in stride(from: 0, to: values.count - length + 1, by: length) {
        // Goertzel's recursion.
        let turn = 2 * cos(2 * .pi * cycles / Double(length))
        var (one, two) = (0.0, 0.0)
        for value in values[start..<start + length] { (one, two) = (value + turn * one - two, one) }
        sum += (one * one + two * two - turn * one * two).squareRoot() * 2 / Double(length)
        segments += 1
      }
      return sum / segments
    }
  }
}
