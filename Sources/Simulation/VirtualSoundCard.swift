// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ClockSync

/// A sound card: a crystal that draws frames from a ring, and a pointer that tells how far it is.
public struct VirtualSoundCard {
  /// What the card is like.
  public struct Model: Sendable {
    /// Its crystal.
    public var crystal: VirtualCrystal.Error
    /// Frames per second that it claims.
    public var rate: Int
    /// Frames by which its pointer moves.
    public var granularity: Int64
    /// Seconds that a reading's stamp may be late, evenly distributed.
    public var stampNoise: Double

    /// A card; by default with a pointer that is exact to the frame.
    public init(
      crystal: VirtualCrystal.Error, rate: Int = 48_000, granularity: Int64 = 1,
      stampNoise: Double = 2e-6
    ) {
      self.crystal = crystal
      self.rate = rate
      self.granularity = granularity
      self.stampNoise = stampNoise
    }
  }

  /// What the card is like.
  public let model: Model
  /// Frames written to it.
  public private(set) var written: Int64 = 0
  /// Frames that it wanted and did not have.
  public private(set) var underrunFrames: Int64 = 0

  private var crystal: VirtualCrystal
  private let startSeconds: Double

  /// A card that is started now with `prefill` frames of silence in it.
  public init(_ model: Model, prefill: Int64, startingAt now: TrueInstant, seed: UInt64) {
    self.model = model
    crystal = VirtualCrystal(error: model.crystal, seed: seed)
    startSeconds = crystal.counted(at: now)
    written = prefill
  }

  /// The frame at the loudspeaker, by the truth.
  public mutating func playing(at now: TrueInstant) -> Int64 {
    Int64(((crystal.counted(at: now) - startSeconds) * Double(model.rate)).rounded(.down))
  }

  /// The frame at the loudspeaker, as the card tells it.
  public mutating func pointer(at now: TrueInstant) -> Int64 {
    let frame = playing(at: now)
    if frame > written {
      underrunFrames += frame - written
      written = frame
    }
    return frame / model.granularity * model.granularity
  }

  /// Takes in frames.
  public mutating func write(_ frames: Int) { written += Int64(frames) }

  /// When a frame is heard, in seconds of true time.
  public func heard(_ frame: Int64) -> Double {
    crystal.moment(counted: startSeconds + Double(frame) / Double(model.rate))
  }
}
