// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

/// How the packets of one generation lie on the media clock.
///
/// A packet stamped t leaves at about t and is heard at t + D, so that a receiver holds D of audio.
public struct PacketGrid: Sendable, Hashable {
  /// The stamp of packet 0: the first audible frame minus the encoder's look-ahead.
  public var firstStamp: MediaFrame
  /// Frames in each packet; 960 for Opus at 20 ms.
  public var packetFrames: Int64
  /// The playout delay D.
  public var delayRamp: DelayRamp

  /// A grid that begins at `firstStamp`.
  public init(firstStamp: MediaFrame, packetFrames: Int64 = 960, delay: Nanoseconds) {
    self.init(
      firstStamp: firstStamp, packetFrames: packetFrames, delayRamp: DelayRamp(constant: delay))
  }

  /// A grid whose delay moves.
  public init(firstStamp: MediaFrame, packetFrames: Int64 = 960, delayRamp: DelayRamp) {
    precondition(packetFrames > 0, "a packet holds at least one frame")
    self.firstStamp = firstStamp
    self.packetFrames = packetFrames
    self.delayRamp = delayRamp
  }

  /// The stamp of `packet`.
  public func stamp(of packet: Int) -> MediaFrame { firstStamp + Int64(packet) * packetFrames }

  /// When `packet` leaves while all is steady.
  public func sendTime(of packet: Int) -> MediaInstant { stamp(of: packet).instant }

  /// When the first frame of `packet` is heard.
  public func heardTime(of packet: Int) -> MediaInstant {
    delayRamp.heardTime(of: stamp(of: packet))
  }

  /// The first packet of which something can still be heard after `now`; may be ahead of all that
  /// exist.
  ///
  /// Rooms have handed the next 40 ms or so to their device already, so the first two or three
  /// packets from here on only settle the decoder of a room that joins: it needs that.
  public func firstPlayable(at now: MediaInstant) -> Int {
    packet(holding: delayRamp.stamp(heardAt: now))
  }

  /// How many packets are due to leave at or before `now`.
  public func due(at now: MediaInstant) -> Int {
    let elapsed = MediaFrame(now) - firstStamp
    return elapsed < 0 ? 0 : Int(elapsed / packetFrames) + 1
  }

  private func packet(holding frame: MediaFrame) -> Int {
    let distance = frame - firstStamp
    return distance < 0 ? 0 : Int(distance / packetFrames)
  }
}
