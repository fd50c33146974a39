// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Playout
import RealtimeAudio
import Testing
import WireProtocol

@Suite struct PlayoutPumpTests {
  @Test(arguments: [44_100, 48_000, 96_000, 192_000], [-35, 0, 40] as [Double])
  func `the first frame is heard within 25 microseconds of its time`(rate: Int, ppm: Double) {
    var bench = PumpBench(seed: 1, ppm: ppm, rate: rate)
    bench.run(blocks: 50 * rate / 48_000)
    let first = bench.frameDue(in: 0.25)
    bench.sound(from: first)
    bench.run(blocks: 60 * rate / 48_000)
    let error = bench.errors.first ?? .nan
    #expect(abs(error) < 25)
    #expect(bench.pump.resyncs == 0)
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `steady sound is in time within 4 microseconds and at true pitch`(seed: UInt64) {
    var bench = PumpBench(seed: seed, ppm: 40)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 500)
    bench.errors = []
    let firstOrder = bench.orders.count
    bench.run(blocks: 2_000)
    let worst = percentile(0.99, of: bench.errors.map { abs($0) })
    print(
      "pump, seed \(seed): p99 \(worst) us, reported \(bench.pump.syncError(at: bench.card.now))")
    #expect(worst < 4)
    let nominal = Double(UInt64(1) << 32) * (1 + 25e-6) / (1 + 40e-6)
    let steady = bench.orders[firstOrder...]
    #expect(steady.allSatisfy { abs(Double($0.order.step) / nominal - 1) < 10e-6 })
    #expect(steady.allSatisfy { $0.order.jumpTo == nil })
  }

  @Test func `the reported sync error agrees with the truth`() {
    var bench = PumpBench(seed: 4, ppm: -35)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 1_500)
    let report = bench.pump.syncError(at: bench.card.now).tenSeconds
    let truth = bench.errors.suffix(1_000).map { abs($0) }
    // Whole tenths of a second, the present one included, less what is still in the device.
    #expect((980...1_000).contains(report.blocks))
    #expect(abs(report.p50.inMicroseconds - percentile(0.5, of: truth)) < 3)
    #expect(abs(report.p99.inMicroseconds - percentile(0.99, of: truth)) < 4)
  }

  @Test func `an error that the servo still works off is reported, not its intention`() {
    var bench = PumpBench(seed: 5, ppm: 0)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 2_000)
    bench.snapshot.latency = .milliseconds(1)
    bench.run(blocks: 30)
    let report = bench.pump.syncError(at: bench.card.now).tenSeconds
    #expect(report.max > .microseconds(900))
  }

  @Test func `a new latency below 2 ms is steered to, a larger one jumped to once`() {
    var bench = PumpBench(seed: 6, ppm: 40)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 500)
    let jumps = bench.jumps
    bench.snapshot.latency = .milliseconds(1)
    bench.run(blocks: 500)
    #expect(bench.jumps == jumps)
    #expect(abs(bench.errors.last ?? .nan) < 5)
    bench.snapshot.latency = .milliseconds(30)
    bench.run(blocks: 300)
    #expect(bench.jumps == jumps + 1)
    #expect(bench.pump.resyncs == 1)
    #expect(abs(bench.errors.last ?? .nan) < 5)
  }

  @Test
  func `while nothing sounds the position is right for every block without jumping each time`() {
    var bench = PumpBench(seed: 7, ppm: 40)
    bench.run(blocks: 600)
    #expect(bench.jumps < 20)
    let errors = bench.orders.suffix(200).map {
      abs(bench.trueError(of: $0.position, at: $0.start))
    }
    #expect(errors.max().map { $0 < 5 } == true)
    #expect(bench.pump.resyncs == 0)
  }

  @Test func `without a clock there is nothing to render`() {
    var bench = PumpBench(seed: 8, ppm: 0)
    let map = bench.snapshot.clockMap
    bench.snapshot.clockMap = nil
    bench.run(blocks: 50)
    #expect(bench.orders.isEmpty)
    bench.snapshot.clockMap = map
    bench.run(blocks: 1)
    #expect(bench.orders.count == 1)
    #expect(bench.orders[0].order.jumpTo != nil)
  }

  @Test func `a restarted device fades out, waits for its phase and comes back in time`() {
    var bench = PumpBench(seed: 9, ppm: 40)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 500)
    bench.pump.deviceRestarted()
    bench.card.stall(0.2)
    bench.run(blocks: 5)
    #expect(bench.orders[bench.orders.count - 1].order.gain == 0)
    bench.run(blocks: 20)
    #expect(bench.orders[bench.orders.count - 1].order.gain == 1)
    #expect(abs(bench.errors.last ?? .nan) < 10)
    #expect(bench.pump.resyncs == 0)
  }

  @Test func `a ramp of the delay is followed without a jump`() {
    var bench = PumpBench(seed: 10, ppm: 40)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 500)
    let jumps = bench.jumps
    bench.snapshot.delay = DelayRamp(
      t0: bench.frameDue(in: 0.5), d0: .seconds(6), d1: .milliseconds(5_990),
      slope: PartsPerMillion(500))
    bench.errors = []
    bench.run(blocks: 3_000)
    let worst = bench.errors.map { abs($0) }.max() ?? .nan
    print("ramp of D at 500 ppm: worst \(worst) us")
    #expect(worst < 10)
    #expect(bench.jumps == jumps)
  }

  @Test func `a cut and a new start elsewhere are exact again`() {
    var bench = PumpBench(seed: 11, ppm: -35)
    bench.run(blocks: 50)
    bench.sound(from: bench.frameDue(in: 0.1))
    bench.run(blocks: 500)
    bench.snapshot.schedule.append(
      LaneCue(serial: 2, lane: nil, start: bench.frameDue(in: 0.06), fadeFrames: 480))
    bench.run(blocks: 50)
    bench.snapshot.delay = DelayRamp(constant: .milliseconds(400))
    bench.run(blocks: 2)
    bench.snapshot.schedule.append(
      LaneCue(serial: 3, lane: 1, start: bench.frameDue(in: 0.2), fadeFrames: 0))
    bench.run(blocks: 100)
    let last = bench.orders[bench.orders.count - 1]
    #expect(abs(bench.trueError(of: last.position, at: last.start)) < 5)
    #expect(bench.pump.resyncs == 0)
  }
}
