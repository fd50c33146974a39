// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// RFC 3550 section 5.1. Tutti sends the twelve fixed bytes; CSRC, extension and padding of others
// are understood and skipped. See proto/rtp-profile.md.
//
//   0                   1                   2                   3
//   |V=2|P|X|  CC   |M|     PT      |       sequence number         |
//   |                           timestamp                           |
//   |                             SSRC                              |

/// The header of one audio packet.
public struct RTPHeader: Sendable, Hashable {
  /// The only RTP version.
  static let version: UInt8 = 2
  /// The header without CSRC list and extension.
  static let fixedBytes = 12
  /// Opus as Tutti sends it, `opus/48000/2` (a dynamic type, RFC 3551).
  public static let opusPayloadType: UInt8 = 97
  /// Packets that are sent again, RFC 4588.
  public static let retransmissionPayloadType: UInt8 = 100

  /// What the payload is; 7 bits.
  public var payloadType: UInt8
  /// Set on the first packet of a generation.
  public var marker: Bool
  /// Counts packets of one SSRC from 0; wraps every 21.8 min at 20 ms.
  public var sequence: UInt16
  /// The media clock's frame of the first sample, low 32 bits.
  public var timestamp: RTPTimestamp
  /// The generation.
  public var ssrc: SSRC

  /// A header with these fields; `payloadType` is cut to 7 bits when written.
  public init(
    payloadType: UInt8, marker: Bool = false, sequence: UInt16, timestamp: RTPTimestamp, ssrc: SSRC
  ) {
    self.payloadType = payloadType
    self.marker = marker
    self.sequence = sequence
    self.timestamp = timestamp
    self.ssrc = ssrc
  }

  /// Reads the header of one datagram.
  ///
  /// - Parameter bytes: The whole datagram.
  /// - Returns: The header and where in `bytes` the payload lies (without padding; may be empty).
  /// - Throws: `WireError` when it is not an RTP packet of version 2 or contradicts its own length.
  public static func parse(
    _ bytes: Span<UInt8>
  ) throws(WireError) -> (header: RTPHeader, payload: Range<Int>) {
    try bytes.require(fixedBytes)
    guard bytes[0] >> 6 == version else { throw .unsupportedVersion(bytes[0] >> 6) }
    let header = RTPHeader(
      payloadType: bytes[1] & 0x7F, marker: bytes[1] & 0x80 != 0, sequence: bytes.uint16(at: 2),
      timestamp: RTPTimestamp(rawValue: bytes.uint32(at: 4)),
      ssrc: SSRC(rawValue: bytes.uint32(at: 8)))
    let start = try payloadStart(bytes)
    return (header, start..<(try payloadEnd(bytes, from: start)))
  }

  /// Appends the twelve bytes of the header.
  public func append(to bytes: inout [UInt8]) {
    bytes.append(Self.version << 6)
    bytes.append((marker ? 0x80 : 0) | (payloadType & 0x7F))
    bytes.appendBigEndian(sequence)
    bytes.appendBigEndian(timestamp.rawValue)
    bytes.appendBigEndian(ssrc.rawValue)
  }

  /// Skips the CSRC list and the header extension.
  private static func payloadStart(_ bytes: Span<UInt8>) throws(WireError) -> Int {
    var start = fixedBytes + 4 * Int(bytes[0] & 0x0F)
    guard bytes[0] & 0x10 != 0 else {
      try bytes.require(start)
      return start
    }
    try bytes.require(start + 4)
    start += 4 + 4 * Int(bytes.uint16(at: start + 2))
    try bytes.require(start)
    return start
  }

  /// The last byte of a padded packet counts the padding, itself included.
  private static func payloadEnd(_ bytes: Span<UInt8>, from start: Int) throws(WireError) -> Int {
    guard bytes[0] & 0x20 != 0 else { return bytes.count }
    let padding = Int(bytes[bytes.count - 1])
    guard padding > 0, padding <= bytes.count - start else { throw .malformedPadding }
    return bytes.count - padding
  }
}
