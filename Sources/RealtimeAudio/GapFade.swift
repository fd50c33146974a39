// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// What a lane sounds like where frames are missing.
//
// Into the gap the music is mirrored in time and faded out over 5 ms: the first missing sample equals
// the last one that was there, so nothing steps. Out of the gap the music fades in over 5 ms from
// whatever is left of the mirror. Silence in between.
//
//     music ------\        /------ music
//     mirror       \______/

/// The gap that a reader of one lane is in, or is leaving.
struct GapFade: BitwiseCopyable {
  /// 5 ms: too short to hear as a fade, long enough not to click.
  private static var rampFrames: Int64 { @_noLocks get { 240 } }

  private var began = Int64.min
  private var returned = Int64.min

  @_noLocks init() {}

  /// Whether the next frame needs `missing` or `present` rather than a plain copy.
  var isActive: Bool {
    @_noLocks get { began != .min }
  }

  /// The sample for a frame that is missing.
  @_noLocks mutating func missing(
    _ frame: Int64, lane: AudioLane, range: ReadableRange
  ) -> SIMD2<Float> {
    if !isActive || returned != .min {
      began = frame
      returned = .min
    }
    return mirror(frame, lane: lane, range: range)
  }

  /// The sample for a frame that is there, after a gap.
  @_noLocks mutating func present(
    _ frame: Int64, lane: AudioLane, range: ReadableRange
  ) -> SIMD2<Float> {
    if returned == .min { returned = frame }
    let elapsed = frame &- returned
    let music = lane.samples[lane.slot(frame)]
    if elapsed >= Self.rampFrames {
      self = GapFade()
      return music
    }
    let amount = (Float(elapsed) + 0.5) / Float(Self.rampFrames)
    return music * amount + mirror(frame, lane: lane, range: range) * (1 - amount)
  }

  @_noLocks private func mirror(
    _ frame: Int64, lane: AudioLane, range: ReadableRange
  ) -> SIMD2<Float> {
    let elapsed = frame &- began
    let source = began &- 1 &- elapsed
    guard elapsed < Self.rampFrames, source >= range.audible, range.contains(source) else {
      return .zero
    }
    return lane.samples[lane.slot(source)] * (1 - Float(elapsed) / Float(Self.rampFrames))
  }
}
