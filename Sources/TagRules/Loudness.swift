// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol

extension RawTags {
  /// Gains beyond this are mistakes: silence measured, or a comma lost.
  private static let largestGain = 51.0
  /// Peaks beyond this (decoded lossy music reaches 2) are mistakes.
  private static let largestPeak = 32.0
  /// From -23 LUFS (EBU R 128, RFC 7845 section 5.2.1) to -18 LUFS (ReplayGain 2.0), in decibels.
  private static let referenceStep = 5.0

  /// How loud the file says it is.
  var replayGain: ReplayGain? {
    let tagged = ReplayGain(
      trackGain: gain("REPLAYGAIN_TRACK_GAIN"), trackPeak: peak("REPLAYGAIN_TRACK_PEAK"),
      albumGain: gain("REPLAYGAIN_ALBUM_GAIN"), albumPeak: peak("REPLAYGAIN_ALBUM_PEAK"))
    if tagged.trackGain != nil || tagged.albumGain != nil { return tagged }
    let opus = ReplayGain(
      trackGain: r128("R128_TRACK_GAIN"), albumGain: r128("R128_ALBUM_GAIN"), source: .r128)
    return opus.trackGain != nil || opus.albumGain != nil ? opus : nil
  }

  private func gain(_ key: String) -> Double? {
    TagNumbers.decimal(value(key)).flatMap { abs($0) <= Self.largestGain ? $0 : nil }
  }

  private func peak(_ key: String) -> Double? {
    TagNumbers.decimal(value(key)).flatMap { (0...Self.largestPeak).contains($0) ? $0 : nil }
  }

  /// A whole number of 1/256 dB, of 16 bits.
  private func r128(_ key: String) -> Double? {
    Int16(value(key)).map { Double($0) / 256 + Self.referenceStep }
  }
}
