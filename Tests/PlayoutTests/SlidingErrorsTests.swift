// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing

@testable import Playout

@Suite struct ErrorScaleTests {
  @Test func `every size is read back within 8 ns or 0 point 8 percent`() {
    var size: Int64 = 0
    while size < ErrorScale.largest {
      let back = ErrorScale.value(ErrorScale.bucket(size))
      #expect(abs(back - size) <= max(8, size / 128), "\(size) became \(back)")
      size += 1 + size / 301
    }
  }

  @Test func `buckets rise with size, and none is left out of the table`() {
    for bucket in 0..<Int(ErrorScale.count) {
      #expect(ErrorScale.bucket(ErrorScale.value(bucket)) == bucket)
    }
    #expect(ErrorScale.bucket(.max) == Int(ErrorScale.count) - 1)
    #expect(ErrorScale.bucket(.min) == Int(ErrorScale.count) - 1)
  }
}

@Suite struct SlidingErrorsTests {
  /// Blocks of 10 ms, from a moment on, with an error by their number.
  private func feed(
    _ errors: inout SlidingErrors, from start: Double, seconds: Double, _ error: (Int) -> Double
  ) {
    for block in 0..<Int(seconds * 100) {
      let at = LocalInstant(nanoseconds: Int64(start * 1e9) + Int64(block) * 10_000_000)
      errors.add(Int64(error(block) * 1_000), at: at)
    }
  }

  private func report(_ errors: inout SlidingErrors, at seconds: Double) -> SyncErrorReport {
    errors.report(at: LocalInstant(nanoseconds: Int64(seconds * 1e9)))
  }

  private func isNear(_ value: Nanoseconds, _ microseconds: Double) -> Bool {
    abs(value.inMicroseconds - microseconds) <= max(0.008, abs(microseconds) / 127)
  }

  @Test func `nothing heard is nothing measured`() {
    var errors = SlidingErrors()
    #expect(report(&errors, at: 5) == .nothing)
    feed(&errors, from: 10, seconds: 1) { _ in 7 }
    let later = report(&errors, at: 25)
    #expect(later.lastSecond.blocks == 0)
    #expect(later.tenSeconds.blocks == 0)
    #expect(later.fiveMinutes.blocks == 100)
    #expect(report(&errors, at: 500).fiveMinutes.blocks == 0)
  }

  @Test func `a constant offset is in the mean with its sign, and in every size`() {
    for offset in [-250.0, 12, 0.04] {
      var errors = SlidingErrors()
      feed(&errors, from: 1, seconds: 20) { _ in offset }
      let window = report(&errors, at: 20.99).tenSeconds
      #expect(isNear(window.mean, offset))
      #expect(isNear(window.p50, abs(offset)))
      #expect(isNear(window.p99, abs(offset)))
      #expect(isNear(window.max, abs(offset)))
      #expect(window.sounding == .seconds(10))
    }
  }

  @Test func `a step enters the short window first and leaves each after its length`() {
    var errors = SlidingErrors()
    feed(&errors, from: 1, seconds: 300) { _ in 1 }
    feed(&errors, from: 301, seconds: 1) { _ in 500 }
    let during = report(&errors, at: 301.995)
    #expect(isNear(during.lastSecond.p50, 500))
    #expect(isNear(during.tenSeconds.p50, 1))
    #expect(isNear(during.tenSeconds.p99, 500))
    #expect(isNear(during.fiveMinutes.p99, 1))
    #expect(isNear(during.fiveMinutes.max, 500))
    feed(&errors, from: 302, seconds: 290) { _ in 1 }
    let after = report(&errors, at: 591.99)
    #expect(isNear(after.lastSecond.max, 1))
    #expect(isNear(after.tenSeconds.max, 1))
    #expect(isNear(after.fiveMinutes.max, 500))
    feed(&errors, from: 592, seconds: 11) { _ in 1 }
    #expect(isNear(report(&errors, at: 602.99).fiveMinutes.max, 1))
  }

  @Test func `a ramp has its quantiles where they belong`() {
    var errors = SlidingErrors()
    feed(&errors, from: 0, seconds: 300) { Double($0) / 100 }
    let window = report(&errors, at: 299.99).fiveMinutes
    #expect(window.blocks == 30_000)
    #expect(isNear(window.p50, 150))
    #expect(isNear(window.p99, 297))
    #expect(isNear(window.max, 300))
    #expect(isNear(window.mean, 150))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `noise agrees with a plain sort`(seed: UInt64) {
    var random = SplitMix(state: seed)
    var values: [Double] = []
    var errors = SlidingErrors()
    feed(&errors, from: 2, seconds: 40) { _ in
      // Sum of uniforms: near enough to normal, 40 us wide, 10 us late.
      let value = 10 + 40 * ((0..<12).map { _ in random.unit() }.reduce(-6, +))
      values.append(value)
      return value
    }
    let window = report(&errors, at: 41.999).tenSeconds
    let sizes = values.suffix(window.blocks).map(abs).sorted()
    #expect(isNear(window.p50, sizes[sizes.count / 2]))
    #expect(isNear(window.p99, sizes[sizes.count * 99 / 100]))
    #expect(isNear(window.max, sizes[sizes.count - 1]))
    let mean = values.suffix(window.blocks).reduce(0, +) / Double(window.blocks)
    #expect(abs(window.mean.inMicroseconds - mean) < 0.3)
  }

  @Test func `one outlier is the maximum and nothing else`() {
    var errors = SlidingErrors()
    feed(&errors, from: 0, seconds: 10) { $0 == 500 ? 1_900 : 3 }
    let window = report(&errors, at: 9.999).tenSeconds
    #expect(isNear(window.max, 1_900))
    #expect(isNear(window.p99, 3))
    #expect(isNear(window.p50, 3))
  }

  @Test func `a pause shortens what sounded, not what was measured`() {
    var errors = SlidingErrors()
    feed(&errors, from: 0, seconds: 3) { _ in 5 }
    feed(&errors, from: 200, seconds: 4) { _ in 6 }
    let window = report(&errors, at: 203.99).fiveMinutes
    #expect(window.sounding == .seconds(7))
    #expect(window.blocks == 700)
  }

  @Test func `more blocks than memory make the longest window shorter`() {
    var errors = SlidingErrors()
    for block in 0..<200_000 {
      errors.add(Int64(block), at: LocalInstant(nanoseconds: Int64(block) * 1_000_000))
    }
    let window = report(&errors, at: 199.999)
    #expect(window.lastSecond.blocks == 1_000)
    #expect((32_000...SlidingErrors.capacity).contains(window.fiveMinutes.blocks))
    #expect(isNear(window.fiveMinutes.p50, 183.6))
  }

  @Test func `a burst within one moment, and a clock that goes back, are survived`() {
    var errors = SlidingErrors()
    for block in 0..<100_000 {
      errors.add(Int64(block), at: LocalInstant(nanoseconds: block % 3 == 0 ? 0 : 50_000_000_000))
    }
    let window = report(&errors, at: 50)
    #expect(window.fiveMinutes.blocks <= SlidingErrors.capacity)
    #expect(window.fiveMinutes.blocks > 0)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): seeded, so that a failure can be had again.
private struct SplitMix {
  var state: UInt64

  mutating func unit() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }
}
