// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import ClockSync
public import RealtimeAudio
public import WireProtocol

/// All that the audio thread needs from the rest, in one piece.
public struct PlayoutSnapshot: Sendable, BitwiseCopyable {
  /// The clock that the stream is stamped with; nil while it is unknown: silence.
  public var clockMap: ClockMap?
  /// The group's delay from stamp to sound.
  public var delay: DelayRamp
  /// The room's own setting on top; positive: later.
  public var latency: Nanoseconds
  /// Amplitude, 0 to 1.
  public var gain: Float
  /// Which lane sounds when.
  public var schedule: LaneSchedule

  /// A snapshot; by default silence.
  ///
  /// - Parameters:
  ///   - clockMap: The stream's clock.
  ///   - delay: D.
  ///   - latency: The room's own.
  ///   - gain: Amplitude.
  ///   - schedule: Cues.
  public init(
    clockMap: ClockMap? = nil, delay: DelayRamp = DelayRamp(constant: .zero),
    latency: Nanoseconds = .zero, gain: Float = 0, schedule: LaneSchedule = LaneSchedule()
  ) {
    self.clockMap = clockMap
    self.delay = delay
    self.latency = latency
    self.gain = gain
    self.schedule = schedule
  }

  /// Which position is due at a moment of this host, by the rule "heard at t + D(t) + latency".
  func duePosition(at heard: LocalInstant, by map: ClockMap) -> MediaPosition {
    let target = map.media(at: heard) - latency
    // D depends on the stamp that is being looked for; it changes by at most 0.1 %, so each round
    // is a thousand times better than the one before.
    var stamp = target - delay.d0
    for _ in 0..<3 { stamp = target - delay.delay(at: MediaFrame(stamp)) }
    return MediaPosition(stamp)
  }

  /// When a position is due, on the media clock.
  func due(_ position: MediaPosition) -> MediaInstant {
    position.instant + delay.delay(at: position.frame) + latency
  }
}

/// One reading of the device.
public struct DeviceStatus: Sendable, BitwiseCopyable {
  /// Frames written since the device was opened or restarted.
  public var framesWritten: Int64
  /// How many of them have not been heard.
  public var delayFrames: Int64
  /// When that was so.
  public var stamp: LocalInstant
  /// How far off `stamp` may be.
  public var uncertainty: Nanoseconds

  /// A reading.
  public init(
    framesWritten: Int64, delayFrames: Int64, stamp: LocalInstant, uncertainty: Nanoseconds
  ) {
    self.framesWritten = framesWritten
    self.delayFrames = delayFrames
    self.stamp = stamp
    self.uncertainty = uncertainty
  }
}

extension LaneSchedule {
  /// Whether a lane may sound at `frame` (not whether one will later).
  func sounds(at frame: MediaFrame) -> Bool {
    var index = count
    while index > 0 {
      index -= 1
      let cue = self[index]
      guard cue.start <= frame else { continue }
      if cue.lane >= 0 { return true }
      // Silence that has wholly faded in covers all that came before.
      if cue.start + Int64(cue.fadeFrames) <= frame { return false }
    }
    return false
  }
}
