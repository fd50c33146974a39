// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import ClockSync
import Playout
import RealtimeAudio
import WireProtocol

/// A pump, a card and a renderer that only counts, on a host whose clock map is perfect.
///
/// The truth is known: when each block was heard, and when it was due.
struct PumpBench: ~Copyable {
  var card: VirtualCard
  var pump: PlayoutPump
  var snapshot: PlayoutSnapshot
  var position = MediaPosition(frame: MediaFrame(index: 0))
  var written: Int64
  /// Device frames kept in the device.
  let fill: Int64 = 2_160
  let block = 480
  let rate: Int

  /// Heard less due in microseconds, by the truth, of the blocks that sounded.
  var errors: [Double] = []
  /// Positions at which blocks that jumped began.
  var jumps = 0
  /// The first block that had a position at or after the first cue: position and true moment.
  var orders: [(start: Int64, position: MediaPosition, order: RenderOrder)] = []

  init(seed: UInt64, ppm: Double, rate: Int = 48_000, hostPPM: Double = 25) {
    self.rate = rate
    card = VirtualCard(seed: seed, ppm: ppm, rate: rate)
    pump = PlayoutPump(deviceRate: rate)
    snapshot = PlayoutSnapshot(
      clockMap: ClockMap(
        anchorLocal: card.now,
        anchorMedia: MediaInstant(nanosecondsSince1900: 4_005_072_000_000_000_000),
        rate: PartsPerMillion(hostPPM), clockID: ClockID(rawValue: 1)),
      delay: DelayRamp(constant: .seconds(6)), gain: 1)
    written = 2_160
  }

  /// The frame that is due `seconds` from now.
  func frameDue(in seconds: Double) -> MediaFrame {
    guard let map = snapshot.clockMap else { return MediaFrame(index: 0) }
    let due = map.media(at: card.now + Nanoseconds(seconds: seconds))
    return MediaFrame(due - snapshot.delay.d0 - snapshot.latency)
  }

  /// Lets a lane sound from `frame` on.
  mutating func sound(from frame: MediaFrame) {
    snapshot.schedule.append(LaneCue(serial: 1, lane: 0, start: frame, fadeFrames: 0))
  }

  /// Runs for so many blocks.
  mutating func run(blocks: Int) {
    for _ in 0..<blocks {
      // The audio thread wakes by its own timer, dithered by a millisecond: in step with the card
      // every reading would meet the same place of a frame.
      let dither = 1e-3 * card.random.unit()
      card.pass(dither)
      let pointer = card.pointer
      pump.observe(
        DeviceStatus(
          framesWritten: written, delayFrames: written - pointer, stamp: card.now,
          uncertainty: .zero))
      plan()
      written += Int64(block)
      card.pass(Double(block) / Double(rate) / (1 + card.crystal) - dither)
    }
  }

  private mutating func plan() {
    guard
      let order = pump.plan(
        snapshot, blockStart: written, frames: block, position: position)
    else { return }
    if let target = order.jumpTo {
      position = target
      jumps += 1
    }
    orders.append((written, position, order))
    if order.gain > 0, order.schedule.count > 0, order.schedule[0].start <= position.frame {
      errors.append(trueError(of: position, at: written))
    }
    let travelled = UInt64(position.fraction) + order.step * UInt64(block)
    position = MediaPosition(
      frame: position.frame + Int64(travelled >> 32),
      fraction: UInt32(truncatingIfNeeded: travelled))
  }

  /// Heard less due in microseconds, by the truth.
  func trueError(of position: MediaPosition, at deviceFrame: Int64) -> Double {
    guard let map = snapshot.clockMap else { return .nan }
    let heard = map.media(at: card.heard(deviceFrame))
    let due = position.instant + snapshot.delay.delay(at: position.frame) + snapshot.latency
    return (heard - due).inMicroseconds
  }
}
