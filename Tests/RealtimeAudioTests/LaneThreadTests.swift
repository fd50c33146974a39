// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import RealtimeAudio
import Testing

@Suite struct LaneThreadTests {
  @Test func `a lane fed by one thread plays on another, frame for frame`() {
    let bank = LaneBank()
    let first = LanePlayer.origin
    let total = 48_000
    bank[0].open(from: first, firstAudible: first)
    let feeder = TestThread {
      while bank[0].end - first < Int64(total) {
        let next = (bank[0].end - first) + first.index
        var samples: [Float] = []
        for frame in next..<next + 240 { samples += [Float(frame % 1_000), Float(frame % 1_000)] }
        bank[0].append(samples.span)
      }
    }
    var renderer = Renderer(bank: bank, deviceRate: 48_000)
    renderer.startGain(at: 1)
    var order = RenderOrder(jumpTo: MediaPosition(frame: first))
    order.schedule.append(LaneCue(serial: 1, lane: 0, start: first, fadeFrames: 0))
    var wrong = 0
    var block = [Float](repeating: 0, count: 480)
    for start in stride(from: 0, to: total - 480, by: 240) {
      // Waits for the feeder without a clock: the lane itself says how far it is.
      while bank[0].end - first < Int64(start + 240 + 33) { sched_yield() }
      block.withUnsafeMutableBufferPointer { buffer in
        if let base = buffer.baseAddress { renderer.render(order, into: base, frames: 240) }
      }
      order.jumpTo = nil
      wrong += mismatches(block, from: start)
    }
    feeder.join()
    #expect(wrong == 0)
    #expect(bank.progress.read().underrunFrames == 0)
  }

  /// Samples of `block` that are not the number of their frame, from `origin + start` on.
  private func mismatches(_ block: [Float], from start: Int) -> Int {
    (0..<240).count { index in
      let frame = LanePlayer.origin.index + Int64(start + index)
      return abs(block[2 * index] - Float(frame % 1_000)) > 0.01
    }
  }
}
