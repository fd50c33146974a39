// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import Testing

// What drivers have been seen to say in their first second, and when they stall: each is found and
// corrected, on exact pointers and on coarse ones.

@Suite struct LyingDeviceTests {
  static let pointers: [Int64] = [1, 48, 480]

  /// A card that was started now, and its model.
  func start(_ step: Int64, seed: UInt64 = 1, ppm: Double = 40) -> (VirtualCard, DACModel) {
    var card = VirtualCard(seed: seed, ppm: ppm, granularity: step)
    card.pass(1e-4)
    var model = DACModel(rate: 48_000)
    model.started(at: card.start, frame: 0)
    return (card, model)
  }

  @Test(arguments: pointers)
  func `a delay of zero for the first 200 ms is not believed`(step: Int64) {
    var (card, model) = start(step)
    // All that was written counts as heard: 45 ms before it is.
    card.lie = { pointer, elapsed in elapsed < 0.2 ? pointer + 2_160 : pointer }
    card.watch(by: &model, seconds: 0.2)
    #expect(!model.isSettled)
    card.watch(by: &model, seconds: 0.4)
    #expect(model.isSettled)
    #expect(abs(card.error(of: model)) < 100)
    #expect(model.phaseSteps == 0)
  }

  @Test(arguments: pointers)
  func `a pointer that stands still at first says nothing until it moves`(step: Int64) {
    var (card, model) = start(step)
    card.lie = { pointer, elapsed in elapsed < 0.15 ? 0 : pointer }
    card.watch(by: &model, seconds: 0.14)
    #expect(!model.isSettled)
    card.watch(by: &model, seconds: 0.4)
    #expect(abs(card.error(of: model)) < 100)
    #expect(model.phaseSteps == 0)
  }

  @Test(arguments: pointers, [-288, 288] as [Int64])
  func `a delay that is 6 ms wrong for the first second is corrected 300 ms later`(
    step: Int64, lie: Int64
  ) {
    var (card, model) = start(step)
    card.lie = { pointer, elapsed in elapsed < 1 ? pointer + lie : pointer }
    card.watch(by: &model, seconds: 1.35)
    print("6 ms wrong, step \(step): \(card.error(of: model)) us after 350 ms")
    #expect(abs(card.error(of: model)) < 100)
    card.watch(by: &model, seconds: 4)
    #expect(abs(card.error(of: model)) < 5)
    #expect(abs(model.frequency.value - 40) < 2)
  }

  @Test(arguments: pointers, [-0.3, -0.15, 0.15, 0.3])
  func `step: after a stall or a skip the device is known again in less than half a second`(
    step: Int64, stall: Double
  ) {
    for seed in 1...5 as ClosedRange<UInt64> {
      var (card, model) = start(step, seed: seed)
      card.watch(by: &model, seconds: 20)
      card.stall(stall)
      var lastWrong = 0.0
      let begin = card.elapsed
      card.watch(by: &model, seconds: 2) { model, card in
        // While it is not settled the room is silent.
        if model.isSettled, abs(card.error(of: model)) > 20 { lastWrong = card.elapsed - begin }
      }
      #expect(lastWrong < 0.3, "wrong for \(lastWrong) s, seed \(seed)")
      #expect(model.isSettled)
      #expect(model.phaseSteps == 1)
      #expect(abs(model.frequency.value - 40) < 1, "the rate is kept")
    }
  }

  @Test(arguments: pointers)
  func `step: a stall shorter than a coarse pointer's step is found too`(step: Int64) {
    var (card, model) = start(step)
    card.watch(by: &model, seconds: 20)
    card.stall(0.004)
    card.watch(by: &model, seconds: 0.8)
    #expect(abs(card.error(of: model)) < 20)
    #expect(abs(model.frequency.value - 40) < 2)
  }

  @Test(arguments: pointers)
  func `outlier: readings that fail, or one in ten wildly wrong, change nothing`(step: Int64) {
    var (card, model) = start(step)
    var random = SeededRandom(seed: 9)
    card.watch(by: &model, seconds: 5)
    card.lie = { pointer, _ in
      let draw = random.unit()
      if draw < 0.3 { return nil }
      return draw < 0.4 ? pointer + Int64(4_000 * random.unit() - 2_000) : pointer
    }
    var errors: [Double] = []
    card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
    print("outliers, step \(step): p99 \(percentile(0.99, of: errors)) us")
    #expect(percentile(0.99, of: errors) < 30)
    #expect(model.phaseSteps == 0)
  }

  @Test(arguments: pointers, [100, 500] as [Int64])
  func `stamps that are 100 to 500 us uncertain still find the edge`(step: Int64, doubt: Int64) {
    var (card, model) = start(step)
    card.uncertainty = .microseconds(doubt)
    card.watch(by: &model, seconds: 5)
    var errors: [Double] = []
    card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
    print("stamps +-\(doubt) us, step \(step): p99 \(percentile(0.99, of: errors)) us")
    #expect(percentile(0.99, of: errors) < Double(2 * doubt))
  }

  @Test(arguments: pointers, [-1_500, 1_500] as [Double])
  func `1500 ppm are found at every step`(step: Int64, ppm: Double) {
    var (card, model) = start(step, ppm: ppm)
    card.watch(by: &model, seconds: 5)
    var errors: [Double] = []
    card.watch(by: &model, seconds: 20) { errors.append(abs($1.error(of: $0))) }
    print("\(ppm) ppm, step \(step): p99 \(percentile(0.99, of: errors)) us")
    #expect(percentile(0.99, of: errors) < 10)
  }
}

@Suite struct PriorTests {
  /// The largest error from `start` to `start` + 1 s, in microseconds, over 20 seeds.
  func worst(_ step: Int64, prior: Double?, from start: Double) -> Double {
    var worst = 0.0
    for seed in 1...20 as ClosedRange<UInt64> {
      var card = VirtualCard(seed: seed, ppm: 120, granularity: step)
      var model = DACModel(rate: 48_000, priorFrequency: prior.map { PartsPerMillion($0) })
      card.watch(by: &model, seconds: start)
      card.watch(by: &model, seconds: 1) { worst = max(worst, abs($1.error(of: $0))) }
    }
    return worst
  }

  @Test(arguments: LyingDeviceTests.pointers)
  func `a card met before settles faster, and one that was swapped hardly slower`(step: Int64) {
    let unknown = worst(step, prior: nil, from: 0.3)
    let known = worst(step, prior: 121, from: 0.3)
    let swapped = worst(step, prior: -120, from: 0.3)
    let swappedLater = worst(step, prior: -120, from: 2)
    print(
      "step \(step), 0.3-1.3 s: unknown \(unknown), known \(known), swapped \(swapped) us;"
        + " swapped, 2-3 s \(swappedLater) us")
    #expect(known < unknown)
    #expect(known < 20)
    #expect(swapped < 100)
    #expect(swappedLater < 25)
  }

  @Test(arguments: LyingDeviceTests.pointers)
  func `what is kept for the next start is right to one ppm, and known within 15 seconds`(
    step: Int64
  ) {
    for seed in 1...10 as ClosedRange<UInt64> {
      var card = VirtualCard(seed: seed, ppm: 77, granularity: step)
      var model = DACModel(rate: 48_000)
      card.watch(by: &model, seconds: 15) { model, _ in
        if model.isFrequencyKnown { #expect(abs(model.frequency.value - 77) < 1.5) }
      }
      #expect(model.isFrequencyKnown)
    }
  }
}
