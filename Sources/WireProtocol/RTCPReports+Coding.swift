// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

extension SenderReport {
  /// Header, SSRC, and five words about the sender.
  private static let fixedBytes = 28

  init(_ bytes: Span<UInt8>) throws(WireError) {
    try bytes.require(Self.fixedBytes)
    self.init(
      ssrc: SSRC(rawValue: bytes.uint32(at: 4)), sent: NTPTimestamp(rawValue: bytes.uint64(at: 8)),
      timestamp: RTPTimestamp(rawValue: bytes.uint32(at: 16)), packets: bytes.uint32(at: 20),
      octets: bytes.uint32(at: 24), blocks: try reportBlocks(bytes, after: Self.fixedBytes))
  }

  func append(to bytes: inout [UInt8]) {
    let blocks = blocks.prefix(RTCPPacket.maximumBlocks)
    RTCPPacket.appendHeader(
      count: UInt8(blocks.count), type: RTCPPacket.senderReportType,
      bytes: Self.fixedBytes + blocks.count * ReportBlock.bytes, to: &bytes)
    bytes.appendBigEndian(ssrc.rawValue)
    bytes.appendBigEndian(sent.rawValue)
    bytes.appendBigEndian(timestamp.rawValue)
    bytes.appendBigEndian(packets)
    bytes.appendBigEndian(octets)
    for block in blocks { block.append(to: &bytes) }
  }
}

extension ReceiverReport {
  /// Header and SSRC.
  private static let fixedBytes = 8

  init(_ bytes: Span<UInt8>) throws(WireError) {
    try bytes.require(Self.fixedBytes)
    self.init(
      ssrc: SSRC(rawValue: bytes.uint32(at: 4)),
      blocks: try reportBlocks(bytes, after: Self.fixedBytes))
  }

  func append(to bytes: inout [UInt8]) {
    let blocks = blocks.prefix(RTCPPacket.maximumBlocks)
    RTCPPacket.appendHeader(
      count: UInt8(blocks.count), type: RTCPPacket.receiverReportType,
      bytes: Self.fixedBytes + blocks.count * ReportBlock.bytes, to: &bytes)
    bytes.appendBigEndian(ssrc.rawValue)
    for block in blocks { block.append(to: &bytes) }
  }
}

/// The blocks that the header of a report counts; profile-specific bytes after them are ignored.
private func reportBlocks(
  _ bytes: Span<UInt8>, after fixedBytes: Int
) throws(WireError) -> [ReportBlock] {
  let count = Int(bytes[0] & 0x1F)
  try bytes.require(fixedBytes + count * ReportBlock.bytes)
  var blocks: [ReportBlock] = []
  for index in 0..<count {
    blocks.append(ReportBlock(bytes, at: fixedBytes + index * ReportBlock.bytes))
  }
  return blocks
}
