// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// RFC 4585 section 6.2.1, transport layer feedback, generic NACK:
//
//   |V=2|P| FMT = 1 |   PT = 205    |            length             |
//   |                  SSRC of the packet's sender                  |
//   |                  SSRC of the media source                     |
//   |  packet (PID)             u16 |  following (BLP)          u16 |   once or more
//
// Bit i of the second half (lowest first) says that packet + i + 1 is missing too.

/// "These packets have not arrived: send them again."
public struct NegativeAcknowledgement: Sendable, Hashable {
  /// One missing packet, and which of the sixteen after it are missing too.
  public struct Entry: Sendable, Hashable {
    /// The sequence number of a missing packet.
    public var packet: UInt16
    /// Bit i, lowest first: packet + i + 1 is missing.
    public var following: UInt16

    /// An entry with these fields.
    public init(packet: UInt16, following: UInt16 = 0) {
      self.packet = packet
      self.following = following
    }
  }

  /// Packets that one entry can name.
  public static let packetsPerEntry = 17
  /// The most entries written: 268 bytes that name up to 1,088 packets, three times what a room of
  /// D = 6 s can miss at once.
  public static let maximumEntries = 64

  /// The room's own RTCP source, zero while it has none.
  public var sender: SSRC
  /// The generation whose packets are missing.
  public var media: SSRC
  /// What is missing, most urgent first; one at least.
  public var entries: [Entry]

  /// A request with these fields.
  public init(sender: SSRC = SSRC(rawValue: 0), media: SSRC, entries: [Entry]) {
    self.sender = sender
    self.media = media
    self.entries = entries
  }

  /// A request for the packets `missing`, folded into as few entries as their order allows.
  ///
  /// - Parameters:
  ///   - sender: The room's own RTCP source.
  ///   - media: The generation.
  ///   - missing: Sequence numbers; those that ascend (with wraps) share entries.
  public init(sender: SSRC = SSRC(rawValue: 0), media: SSRC, missing: [UInt16]) {
    self.init(sender: sender, media: media, entries: [])
    for number in missing {
      let distance = entries.last.map { number &- $0.packet } ?? 0
      if (1..<UInt16(Self.packetsPerEntry)).contains(distance) {
        entries[entries.count - 1].following |= 1 << (distance - 1)
      } else {
        entries.append(Entry(packet: number))
      }
    }
  }

  /// Every sequence number that is named, in order.
  public var sequences: [UInt16] {
    entries.flatMap { entry in
      [entry.packet]
        + (0..<UInt16(16)).filter { entry.following & (1 << $0) != 0 }
        .map { entry.packet &+ $0 &+ 1 }
    }
  }
}

extension NegativeAcknowledgement {
  static let type: UInt8 = 205
  /// The format of a generic NACK, in the place of the count.
  static let format: UInt8 = 1
  /// Header and two SSRCs.
  private static let fixedBytes = 12

  /// Reads the content of a packet of type 205; nil when it is other feedback.
  static func parse(_ bytes: Span<UInt8>) throws(WireError) -> NegativeAcknowledgement? {
    guard bytes[0] & 0x1F == format else { return nil }
    try bytes.require(fixedBytes + 4)
    var entries: [Entry] = []
    // The length of an RTCP packet, padding cut off, is a multiple of four.
    for offset in stride(from: fixedBytes, to: bytes.count - 3, by: 4) {
      entries.append(
        Entry(packet: bytes.uint16(at: offset), following: bytes.uint16(at: offset + 2)))
    }
    return NegativeAcknowledgement(
      sender: SSRC(rawValue: bytes.uint32(at: 4)), media: SSRC(rawValue: bytes.uint32(at: 8)),
      entries: entries)
  }

  func append(to bytes: inout [UInt8]) {
    let entries = entries.prefix(Self.maximumEntries)
    RTCPPacket.appendHeader(
      count: Self.format, type: Self.type, bytes: Self.fixedBytes + 4 * entries.count, to: &bytes)
    bytes.appendBigEndian(sender.rawValue)
    bytes.appendBigEndian(media.rawValue)
    for entry in entries {
      bytes.appendBigEndian(entry.packet)
      bytes.appendBigEndian(entry.following)
    }
  }
}
