// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// RFC 3550 sections 6.4.1 and 6.4.2.

/// What one receiver says about one source.
public struct ReportBlock: Sendable, Hashable {
  /// On the wire.
  static let bytes = 24

  /// The source that is reported on.
  public var ssrc: SSRC
  /// Share of packets lost since the last report, in 1/256.
  public var fractionLost: UInt8
  /// Packets lost since the start; 24 bits signed on the wire, clamped when written.
  public var cumulativeLost: Int32
  /// Highest sequence number received, with the count of its wraps above.
  public var highestSequence: UInt32
  /// Interarrival jitter in frames of 48 kHz.
  public var jitter: UInt32
  /// The middle 32 bits of the NTP stamp of the last sender report, zero if none came.
  public var lastSenderReport: UInt32
  /// Time since that report arrived, in 1/65,536 s.
  public var delaySinceLastSenderReport: UInt32

  /// A block about `ssrc`.
  public init(
    ssrc: SSRC, fractionLost: UInt8 = 0, cumulativeLost: Int32 = 0, highestSequence: UInt32,
    jitter: UInt32 = 0, lastSenderReport: UInt32 = 0, delaySinceLastSenderReport: UInt32 = 0
  ) {
    self.ssrc = ssrc
    self.fractionLost = fractionLost
    self.cumulativeLost = cumulativeLost
    self.highestSequence = highestSequence
    self.jitter = jitter
    self.lastSenderReport = lastSenderReport
    self.delaySinceLastSenderReport = delaySinceLastSenderReport
  }

  /// The caller has checked that 24 bytes are there.
  init(_ bytes: Span<UInt8>, at offset: Int) {
    let lost = bytes.uint32(at: offset + 4)
    self.init(
      ssrc: SSRC(rawValue: bytes.uint32(at: offset)), fractionLost: UInt8(lost >> 24),
      cumulativeLost: Int32(bitPattern: lost << 8) >> 8,
      highestSequence: bytes.uint32(at: offset + 8), jitter: bytes.uint32(at: offset + 12),
      lastSenderReport: bytes.uint32(at: offset + 16),
      delaySinceLastSenderReport: bytes.uint32(at: offset + 20))
  }

  func append(to bytes: inout [UInt8]) {
    let lost = min(max(cumulativeLost, -0x80_0000), 0x7F_FFFF)
    bytes.appendBigEndian(ssrc.rawValue)
    bytes.appendBigEndian(UInt32(fractionLost) << 24 | UInt32(bitPattern: lost) & 0xFF_FFFF)
    bytes.appendBigEndian(highestSequence)
    bytes.appendBigEndian(jitter)
    bytes.appendBigEndian(lastSenderReport)
    bytes.appendBigEndian(delaySinceLastSenderReport)
  }
}

/// A sender's pairing of wall clock (here: the media clock) and RTP timestamp.
public struct SenderReport: Sendable, Hashable {
  /// The stream.
  public var ssrc: SSRC
  /// When the report was sent, media clock.
  public var sent: NTPTimestamp
  /// The same moment as an RTP timestamp.
  public var timestamp: RTPTimestamp
  /// Packets sent in this generation.
  public var packets: UInt32
  /// Payload bytes sent in this generation.
  public var octets: UInt32
  /// What the sender itself receives; at most 31 are written.
  public var blocks: [ReportBlock]

  /// A report of `ssrc`.
  public init(
    ssrc: SSRC, sent: NTPTimestamp, timestamp: RTPTimestamp, packets: UInt32, octets: UInt32,
    blocks: [ReportBlock] = []
  ) {
    self.ssrc = ssrc
    self.sent = sent
    self.timestamp = timestamp
    self.packets = packets
    self.octets = octets
    self.blocks = blocks
  }
}

/// What one receiver says about the sources it hears.
public struct ReceiverReport: Sendable, Hashable {
  /// The receiver.
  public var ssrc: SSRC
  /// One for each source; at most 31 are written.
  public var blocks: [ReportBlock]

  /// A report by `ssrc`.
  public init(ssrc: SSRC, blocks: [ReportBlock]) {
    self.ssrc = ssrc
    self.blocks = blocks
  }
}
