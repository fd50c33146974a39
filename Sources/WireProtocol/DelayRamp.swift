// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

//   D |  d0 ______
//     |           \  slope
//     |            \_______ d1
//     +-----------+-----------> media frame
//                 t0

/// The playout delay D of a group as a function of the media frame.
///
/// A frame stamped t is heard at t + D(t) + the room's own latency setting. A constant D is a ramp
/// with `d0 == d1`.
public struct DelayRamp: Sendable, Hashable, BitwiseCopyable {
  /// The frame at which the change begins.
  public var t0: MediaFrame
  /// D at and before `t0`.
  public var d0: Nanoseconds
  /// D after the change.
  public var d1: Nanoseconds
  /// How fast D moves towards `d1`, in ppm of the media clock; zero or less: not at all.
  public var slope: PartsPerMillion

  /// A change from `d0` to `d1` that begins at `t0`.
  public init(t0: MediaFrame, d0: Nanoseconds, d1: Nanoseconds, slope: PartsPerMillion) {
    self.t0 = t0
    self.d0 = d0
    self.d1 = d1
    self.slope = slope
  }

  /// A delay that does not change.
  public init(constant delay: Nanoseconds) {
    self.init(t0: MediaFrame(index: 0), d0: delay, d1: delay, slope: PartsPerMillion(0))
  }

  /// The delay of `frame`.
  ///
  /// - Parameter frame: The stamp of a frame, not the moment it is heard.
  /// - Returns: A value between `d0` and `d1`.
  public func delay(at frame: MediaFrame) -> Nanoseconds {
    let elapsed = frame - t0
    guard d0 != d1, elapsed > 0, slope.value > 0 else { return d0 }
    let seconds = Double(elapsed) / Double(MediaFrame.rate)
    let moved = Nanoseconds(seconds: seconds * slope.ratio)
    let distance = d1 - d0
    guard moved < distance.magnitude else { return d1 }
    return distance > .zero ? d0 + moved : d0 - moved
  }

  /// When a frame is heard, without a room's own latency.
  public func heardTime(of frame: MediaFrame) -> MediaInstant { frame.instant + delay(at: frame) }

  /// The frame that is heard at `moment`, without a room's own latency.
  public func stamp(heardAt moment: MediaInstant) -> MediaFrame {
    // D depends on the stamp that is being looked for; it moves by a few parts in a thousand at most,
    // so each round is some hundred times better than the one before.
    var stamp = MediaFrame(moment - d1)
    guard d0 != d1 else { return stamp }
    for _ in 0..<4 { stamp = MediaFrame(moment - delay(at: stamp)) }
    return stamp
  }
}
