// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// RFC 4588 section 4: the RTP header of a stream of its own (payload type 100, SSRC and sequence of
// its own, the timestamp of the original), then the original sequence number (OSN), then the payload.

extension SSRC {
  /// The source of the packets that are sent again for this generation: another session, the same
  /// generation, so that a generation which has not been announced yet can be repaired too.
  public var retransmission: SSRC {
    SSRC(session: session ^ 0x8000, generation: generation)
  }
}

/// Packets that are sent again.
public enum Retransmission {
  /// The original sequence number before the payload.
  public static let overheadBytes = 2

  /// Makes the datagram that repeats `original`.
  ///
  /// - Parameters:
  ///   - original: The datagram as it was sent the first time.
  ///   - ssrc: The source of the packets sent again.
  ///   - sequence: Its next number, counted for each room.
  ///   - datagram: Where to; appended.
  /// - Throws: `WireError` when the original is no RTP packet.
  public static func append(
    _ original: Span<UInt8>, ssrc: SSRC, sequence: UInt16, to datagram: inout [UInt8]
  ) throws(WireError) {
    let (header, payload) = try RTPHeader.parse(original)
    RTPHeader(
      payloadType: RTPHeader.retransmissionPayloadType, marker: header.marker, sequence: sequence,
      timestamp: header.timestamp, ssrc: ssrc
    ).append(to: &datagram)
    datagram.appendBigEndian(header.sequence)
    for index in payload { datagram.append(original[index]) }
  }

  /// The header that the original packet had; its payload follows `overheadBytes` further on.
  ///
  /// - Parameters:
  ///   - header: Of the packet that was sent again.
  ///   - payload: Its payload, with the original number in front.
  ///   - media: The generation that it repairs.
  ///   - payloadType: The generation's.
  /// - Returns: As it was sent the first time.
  /// - Throws: `WireError.truncated` when there is no original number.
  public static func originalHeader(
    _ header: RTPHeader, payload: Span<UInt8>, media: SSRC, payloadType: UInt8
  ) throws(WireError) -> RTPHeader {
    try payload.require(overheadBytes)
    return RTPHeader(
      payloadType: payloadType, marker: header.marker, sequence: payload.uint16(at: 0),
      timestamp: header.timestamp, ssrc: media)
  }
}
