// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import Testing

@Suite struct DACModelTests {
  @Test(arguments: [0, 40, -35, 150, -150, 1_500, -1_500] as [Double])
  func `ramp: a crystal of any error is found within 5 seconds`(ppm: Double) {
    var card = VirtualCard(seed: 1, ppm: ppm)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 5)
    var errors: [Double] = []
    card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
    print("card \(ppm) ppm: found \(model.frequency.value), p99 \(percentile(0.99, of: errors)) us")
    #expect(abs(model.frequency.value - ppm) < 0.5)
    #expect(percentile(0.99, of: errors) < 4)
  }

  @Test func `the first frame can be placed within 30 microseconds after 300 ms`() {
    for seed in 1...20 as ClosedRange<UInt64> {
      var card = VirtualCard(seed: seed, ppm: Double(seed) * 10 - 100)
      var model = DACModel(rate: 48_000)
      card.watch(by: &model, seconds: 0.3)
      #expect(model.isSettled)
      #expect(abs(card.error(of: model)) < 30)
    }
  }

  @Test(arguments: [48, 480] as [Int64])
  func `noise: a pointer that moves in steps is read at its edge, not at its middle`(
    granularity: Int64
  ) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var card = VirtualCard(seed: seed, ppm: 40, granularity: granularity)
      var model = DACModel(rate: 48_000)
      card.watch(by: &model, seconds: 10)
      var errors: [Double] = []
      card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
      print(
        "granularity \(granularity): p50 \(percentile(0.5, of: errors)) p99 \(percentile(0.99, of: errors)) us"
      )
      #expect(percentile(0.99, of: errors) < 4)
    }
  }

  @Test func `step: a stall moves the phase and keeps the rate`() {
    var card = VirtualCard(seed: 3, ppm: 40)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 20)
    card.stall(0.005)
    card.watch(by: &model, seconds: 1)
    #expect(model.phaseSteps == 1)
    #expect(abs(card.error(of: model)) < 10)
    #expect(abs(model.frequency.value - 40) < 1)
  }

  @Test func `step: a device that skips ahead is followed after five readings`() {
    var card = VirtualCard(seed: 4, ppm: -35)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 20)
    card.stall(-0.005)
    card.watch(by: &model, seconds: 0.3)
    #expect(model.phaseSteps == 1)
    #expect(abs(card.error(of: model)) < 25)
    #expect(abs(model.frequency.value + 35) < 1)
  }

  @Test(arguments: [-20, -2, 2, 20] as [Double])
  func `outlier: one wrong reading moves nothing`(milliseconds: Double) {
    var card = VirtualCard(seed: 5, ppm: 40)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 20)
    card.pass(0.01)
    model.observe(
      framesHeard: card.pointer, at: card.now + Nanoseconds(seconds: milliseconds * 1e-3),
      uncertainty: .zero)
    card.watch(by: &model, seconds: 0.5) { #expect(abs($1.error(of: $0)) < 8) }
    #expect(model.phaseSteps == 0)
    #expect(abs(model.frequency.value - 40) < 0.5)
  }

  @Test func `a restarted device keeps its crystal and loses its phase`() {
    var card = VirtualCard(seed: 6, ppm: 100)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 20)
    model.restart()
    #expect(!model.isSettled)
    #expect(model.heard(0) == nil)
    card.stall(0.5)
    card.watch(by: &model, seconds: 0.2)
    #expect(model.isSettled)
    #expect(abs(model.frequency.value - 100) < 1)
    #expect(abs(card.error(of: model)) < 10)
  }

  @Test(arguments: [1, 48, 480] as [Int64])
  func `a wandering crystal is followed`(granularity: Int64) {
    var card = VirtualCard(seed: 7, ppm: 0, granularity: granularity)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 10)
    var errors: [Double] = []
    for _ in 0..<300 {
      card.crystal += 20e-6 / 300
      card.watch(by: &model, seconds: 1) { errors.append(abs($1.error(of: $0))) }
    }
    print(
      "card wanders 20 ppm in 300 s, steps of \(granularity): p99 \(percentile(0.99, of: errors)) us"
    )
    #expect(percentile(0.99, of: errors) < 10)
  }

  @Test func `wild numbers never trap`() {
    var random = SeededRandom(seed: 8)
    var model = DACModel(rate: 48_000)
    for _ in 0..<20_000 {
      model.observe(
        framesHeard: Int64(truncatingIfNeeded: random.next()) >> 20,
        at: LocalInstant(nanoseconds: Int64(truncatingIfNeeded: random.next()) >> 2),
        uncertainty: .zero)
      _ = model.heard(Int64(truncatingIfNeeded: random.next()))
    }
    #expect(model.phaseSteps >= 0)
  }
}
