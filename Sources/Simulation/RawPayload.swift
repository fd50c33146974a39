// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

/// Samples behind an Opus head byte: what stands in for Opus, exact to the bit.
///
/// A payload of the head alone stands for 20 ms of which only the place in time matters.
public enum RawPayload {
  /// RFC 6716 section 3.1: CELT, full band, 20 ms, stereo, one frame.
  private static var head: UInt8 { 31 << 3 | 1 << 2 }

  /// Appends the payload of `frames` frames; without a signal, the head alone.
  static func append(
    first: MediaFrame, frames: Int64, signal: VirtualCoordinator.Signal?, to bytes: inout [UInt8]
  ) {
    bytes.append(head)
    guard let signal else { return }
    for offset in 0..<frames {
      let sample = signal(first + offset)
      append(sample.x.bitPattern, to: &bytes)
      append(sample.y.bitPattern, to: &bytes)
    }
  }

  /// The samples of a payload, left and right in turn.
  public static func decode(_ payload: [UInt8]) -> [Float] {
    var samples: [Float] = []
    samples.reserveCapacity(payload.count / 4)
    var index = 1
    while index + 3 < payload.count {
      let high = UInt32(payload[index]) << 24 | UInt32(payload[index + 1]) << 16
      let low = UInt32(payload[index + 2]) << 8 | UInt32(payload[index + 3])
      samples.append(Float(bitPattern: high | low))
      index += 4
    }
    return samples
  }

  private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: word >> 24))
    bytes.append(UInt8(truncatingIfNeeded: word >> 16))
    bytes.append(UInt8(truncatingIfNeeded: word >> 8))
    bytes.append(UInt8(truncatingIfNeeded: word))
  }
}
