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
    /// What the pointer is wrong by after a start, in frames; positive: too far ahead.
    public var lieFrames: Int64 = 0
    /// How long it is wrong, in seconds.
    public var lieSeconds = 0.0

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

  /// The last time the card stood still.
  private struct Stall {
    /// The last frame that was heard before.
    var frame: Int64
    /// `origin` as it was until then.
    var origin: Double
    /// When it goes on, in crystal seconds.
    var end: Double
  }

  /// What the card is like.
  public let model: Model
  /// Frames written to it.
  public private(set) var written: Int64 = 0
  /// Frames that it wanted and did not have.
  public private(set) var underrunFrames: Int64 = 0

  private var crystal: VirtualCrystal
  /// Crystal seconds at which frame 0 was heard, or would have been.
  private var origin = 0.0
  private var started = 0.0
  private var stall: Stall?

  /// A card that is started now with `prefill` frames of silence in it.
  public init(_ model: Model, prefill: Int64, startingAt now: TrueInstant, seed: UInt64) {
    self.model = model
    crystal = VirtualCrystal(error: model.crystal, seed: seed)
    restart(at: now, prefill: prefill)
  }

  /// Throws away what is in it and starts again on silence; frames are counted on.
  public mutating func restart(at now: TrueInstant, prefill: Int64) {
    started = crystal.counted(at: now)
    origin = started - seconds(written)
    written += prefill
    stall = nil
  }

  /// Stands still for `seconds`; if negative, swallows as much instead.
  public mutating func stall(seconds: Double, at now: TrueInstant) {
    let frame = playing(at: now)
    let counted = crystal.counted(at: now)
    let begin = max(counted, stall?.end ?? counted)
    let before = begin > counted ? stall?.origin ?? origin : origin
    stall = Stall(frame: frame, origin: before, end: begin + max(0, seconds))
    origin += seconds
  }

  /// The frame at the loudspeaker, by the truth.
  public mutating func playing(at now: TrueInstant) -> Int64 {
    let counted = crystal.counted(at: now)
    if let stall, counted < stall.end { return stall.frame }
    return Int64(((counted - origin) * Double(model.rate)).rounded(.down))
  }

  /// The frame at the loudspeaker, as the card tells it.
  public mutating func pointer(at now: TrueInstant) -> Int64 {
    let frame = playing(at: now)
    if frame > written {
      underrunFrames += frame - written
      written = frame
    }
    let told = frame / model.granularity * model.granularity
    guard model.lieFrames != 0, crystal.counted(at: now) - started < model.lieSeconds else {
      return told
    }
    return min(written, told + model.lieFrames)
  }

  /// Takes in frames.
  public mutating func write(_ frames: Int) { written += Int64(frames) }

  /// When a frame is heard, in seconds of true time.
  public func heard(_ frame: Int64) -> Double {
    let from = stall.map { frame <= $0.frame ? $0.origin : origin } ?? origin
    return crystal.moment(counted: from + seconds(frame))
  }

  private func seconds(_ frames: Int64) -> Double { Double(frames) / Double(model.rate) }
}
