// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import Testing

@Suite struct ReadingPlanTests {
  static let steps: [Int64] = [1, 2, 48, 128, 441, 480, 1_024]

  @Test(arguments: steps)
  func `the first frame can be placed within 100 microseconds after 300 ms, whatever the step`(
    step: Int64
  ) {
    var worst = 0.0
    for seed in 1...40 as ClosedRange<UInt64> {
      var card = VirtualCard(seed: seed, ppm: Double(seed) * 5 - 100, granularity: step)
      card.pass(0.02 * card.random.unit())
      var model = DACModel(rate: 48_000)
      // A step of 21 ms needs more of them to be recognised.
      card.watch(by: &model, seconds: step > 480 ? 0.42 : 0.28)
      #expect(model.isSettled, "step \(step), seed \(seed)")
      worst = max(worst, abs(card.error(of: model)))
    }
    print("step of \(step) frames: first frame within \(worst) us after 300 ms")
    #expect(worst < 100)
  }

  @Test(arguments: steps)
  func `after five seconds every step is followed within 5 microseconds`(step: Int64) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var card = VirtualCard(seed: seed, ppm: 40, granularity: step)
      var model = DACModel(rate: 48_000)
      card.watch(by: &model, seconds: 5)
      var worst = 0.0
      card.watch(by: &model, seconds: 20) { worst = max(worst, abs($1.error(of: $0))) }
      if seed == 1 { print("step of \(step) frames: within \(worst) us from 5 s on") }
      #expect(worst < 5)
    }
  }

  @Test(arguments: [48, 480] as [Int64])
  func `watching costs less than half a percent of the time at first, then a quarter`(step: Int64) {
    var card = VirtualCard(seed: 2, ppm: 40, granularity: step)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 1)
    let early = card.secondsWatched
    card.watch(by: &model, seconds: 60)
    let later = (card.secondsWatched - early) / 60
    print(
      "step of \(step) frames: watches \(early * 100) % of the first second, then \(later * 100) %;"
        + " \(card.readings) readings in 61 s, \(card.plan.edgesSeen) edges")
    #expect(early < 0.005)
    #expect(later < 0.0025)
    #expect(card.plan.edgesSeen > 61 * 7 / 2)
  }

  @Test func `readings of an exact pointer are left alone`() {
    var card = VirtualCard(seed: 3, ppm: 40)
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 10)
    #expect((950...1_060).contains(card.readings))
    #expect(card.plan.edgesSeen == 0)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a pointer that moves by 44 or 45 frames is followed by chance`(seed: UInt64) {
    // USB at 44.1 kHz: a packet each millisecond holds what has come together since the last.
    var card = VirtualCard(seed: seed, ppm: 40, rate: 44_100)
    card.stepsPerSecond = 1_000
    var model = DACModel(rate: 44_100)
    card.watch(by: &model, seconds: 10)
    var errors: [Double] = []
    card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
    print(
      "44 or 45 frames, seed \(seed): p99 \(percentile(0.99, of: errors)) us,"
        + " \(card.plan.edgesSeen) edges")
    #expect(percentile(0.99, of: errors) < 30)
  }

  @Test(arguments: [48, 480] as [Int64])
  func `a pointer moved late by a busy interrupt is read where it is not late`(step: Int64) {
    var card = VirtualCard(seed: 4, ppm: 40, granularity: step)
    card.edgeDelay = 100e-6
    var model = DACModel(rate: 48_000)
    card.watch(by: &model, seconds: 10)
    var errors: [Double] = []
    card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
    print("edges late by up to 100 us, step \(step): p99 \(percentile(0.99, of: errors)) us")
    #expect(percentile(0.99, of: errors) < 60)
  }

  @Test func `an order is never longer than 300 microseconds and ends before the block`() {
    var card = VirtualCard(seed: 5, ppm: -900, granularity: 480)
    var model = DACModel(rate: 48_000)
    var plan = ReadingPlan()
    for _ in 0..<2_000 {
      card.pass(0.01)
      model.observe(framesHeard: card.pointer, at: card.now)
      plan.observe(framesHeard: card.pointer, at: card.now, uncertainty: .zero, model: model)
      let wake = card.now + .milliseconds(10)
      var orders = 0
      while let order = plan.order(after: card.now, before: wake, model: model) {
        orders += 1
        #expect(order.until < wake)
        #expect(order.until - order.from <= .microseconds(300))
      }
      #expect(orders <= 3)
    }
  }

  @Test func `wild readings never trap`() {
    var random = SeededRandom(seed: 6)
    var model = DACModel(rate: 48_000)
    var plan = ReadingPlan()
    for _ in 0..<20_000 {
      let frame = Int64(truncatingIfNeeded: random.next()) >> (random.next() % 64)
      let now = LocalInstant(nanoseconds: Int64(truncatingIfNeeded: random.next()) >> 2)
      model.observe(framesHeard: frame, at: now)
      plan.observe(framesHeard: frame, at: now, uncertainty: .zero, model: model)
      _ = plan.order(after: now, before: now + .milliseconds(10), model: model)
    }
    #expect(plan.edgesSeen >= 0)
  }
}
