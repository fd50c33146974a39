// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import WireProtocol

/// One audio packet as it came, its stamp unwrapped.
struct EncodedPacket {
  var stamp: MediaFrame
  var sequence: UInt16
  var frames: Int64
  var payload: [UInt8]

  /// The first frame after the packet.
  var end: MediaFrame { stamp + frames }
}

/// One audio packet whose stamp cannot be unwrapped yet: nobody knows what time it is.
struct RawPacket {
  var header: RTPHeader
  var payload: [UInt8]
  var arrival: LocalInstant
  /// It was sent again; `header` is that of the original.
  var isRepair = false
}

/// How much music an Opus packet holds, read from its first bytes (RFC 6716 section 3.1).
enum OpusPacketLength {
  /// Frames of 48 kHz by configuration number: the lengths of SILK, hybrid and CELT modes.
  private static func framesOfOne(_ configuration: UInt8) -> Int64 {
    switch configuration {
    case 0..<12: [480, 960, 1_920, 2_880][Int(configuration & 3)]
    case 12..<16: [480, 960][Int(configuration & 1)]
    default: [120, 240, 480, 960][Int(configuration & 3)]
    }
  }

  /// The frames of 48 kHz that `payload` decodes to; nil when it is no Opus packet.
  static func frames(_ payload: [UInt8]) -> Int64? {
    guard let head = payload.first else { return nil }
    let one = framesOfOne(head >> 3)
    switch head & 3 {
    case 0: return one
    case 1, 2: return 2 * one
    default:
      guard payload.count > 1 else { return nil }
      let frames = one * Int64(payload[1] & 0x3F)
      // 120 ms is the most that RFC 6716 allows.
      return frames > 0 && frames <= 5_760 ? frames : nil
    }
  }
}
