// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a volume number means as sound.
///
/// The amplitude is the cube of the volume: 50 is -18 dB, 25 is -36 dB, 0 is silence. A cube follows
/// loudness closely enough that each step of the slider sounds alike, and needs no table.
public enum VolumeLaw {
  /// The volumes there are.
  public static let range: ClosedRange<Int> = 0...100

  /// The volume of a speaker that nobody has set before: quiet, so that nobody is startled.
  public static let firstVolume = 25

  /// The amplitude of a volume.
  ///
  /// - Parameter volume: 0 to 100; clamped.
  /// - Returns: The factor for samples, 0 to 1.
  public static func amplitude(of volume: Int) -> Double {
    let linear = Double(clamped(volume)) / Double(range.upperBound)
    return linear * linear * linear
  }

  /// The nearest volume that exists.
  ///
  /// - Parameter volume: Any number.
  /// - Returns: 0 to 100.
  public static func clamped(_ volume: Int) -> Int {
    min(max(volume, range.lowerBound), range.upperBound)
  }
}
