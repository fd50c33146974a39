// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Testing
import WireProtocol

@Suite struct RTCPPacketTests {
  @Test(arguments: vectors("rtcp.txt"))
  func `vector is read as it says`(vector: Vector) {
    let bytes = vector.bytes
    let result = outcome { () throws(WireError) -> String in
      try RTCPPacket.parseCompound(bytes.span).map(describe).joined(separator: " | ")
    }
    #expect(result == vector["value"] ?? vector["error"])
  }

  @Test func `there are vectors`() {
    #expect(vectors("rtcp.txt").count >= 20)
  }

  @Test func `every packet survives the wire, alone and in a compound`() throws {
    let packets = PacketSource.packets
    var compound: [UInt8] = []
    for packet in packets {
      #expect(try RTCPPacket.parseCompound(packet.encode().span) == [packet])
      packet.append(to: &compound)
    }
    #expect(try RTCPPacket.parseCompound(compound.span) == packets)
  }

  @Test func `loss outside 24 bits is clamped, blocks beyond 31 are left out`() throws {
    let blocks = (0..<40).map { index in
      ReportBlock(
        ssrc: SSRC(rawValue: index), cumulativeLost: index == 0 ? .max : .min, highestSequence: 0)
    }
    let report = ReceiverReport(ssrc: SSRC(rawValue: 1), blocks: blocks)
    let parsed = try RTCPPacket.parseCompound(RTCPPacket.receiverReport(report).encode().span)
    guard case .receiverReport(let read) = parsed.first else {
      Issue.record("not a receiver report")
      return
    }
    #expect(read.blocks.count == 31)
    #expect(read.blocks.map(\.cumulativeLost).prefix(2) == [8_388_607, -8_388_608])
  }

  @Test func `a packet that was not kept is not sent`() {
    #expect(RTCPPacket.other(type: 202).encode().isEmpty)
  }
}

/// One packet of each kind, at the edges of its fields.
enum PacketSource {
  static let flush = FlushPacket(
    ssrc: SSRC(rawValue: .max), serial: .max, fromFrame: MediaFrame(index: .max),
    fadeMilliseconds: .max)

  static let packets: [RTCPPacket] = [
    .flush(flush), .flushAcknowledged(FlushAcknowledgement(of: flush)),
    .flushAcknowledged(
      FlushAcknowledgement(ssrc: SSRC(rawValue: 1), serial: 2, sender: SSRC(rawValue: 3))),
    .senderReport(
      SenderReport(
        ssrc: SSRC(rawValue: 1), sent: NTPTimestamp(rawValue: 2),
        timestamp: RTPTimestamp(rawValue: 3), packets: 4, octets: 5,
        blocks: [ReportBlock(ssrc: SSRC(rawValue: 6), cumulativeLost: -1, highestSequence: 7)])),
    .receiverReport(ReceiverReport(ssrc: SSRC(rawValue: 1), blocks: [])),
    .negativeAcknowledgement(
      NegativeAcknowledgement(
        sender: SSRC(rawValue: 1), media: SSRC(rawValue: 2), missing: [65_534, 0, 14, 15, 300])),
  ]
}

private func describe(_ packet: RTCPPacket) -> String {
  switch packet {
  case .flush(let flush):
    "flush ssrc=\(hexadecimal(flush.ssrc.rawValue)) serial=\(flush.serial) "
      + "fromFrame=\(flush.fromFrame.index) fade=\(flush.fadeMilliseconds)"
  case .flushAcknowledged(let answer):
    "acknowledged ssrc=\(hexadecimal(answer.ssrc.rawValue)) serial=\(answer.serial) "
      + "sender=\(hexadecimal(answer.sender.rawValue))"
  case .senderReport(let report):
    "sender ssrc=\(hexadecimal(report.ssrc.rawValue)) sent=\(hexadecimal(report.sent.rawValue)) "
      + "timestamp=\(report.timestamp.rawValue) packets=\(report.packets) octets=\(report.octets)"
      + report.blocks.map(describe).joined()
  case .receiverReport(let report):
    "receiver ssrc=\(hexadecimal(report.ssrc.rawValue))" + report.blocks.map(describe).joined()
  case .negativeAcknowledgement(let request):
    "missing sender=\(hexadecimal(request.sender.rawValue)) "
      + "media=\(hexadecimal(request.media.rawValue)) "
      + request.sequences.map(String.init).joined(separator: ",")
  case .other(let type):
    "other \(type)"
  }
}

private func describe(_ block: ReportBlock) -> String {
  " block(ssrc=\(hexadecimal(block.ssrc.rawValue)) fraction=\(block.fractionLost) "
    + "lost=\(block.cumulativeLost) highest=\(block.highestSequence) jitter=\(block.jitter) "
    + "last=\(block.lastSenderReport) delay=\(block.delaySinceLastSenderReport))"
}
