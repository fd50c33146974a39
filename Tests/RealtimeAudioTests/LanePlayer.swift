// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import RealtimeAudio

/// A sine of the given frequency at media frame `frame`, the same in both channels.
func tone(_ hertz: Double, amplitude: Double = 0.5, at frame: Int64) -> Float {
  // Whole turns are removed in integers as far as possible: the phase must not drift in an hour.
  let turns = Double(frame % 48_000) * hertz / 48_000
  return Float(amplitude * sin(2 * .pi * (turns - turns.rounded(.down))))
}

/// A lane being fed and a renderer playing it: one device, in lockstep.
struct LanePlayer: ~Copyable {
  /// An arbitrary place that is not a round number.
  static let origin = MediaFrame(index: 190_000_000_000_123)

  let bank = LaneBank()
  var renderer: Renderer
  var order = RenderOrder(step: RenderOrder.unityStep)
  private var serial: UInt32 = 0
  private(set) var output: [Float] = []

  init(deviceRate: Int = 48_000) {
    renderer = Renderer(bank: bank, deviceRate: deviceRate)
    renderer.startGain(at: 1)
  }

  /// Opens `lane` and fills it from `first` with `frames` frames of `music`.
  func fill(
    _ lane: Int, from first: MediaFrame = origin - 2_000, audibleFrom: MediaFrame? = nil,
    frames: Int = 12_000, music: (Int64) -> Float
  ) {
    bank[lane].open(from: first, firstAudible: audibleFrom ?? first)
    extend(lane, frames: frames, music: music)
  }

  /// Appends `frames` frames of `music` to `lane`.
  func extend(_ lane: Int, frames: Int, music: (Int64) -> Float) {
    let first = bank[lane].end.index
    var samples: [Float] = []
    for frame in first..<first + Int64(frames) {
      samples.append(music(frame))
      samples.append(music(frame))
    }
    bank[lane].append(samples.span)
  }

  mutating func cue(_ lane: Int32?, at start: MediaFrame, fade: Int32 = 0) {
    serial += 1
    order.schedule.append(
      LaneCue(serial: serial, lane: lane, start: start, fadeFrames: fade))
  }

  /// Renders one block and appends it to `output`.
  mutating func play(frames: Int = 480) {
    var block = [Float](repeating: .nan, count: 2 * frames)
    block.withUnsafeMutableBufferPointer { buffer in
      if let base = buffer.baseAddress { renderer.render(order, into: base, frames: frames) }
    }
    order.jumpTo = nil
    output += block
  }

  mutating func start(at position: MediaPosition = MediaPosition(frame: origin)) {
    order.jumpTo = position
  }

  /// The left channel of everything played so far.
  var left: [Float] { stride(from: 0, to: output.count, by: 2).map { output[$0] } }

  /// Frames that were missing so far.
  var underrunFrames: UInt64 { bank.progress.read().underrunFrames }
}

/// The largest difference between neighbouring samples.
func largestStep(_ samples: [Float]) -> Float {
  zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
}

/// The largest step that a sine makes by itself.
func ownStep(_ hertz: Double, amplitude: Double = 0.5) -> Float {
  Float(2 * .pi * hertz / 48_000 * amplitude)
}
