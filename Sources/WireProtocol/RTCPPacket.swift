// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// RFC 3550 section 6: several packets in one datagram, each with its length in 32-bit words minus
// one. Packets of unknown type are stepped over. Reduced-size datagrams (RFC 5506) are accepted: a
// flush travels without a report in front of it.

/// One packet of an RTCP datagram.
public enum RTCPPacket: Sendable, Hashable {
  /// Stop a generation at a frame.
  case flush(FlushPacket)
  /// The answer to a flush.
  case flushAcknowledged(FlushAcknowledgement)
  /// From the sender of audio.
  case senderReport(SenderReport)
  /// From a receiver.
  case receiverReport(ReceiverReport)
  /// A receiver misses packets.
  case negativeAcknowledgement(NegativeAcknowledgement)
  /// Any other packet type (SDES, BYE, other feedback, APP of others), stepped over.
  case other(type: UInt8)

  /// Packet types that share a port with RTP (RFC 5761 section 4).
  static let multiplexedTypes: ClosedRange<UInt8> = 192...223
  /// A header and one SSRC.
  static let minimumBytes = 8
  static let senderReportType: UInt8 = 200
  static let receiverReportType: UInt8 = 201
  static let applicationType: UInt8 = 204
  /// The count has five bits.
  static let maximumBlocks = 31

  /// Reads every packet of a datagram.
  ///
  /// - Parameter bytes: The whole datagram.
  /// - Returns: The packets in order; never empty.
  /// - Throws: `WireError` if any of them is malformed: then none is believed.
  public static func parseCompound(_ bytes: Span<UInt8>) throws(WireError) -> [RTCPPacket] {
    try bytes.require(minimumBytes)
    var packets: [RTCPPacket] = []
    var start = 0
    while start < bytes.count {
      guard bytes.count - start >= 4 else {
        throw .truncated(needed: start + 4, available: bytes.count)
      }
      let end = start + 4 * (Int(bytes.uint16(at: start + 2)) + 1)
      try bytes.require(end)
      packets.append(try parse(bytes.extracting(start..<end), isLast: end == bytes.count))
      start = end
    }
    return packets
  }

  /// The packet as the only one of a datagram.
  public func encode() -> [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// Appends the packet to a datagram.
  ///
  /// `other` stands for bytes that were not kept and appends nothing.
  public func append(to bytes: inout [UInt8]) {
    switch self {
    case .flush(let flush): FlushApplication.append(flush, to: &bytes)
    case .flushAcknowledged(let answer): FlushApplication.append(answer, to: &bytes)
    case .senderReport(let report): report.append(to: &bytes)
    case .receiverReport(let report): report.append(to: &bytes)
    case .negativeAcknowledgement(let request): request.append(to: &bytes)
    case .other: break
    }
  }

  /// Reads one packet that fills `bytes`.
  private static func parse(
    _ bytes: Span<UInt8>, isLast: Bool
  ) throws(WireError) -> RTCPPacket {
    guard bytes[0] >> 6 == RTPHeader.version else { throw .unsupportedVersion(bytes[0] >> 6) }
    let type = bytes[1]
    let content = bytes.extracting(0..<(try contentLength(of: bytes, isLast: isLast)))
    switch type {
    case senderReportType: return .senderReport(try SenderReport(content))
    case receiverReportType: return .receiverReport(try ReceiverReport(content))
    case applicationType: return try FlushApplication.parse(content) ?? .other(type: type)
    case NegativeAcknowledgement.type:
      guard let request = try NegativeAcknowledgement.parse(content) else {
        return .other(type: type)
      }
      return .negativeAcknowledgement(request)
    default: return .other(type: type)
    }
  }

  /// Where the packet ends without its padding, which only the last of a datagram may have.
  private static func contentLength(
    of bytes: Span<UInt8>, isLast: Bool
  ) throws(WireError) -> Int {
    guard bytes[0] & 0x20 != 0 else { return bytes.count }
    let padding = Int(bytes[bytes.count - 1])
    guard isLast, padding > 0, padding % 4 == 0, padding <= bytes.count - 4 else {
      throw .malformedPadding
    }
    return bytes.count - padding
  }

  /// Appends the four bytes that start every RTCP packet; `bytes` is its whole length.
  static func appendHeader(
    count: UInt8, type: UInt8, bytes length: Int, to bytes: inout [UInt8]
  ) {
    bytes.append(RTPHeader.version << 6 | (count & 0x1F))
    bytes.append(type)
    bytes.appendBigEndian(UInt16(truncatingIfNeeded: length / 4 - 1))
  }
}
