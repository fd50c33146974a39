// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

/// A gain that moves along a straight line at the head of a step's frames, then stays.
public struct StepEnvelope: Sendable, Hashable {
  /// Gain of the first frame.
  public var from: Float
  /// Gain after `frames`.
  public var to: Float
  /// Length of the line.
  public var frames: Int

  /// A line from `from` to `to` over `frames` frames.
  public init(from: Float, to: Float, frames: Int) {
    self.from = from
    self.to = to
    self.frames = frames
  }

  /// No change at all.
  public static var unity: Self { Self(from: 1, to: 1, frames: 0) }

  /// The gain of frame `index` of the step.
  public func gain(at index: Int) -> Float {
    index >= frames ? to : from + (to - from) * Float(index) / Float(frames)
  }
}

/// What the network thread has to do next to keep the lanes filled.
///
/// The one who carries it out has a decoder for each lane. Every step but `open`, `preroll` and `close`
/// appends exactly `frames` frames to its lane: silence where the decoder fails.
public enum DecodeStep: Sendable, Hashable {
  /// Empty the lane for this generation and take a fresh decoder.
  case open(lane: Int, ssrc: SSRC, from: MediaFrame, firstAudible: MediaFrame)
  /// Decode and throw the result away: the decoder needs a run-up in the middle of a stream.
  case preroll(lane: Int, payload: [UInt8], frames: Int)
  /// Decode, apply the envelope and append; `at` is the frame that the lane ends at now.
  case decode(
    lane: Int, payload: [UInt8], at: MediaFrame, frames: Int, envelope: StepEnvelope)
  /// Let the decoder make up music, apply the envelope and append.
  case conceal(lane: Int, frames: Int, envelope: StepEnvelope)
  /// Append silence without asking the decoder.
  case silence(lane: Int, frames: Int)
  /// The lane is not needed any more: drop its decoder.
  case close(lane: Int)
}
