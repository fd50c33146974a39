// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import DecoderProtocol

// A rating belongs to the music, not to a row or a path: a file that moved, was deleted and copied
// back, or was put on another disk is recognised by its size, length, title, artist and album. Two
// copies of one file share their stars, which is as it should be. A file without a title is told
// by its name too, for recordings without tags often have the same size.

/// What ratings and places of listening are kept under.
public enum SongFingerprint {
  /// The fingerprint of a file: 64 bits, FNV-1a.
  ///
  /// With a million songs the chance that any two unlike ones share one is 3 in 100 million.
  ///
  /// - Parameters:
  ///   - tags: What the file says.
  ///   - size: Its size in bytes.
  ///   - path: Where it is; only its name counts, and only without a title.
  /// - Returns: The fingerprint.
  public static func fingerprint(_ tags: TrackTags, size: Int64, path: String) -> UInt64 {
    let parts = [
      "\(size)", "\(tags.durationMilliseconds ?? 0)",
      tags.title.isEmpty ? FilePath.name(of: path) : tags.title,
      tags.artists.joined(separator: "\u{1E}"), tags.album,
    ]
    return PathDigest(parts.joined(separator: "\u{1F}")).value
  }
}
