// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Who tunes in gets bytes from the middle of a frame. What looks like a header there often is none (FFmpeg
// has taken an MP3 for MPEG layer I), so the first bytes are dropped up to a header behind which, at the
// distance that it announces, there is another of the same kind, and another.
//
//   MP3     1111 1111  111v vllx  bbbb ssp.    v: version, l: layer, b: bit rate, s: sample rate, p: padding
//   ADTS    1111 1111  1111 v00x  ppss ss.c  cc..  ..ll  llll llll  lll. ....    l: length with the header
//
// Sources: ISO/IEC 11172-3 section 2.4.1.3 and 13818-3; ISO/IEC 13818-7 section 6.2.

/// Where frames begin in the middle of a stream of MP3 or AAC.
struct FrameSync: Hashable {
  /// What frames they are.
  enum Kind: String {
    /// MPEG layer III.
    case mp3
    /// AAC in ADTS.
    case aac
  }

  /// What frames they are; the raw value is libavformat's name for it.
  var kind: Kind
  /// Bytes before the first whole frame.
  var offset: Int

  /// Headers that must follow each other. By chance one byte in some thousand looks like one.
  static let headers = 3

  /// Finds the first frame.
  ///
  /// - Parameter bytes: From any place of a stream.
  /// - Returns: The place; nil when there are not yet, or never, frames enough.
  static func find(in bytes: [UInt8]) -> FrameSync? {
    guard bytes.count > 8 else { return nil }
    for offset in 0..<bytes.count - 8 where bytes[offset] == 0xFF {
      for kind in [Kind.mp3, .aac] where follows(kind, at: offset, in: bytes) {
        return FrameSync(kind: kind, offset: offset)
      }
    }
    return nil
  }

  private static func follows(_ kind: Kind, at offset: Int, in bytes: [UInt8]) -> Bool {
    var place = offset
    // Version, layer and sample rate do not change from frame to frame.
    let (second, third) = (bytes[offset + 1] & 0xFE, bytes[offset + 2] & sameBits(kind))
    for _ in 1..<headers {
      guard let length = length(kind, at: place, in: bytes) else { return false }
      place += length
      guard place + 8 <= bytes.count, bytes[place + 1] & 0xFE == second,
        bytes[place + 2] & sameBits(kind) == third
      else { return false }
    }
    return length(kind, at: place, in: bytes) != nil
  }

  private static func sameBits(_ kind: Kind) -> UInt8 {
    switch kind {
    case .mp3: 0x0C
    case .aac: 0xFC
    }
  }

  private static func length(_ kind: Kind, at place: Int, in bytes: [UInt8]) -> Int? {
    switch kind {
    case .mp3: lengthOfMP3(bytes[place..<place + 4])
    case .aac: lengthOfADTS(bytes[place..<place + 7])
    }
  }

  /// Kilobits a second of layer III by index: MPEG 1, and MPEG 2 and 2.5. 0 is "free format".
  private static let bitRates = [
    [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  private static func lengthOfMP3(_ header: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(header)
    guard bytes[0] == 0xFF, bytes[1] & 0xE6 == 0xE2 else { return nil }
    let version = Int(bytes[1] >> 3 & 3)
    let (rate, sampling) = (Int(bytes[2] >> 4), Int(bytes[2] >> 2 & 3))
    guard version != 1, (1...14).contains(rate), sampling != 3 else { return nil }
    let isFirst = version == 3
    // MPEG 2 halves the sample rates of MPEG 1, MPEG 2.5 halves those.
    let hertz = [44_100, 48_000, 32_000][sampling] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    let kilobits = bitRates[isFirst ? 0 : 1][rate]
    return (isFirst ? 144_000 : 72_000) * kilobits / hertz + Int(bytes[2] >> 1 & 1)
  }

  private static func lengthOfADTS(_ header: ArraySlice<UInt8>) -> Int? {
    let bytes = Array(header)
    guard bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0, bytes[2] >> 2 & 15 < 13 else { return nil }
    let length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
    return length > 7 ? length : nil
  }
}
