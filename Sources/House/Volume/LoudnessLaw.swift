// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How tracks of different loudness are brought together.
public enum LoudnessMode: String, Sendable, Hashable, CaseIterable {
  /// Not at all: every sample is as it was recorded.
  case off
  /// Each track to the same loudness.
  case track
  /// Each album to the same loudness; its quiet tracks stay quieter.
  case album
  /// By album where neighbours in the queue are of one album, else by track.
  case auto
}

/// What was measured of a track and its album, after ReplayGain 2.0.
public struct MeasuredLoudness: Sendable, Hashable {
  /// Decibels that bring the track to the common loudness.
  public var trackGain: Double?
  /// The track's largest sample; 1 is full scale.
  public var trackPeak: Double?
  /// Decibels that bring the album to the common loudness.
  public var albumGain: Double?
  /// The album's largest sample; 1 is full scale.
  public var albumPeak: Double?

  /// What was measured.
  ///
  /// - Parameters:
  ///   - trackGain: Decibels for the track.
  ///   - trackPeak: Its largest sample.
  ///   - albumGain: Decibels for the album.
  ///   - albumPeak: Its largest sample.
  public init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil,
    albumPeak: Double? = nil
  ) {
    (self.trackGain, self.trackPeak) = (trackGain, trackPeak)
    (self.albumGain, self.albumPeak) = (albumGain, albumPeak)
  }
}

/// From what was measured to what samples are multiplied with.
public enum LoudnessLaw {
  /// Beyond so many decibels, up or down, a tag is a mistake (the scanner of ReplayGain gives at most 51).
  public static let widestGain = 51.0

  /// The factor for every sample of a track.
  ///
  /// Nothing is made to clip: where the peak is known the factor leaves room for it, and where it is not,
  /// nothing is made louder.
  ///
  /// - Parameters:
  ///   - measured: What was measured; nil: nothing.
  ///   - mode: How it is used; `.auto` counts as `.track` here, because who asks knows the neighbours.
  /// - Returns: 1 to leave the samples as they are.
  public static func factor(_ measured: MeasuredLoudness?, _ mode: LoudnessMode) -> Float {
    guard let measured, mode != .off else { return 1 }
    let prefersAlbum = mode == .album
    let first = prefersAlbum ? measured.albumGain : measured.trackGain
    let second = prefersAlbum ? measured.trackGain : measured.albumGain
    guard let gain = first ?? second, gain.isFinite else { return 1 }
    let isAlbum = (first != nil) == prefersAlbum
    let peak = isAlbum ? measured.albumPeak ?? measured.trackPeak : measured.trackPeak
    let wanted = powerOfTen(min(max(gain, -widestGain), widestGain) / 20)
    guard let peak, peak.isFinite, peak > 0 else { return Float(min(wanted, 1)) }
    return Float(min(wanted, 1 / peak))
  }

  /// 10 to a power of a few units; the core imports no libm, and this runs once a track.
  static func powerOfTen(_ exponent: Double) -> Double {
    // exp(y) = exp(y / 64)^64; with |y / 64| < 0.1 ten terms are exact to 1e-17.
    let portion = exponent * 2.302_585_092_994_046 / 64
    var (term, sum) = (1.0, 1.0)
    for order in 1...10 {
      term *= portion / Double(order)
      sum += term
    }
    for _ in 0..<6 { sum *= sum }
    return sum
  }
}
