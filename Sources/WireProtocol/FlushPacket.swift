// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// proto/flush.md. An RTCP APP packet (RFC 3550 section 6.7) named "TUTT":
//
//   |V=2|P| subtype |   PT = 204    |            length             |
//   |              SSRC: of the stream (1), of the sender (2)       |
//   |                        name = "TUTT"                          |
//   subtype 1, flush                  subtype 2, acknowledgement
//   | serial                  u32 |   | SSRC of the stream      u32 |
//   | from frame              i64 |   | serial                  u32 |
//   | fade ms u16 |  zero     u16 |

/// "Play nothing of this generation from that frame on."
///
/// Sent on UDP at 0, 5, 15 and 40 ms until acknowledged, and once on the control link: nothing with
/// a deadline under a second depends on TCP alone.
public struct FlushPacket: Sendable, Hashable {
  /// The generation that ends.
  public var ssrc: SSRC
  /// Names this flush, so that repetitions are recognised and acknowledged one by one.
  public var serial: UInt32
  /// The first media frame that is not played; rooms cut there, together.
  public var fromFrame: MediaFrame
  /// Length of the fade that starts at `fromFrame`, in milliseconds.
  public var fadeMilliseconds: UInt16

  /// A flush of `ssrc` from `fromFrame` on.
  public init(ssrc: SSRC, serial: UInt32, fromFrame: MediaFrame, fadeMilliseconds: UInt16) {
    self.ssrc = ssrc
    self.serial = serial
    self.fromFrame = fromFrame
    self.fadeMilliseconds = fadeMilliseconds
  }
}

/// "This room has that flush."
public struct FlushAcknowledgement: Sendable, Hashable {
  /// The generation that was flushed.
  public var ssrc: SSRC
  /// The serial of the flush.
  public var serial: UInt32
  /// The room's own RTCP source, zero while it has none.
  public var sender: SSRC

  /// An acknowledgement of flush `serial` of `ssrc`.
  public init(ssrc: SSRC, serial: UInt32, sender: SSRC = SSRC(rawValue: 0)) {
    self.ssrc = ssrc
    self.serial = serial
    self.sender = sender
  }

  /// The acknowledgement of `flush`.
  public init(of flush: FlushPacket) {
    self.init(ssrc: flush.ssrc, serial: flush.serial)
  }
}

/// How the two travel as RTCP APP packets.
enum FlushApplication {
  /// "TUTT".
  static let name: UInt32 = 0x5455_5454
  static let flushSubtype: UInt8 = 1
  static let acknowledgementSubtype: UInt8 = 2
  /// Header, SSRC, name, 16 bytes of data.
  static let flushBytes = 28
  /// Header, SSRC, name, 8 bytes of data.
  static let acknowledgementBytes = 20

  /// Reads one APP packet that fills `bytes`; nil when it is somebody else's.
  static func parse(_ bytes: Span<UInt8>) throws(WireError) -> RTCPPacket? {
    guard bytes.count >= 12, bytes.uint32(at: 8) == name else { return nil }
    let ssrc = SSRC(rawValue: bytes.uint32(at: 4))
    switch bytes[0] & 0x1F {
    case flushSubtype:
      try bytes.require(flushBytes)
      return .flush(
        FlushPacket(
          ssrc: ssrc, serial: bytes.uint32(at: 12),
          fromFrame: MediaFrame(index: Int64(bitPattern: bytes.uint64(at: 16))),
          fadeMilliseconds: bytes.uint16(at: 24)))
    case acknowledgementSubtype:
      try bytes.require(acknowledgementBytes)
      return .flushAcknowledged(
        FlushAcknowledgement(
          ssrc: SSRC(rawValue: bytes.uint32(at: 12)), serial: bytes.uint32(at: 16), sender: ssrc))
    default:
      return nil
    }
  }

  static func append(_ flush: FlushPacket, to bytes: inout [UInt8]) {
    RTCPPacket.appendHeader(
      count: flushSubtype, type: RTCPPacket.applicationType, bytes: flushBytes, to: &bytes)
    bytes.appendBigEndian(flush.ssrc.rawValue)
    bytes.appendBigEndian(name)
    bytes.appendBigEndian(flush.serial)
    bytes.appendBigEndian(flush.fromFrame.index)
    bytes.appendBigEndian(flush.fadeMilliseconds)
    bytes.appendBigEndian(UInt16(0))
  }

  static func append(_ acknowledgement: FlushAcknowledgement, to bytes: inout [UInt8]) {
    RTCPPacket.appendHeader(
      count: acknowledgementSubtype, type: RTCPPacket.applicationType, bytes: acknowledgementBytes,
      to: &bytes)
    bytes.appendBigEndian(acknowledgement.sender.rawValue)
    bytes.appendBigEndian(name)
    bytes.appendBigEndian(acknowledgement.ssrc.rawValue)
    bytes.appendBigEndian(acknowledgement.serial)
  }
}
