// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// How much a device still holds, and when that was so.
public struct ALSAStatus: Sendable, BitwiseCopyable {
  /// Frames written but not yet heard. Negative: the device ran dry and ran on.
  public var delayFrames: Int64
  /// When the delay was read, on this host's CLOCK_MONOTONIC_RAW.
  public var stamp: LocalInstant
  /// How far off the stamp can be: half the time the call took, or less with a driver's stamp.
  public var uncertainty: Nanoseconds
  /// Whether the device has stopped by itself (xrun, suspend, unplugged).
  public var isStopped: Bool
}

/// How a device was opened.
public struct ALSAConfiguration: Sendable, BitwiseCopyable {
  /// Frames per second the device was set to, as it reports them.
  public var rate: Int
  /// The layout of the samples to write.
  public var format: ALSASampleFormat
  /// Channels per frame; always 2.
  public var channels: Int
  /// Frames the device's ring holds.
  public var bufferFrames: Int
  /// Frames between the device's own wake-ups.
  public var periodFrames: Int
}
