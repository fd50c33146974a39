// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Stream time. The RTP timestamp *is* the media clock:
//
//   frames = media nanoseconds since 1900 * 48000 / 1e9
//
// 4.0e18 ns times 3 overflows Int64, hence the split at 62,500 ns = 3 frames exactly.

/// A position in the stream in whole frames of 48 kHz since 1900 on the media clock.
public struct MediaFrame: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// Frames per second of every stream.
  public static var rate: Int64 { 48_000 }

  /// Frames since 1900.
  public var index: Int64

  /// The frame with this index.
  @inlinable public init(index: Int64) { self.index = index }

  /// The last frame that begins at or before `instant`.
  @inlinable public init(_ instant: MediaInstant) {
    self = MediaPosition(instant).frame
  }

  /// When the frame begins, rounded down to a nanosecond.
  @inlinable public var instant: MediaInstant { MediaPosition(frame: self).instant }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool { a.index < b.index }
  /// Frames from `b` to `a`.
  @inlinable public static func - (a: Self, b: Self) -> Int64 { a.index &- b.index }
  /// The sum.
  @inlinable public static func + (a: Self, frames: Int64) -> Self {
    Self(index: a.index &+ frames)
  }
  /// The difference.
  @inlinable public static func - (a: Self, frames: Int64) -> Self {
    Self(index: a.index &- frames)
  }
}

/// A position between frames: where the resampler reads.
public struct MediaPosition: Sendable, Hashable, Comparable, BitwiseCopyable {
  /// The frame at or before the position.
  public var frame: MediaFrame
  /// The part of a frame beyond `frame`, in units of 2^-32 frame.
  public var fraction: UInt32

  /// A position `fraction` / 2^32 frames after `frame`.
  @inlinable public init(frame: MediaFrame, fraction: UInt32 = 0) {
    self.frame = frame
    self.fraction = fraction
  }

  /// The position that the media clock reaches at `instant`, rounded down to 2^-32 frame.
  @inlinable public init(_ instant: MediaInstant) {
    let (group, rest) = floorDivide(instant.nanosecondsSince1900, 62_500)
    let frames = rest &* 3
    let (whole, part) = (frames / 62_500, frames % 62_500)
    frame = MediaFrame(index: group &* 3 &+ whole)
    fraction = UInt32(truncatingIfNeeded: (part << 32) / 62_500)
  }

  /// When the media clock reaches the position, rounded to the nearest nanosecond.
  @inlinable public var instant: MediaInstant {
    let (group, rest) = floorDivide(frame.index, 3)
    let inFrames = (rest &* 62_500) &* 2
    let part = (Int64(fraction) &* 62_500) >> 31
    return MediaInstant(nanosecondsSince1900: group &* 62_500 &+ (inFrames &+ part &+ 3) / 6)
  }

  /// The distance from `b` to `a` in frames; exact to 2^-32 while it is below 2^20 frames.
  @inlinable public static func - (a: Self, b: Self) -> Double {
    Double(a.frame - b.frame) + (Double(a.fraction) - Double(b.fraction)) * 0x1p-32
  }

  /// The position `frames` further on.
  @inlinable public func advanced(byFrames frames: Double) -> Self {
    let whole = frames.rounded(.down)
    let sum = UInt64(fraction) + UInt64((frames - whole) * 0x1p32)
    let carry = Int64(sum >> 32)
    return Self(
      frame: frame + Int64(whole) + carry, fraction: UInt32(truncatingIfNeeded: sum))
  }

  /// Whether `a` comes before `b`.
  @inlinable public static func < (a: Self, b: Self) -> Bool {
    a.frame == b.frame ? a.fraction < b.fraction : a.frame < b.frame
  }
}

/// Quotient rounded towards minus infinity and the non-negative rest.
@inlinable func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
  let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
  return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
}

/// The low 32 bits of a `MediaFrame`, as RTP carries them. Wraps every 24.86 hours.
public struct RTPTimestamp: Sendable, Hashable, BitwiseCopyable {
  /// The 32 bits on the wire.
  public var rawValue: UInt32

  /// The stamp with these bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The stamp of `frame`.
  @inlinable public init(_ frame: MediaFrame) {
    rawValue = UInt32(truncatingIfNeeded: frame.index)
  }

  /// The frame with this stamp that lies nearest to `reference` (within 2^31 frames, 12.4 h).
  @inlinable public func unwrapped(near reference: MediaFrame) -> MediaFrame {
    let distance = Int32(truncatingIfNeeded: Int64(rawValue) &- reference.index)
    return reference + Int64(distance)
  }
}
