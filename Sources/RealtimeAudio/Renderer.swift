// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// The audio thread's work: mix the lanes in media frames, resample to the device, apply the gain.
//
// The position is the media frame (and fraction) whose middle of the filter falls on the next device
// frame; all lanes share it. It moves by `step` per device frame and by nothing else, except when an
// order says `jumpTo`: then the old place goes on sounding for 10 ms while the new one fades in.
//
// A block is rendered in chunks of at most 512 frames, so that any block size works with fixed memory.
// Everything is allocated in `init`. No class is touched while rendering.

/// What one block of the device shall sound like.
public struct RenderOrder: Sendable, BitwiseCopyable {
  /// Where the first frame of the block shall read, when that is not where the last block ended.
  public var jumpTo: MediaPosition?
  /// Media frames per device frame, 32.32 fixed point: 2^32 is unity.
  public var step: UInt64
  /// Amplitude, 0 to 1; reached along a 20 ms ramp.
  public var gain: Float
  /// Which lane sounds when.
  public var schedule: LaneSchedule

  /// Unity step, in 32.32.
  public static var unityStep: UInt64 { @_noLocks get { 1 << 32 } }

  /// An order; by default go on, at unity speed and full level, in silence.
  ///
  /// - Parameters:
  ///   - jumpTo: Where to read from, or nil to go on.
  ///   - step: Media frames per device frame, 32.32.
  ///   - gain: Amplitude.
  ///   - schedule: The latest cues.
  @_noLocks public init(
    jumpTo: MediaPosition? = nil, step: UInt64 = 1 << 32, gain: Float = 1,
    schedule: LaneSchedule = LaneSchedule()
  ) {
    self.jumpTo = jumpTo
    self.step = step
    self.gain = gain
    self.schedule = schedule
  }
}

/// Turns lanes into device frames. Owned and called by one audio thread.
public struct Renderer: ~Copyable, @unchecked Sendable {
  // @unchecked: it is the only owner of its buffers and moves to the audio thread as a whole.

  /// Device frames rendered at a time.
  private static var chunkFrames: Int { @_noLocks get { 512 } }

  /// Keeps the memory behind `lanes` alive; not touched while rendering.
  private let bank: LaneBank
  private let progress: RenderProgress
  private let source: MusicSource
  private var window = MixWindow()
  private var fadingWindow = MixWindow()
  private let fadingOutput: UnsafeMutablePointer<Float>
  private var gain: GainRamp
  private let jumpFadeFrames: Int
  private let highestStep: UInt64

  private var fadingPosition = MediaPosition(frame: MediaFrame(index: 0))
  private var fadingFramesLeft = 0
  private var hasPosition = false

  /// The place of the next device frame; meaningless before the first order with `jumpTo`.
  public private(set) var position = MediaPosition(frame: MediaFrame(index: 0))

  /// A renderer for a device of `deviceRate` frames per second, reading from `bank`.
  public init(bank: LaneBank, deviceRate: Int) {
    self.bank = bank
    progress = bank.progress
    source = MusicSource(lanes: LaneViews(bank), resampler: Resampler(deviceRate: deviceRate))
    gain = GainRamp(deviceRate: deviceRate)
    fadingOutput = .allocate(capacity: 2 * Self.chunkFrames)
    jumpFadeFrames = max(1, deviceRate / 100)
    // A servo never asks for more than 0.5 % above nominal; what the window holds sets the limit.
    highestStep = min((UInt64(48_000) << 32) / UInt64(max(1, deviceRate)) * 5 / 4, 3 << 31)
  }

  deinit {
    // Whoever reads the progress must not take the place where this device stopped for the present.
    progress.clear()
    window.free()
    fadingWindow.free()
    source.resampler.free()
    fadingOutput.deallocate()
  }

  /// Renders one block of interleaved stereo.
  ///
  /// - Parameters:
  ///   - order: Where, how fast, how loud, and which lanes.
  ///   - output: Room for `2 * frames` samples.
  ///   - frames: Device frames.
  @_noLocks public mutating func render(
    _ order: RenderOrder, into output: UnsafeMutablePointer<Float>, frames: Int
  ) {
    let step = begin(order)
    gain.approach(order.gain)
    var done = 0
    while done < frames {
      let count = min(Self.chunkFrames, frames - done)
      renderChunk(step: step, into: output + 2 * done, count: count)
      done += count
    }
    gain.apply(to: output, frames: frames)
    publish()
  }

  /// Moves exactly as `render` does, but computes no sample: for simulations of many hours.
  ///
  /// Position, playhead, lanes in use and missing frames are the same. Not to be mixed with `render`.
  ///
  /// - Parameters:
  ///   - order: Where, how fast, and which lanes.
  ///   - frames: Device frames.
  @_noLocks public mutating func pass(_ order: RenderOrder, frames: Int) {
    let step = begin(order)
    var done = 0
    while done < frames {
      let count = min(Self.chunkFrames, frames - done)
      position = source.pass(&window, at: position, step: step, count: count)
      if fadingFramesLeft > 0 {
        let fading = min(count, fadingFramesLeft)
        fadingPosition = source.pass(
          &fadingWindow, at: fadingPosition, step: step, count: fading)
        fadingFramesLeft -= fading
      }
      done += count
    }
    publish()
  }

  /// Takes `level` without a ramp, before the first block.
  @_noLocks public mutating func startGain(at level: Float) { gain.jump(to: level) }

  // MARK: Parts of a block

  /// Goes where the order says and takes its cues over; returns the step that is possible.
  @_noLocks private mutating func begin(_ order: RenderOrder) -> UInt64 {
    if let target = order.jumpTo { jump(to: target) }
    window.adopt(order.schedule, fresh: window.isEmpty)
    return min(order.step, highestStep)
  }

  @_noLocks private mutating func jump(to target: MediaPosition) {
    if hasPosition {
      swap(&window, &fadingWindow)
      fadingPosition = position
      fadingFramesLeft = jumpFadeFrames
    }
    hasPosition = true
    position = target
    window.restart(at: target.frame.index &- source.resampler.reachBack)
    progress.countJump()
  }

  @_noLocks private mutating func renderChunk(
    step: UInt64, into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    position = source.read(&window, at: position, step: step, count: count, into: output)
    guard fadingFramesLeft > 0 else { return }
    let fading = min(count, fadingFramesLeft)
    fadingPosition = source.read(
      &fadingWindow, at: fadingPosition, step: step, count: fading, into: fadingOutput)
    for index in 0..<fading {
      let old = (Float(fadingFramesLeft &- index) - 0.5) / Float(jumpFadeFrames)
      for sample in 2 &* index...2 &* index &+ 1 {
        output[sample] = output[sample] * (1 - old) + fadingOutput[sample] * old
      }
    }
    fadingFramesLeft -= fading
  }

  @_noLocks private mutating func publish() {
    // Before its first order with a place, the renderer reads at a place that means nothing.
    guard hasPosition else { return }
    var lanesInUse = window.lanesInUse
    var missing = window.takeMissing()
    var lowest = window.frontier
    if fadingFramesLeft > 0 {
      lanesInUse |= fadingWindow.lanesInUse
      missing = max(missing, fadingWindow.takeMissing())
      lowest = min(lowest, fadingWindow.frontier)
    }
    window.finishReading(below: lowest, lanes: source.lanes)
    if missing > 0 { progress.countUnderrun(missing) }
    progress.publish(playhead: window.frontier, lanesInUse: lanesInUse)
  }
}

/// Where the renderer's music comes from: the lanes, and the filter that reads them.
private struct MusicSource: BitwiseCopyable {
  let lanes: LaneViews
  let resampler: Resampler

  /// Mixes and resamples `count` frames.
  ///
  /// - Returns: The position after them.
  @_noLocks func read(
    _ music: inout MixWindow, at start: MediaPosition, step: UInt64, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) -> MediaPosition {
    let end = travel(from: start, step: step, count: count)
    music.advance(
      from: start.frame.index &- resampler.reachBack,
      to: end.frame.index &+ resampler.reachAhead, lanes: lanes)
    resampler.process(music, from: start, step: step, count: count, into: output)
    return end
  }

  /// Goes over `count` frames without reading them.
  ///
  /// - Returns: The position after them.
  @_noLocks func pass(
    _ music: inout MixWindow, at start: MediaPosition, step: UInt64, count: Int
  ) -> MediaPosition {
    let end = travel(from: start, step: step, count: count)
    music.pass(
      from: start.frame.index &- resampler.reachBack,
      to: end.frame.index &+ resampler.reachAhead, lanes: lanes)
    return end
  }

  @_noLocks private func travel(
    from start: MediaPosition, step: UInt64, count: Int
  ) -> MediaPosition {
    let travelled = UInt64(start.fraction) &+ step &* UInt64(count)
    return MediaPosition(
      frame: start.frame + Int64(travelled >> 32), fraction: UInt32(truncatingIfNeeded: travelled))
  }
}
