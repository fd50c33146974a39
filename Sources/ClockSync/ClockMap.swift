// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// The straight line that relates this host's clock to the media clock, and how far to trust it.
///
///     media = anchorMedia + (local - anchorLocal) * (1 + rate)
///
/// The only way from one clock to the other. Plain bits, so that the audio thread can take it from
/// a snapshot; its methods neither allocate nor lock.
public struct ClockMap: Sendable, Hashable, BitwiseCopyable {
  /// A point of the line on this host's clock.
  public var anchorLocal: LocalInstant
  /// The same point on the media clock.
  public var anchorMedia: MediaInstant
  /// How much faster the media clock runs than this host's.
  public var rate: PartsPerMillion
  /// One standard deviation of the error, provided that both ways take equally long.
  public var sigma: Nanoseconds
  /// The largest possible error, however unequal the ways are: 4 sigma + half the round trip.
  public var bound: Nanoseconds
  /// The run of the media clock that the line belongs to.
  public var clockID: ClockID

  /// The line through a point with a slope.
  @inlinable public init(
    anchorLocal: LocalInstant, anchorMedia: MediaInstant, rate: PartsPerMillion = .init(0),
    sigma: Nanoseconds = Nanoseconds(0), bound: Nanoseconds = Nanoseconds(0), clockID: ClockID
  ) {
    self.anchorLocal = anchorLocal
    self.anchorMedia = anchorMedia
    self.rate = rate
    self.sigma = sigma
    self.bound = bound
    self.clockID = clockID
  }

  /// The media time at a moment of this host.
  @inlinable public func media(at local: LocalInstant) -> MediaInstant {
    let elapsed = local - anchorLocal
    return anchorMedia + elapsed + Self.part(rate.ratio, of: elapsed)
  }

  /// The moment of this host at which the media clock shows `media`.
  @inlinable public func local(at media: MediaInstant) -> LocalInstant {
    let elapsed = media - anchorMedia
    return anchorLocal + elapsed - Self.part(rate.ratio / (1 + rate.ratio), of: elapsed)
  }

  /// The rounded product; only this small correction passes through a `Double`, never an instant.
  @inlinable static func part(_ ratio: Double, of length: Nanoseconds) -> Nanoseconds {
    let product = Double(length.count) * ratio
    guard product.magnitude < 9e18 else { return Nanoseconds(0) }
    return Nanoseconds(Int64(product + (product < 0 ? -0.5 : 0.5)))
  }
}
