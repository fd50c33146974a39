// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import WireProtocol

// libFuzzer calls this with every input it makes; a trap, an overflow or a broken promise below is
// a finding. Run by tools/fuzz.

/// Feeds one datagram to everything that listens on the shared UDP port.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzDatagram(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  let bytes = UnsafeBufferPointer(start: start, count: count).span
  _ = classifyDatagram(bytes, at: .coordinator)
  _ = classifyDatagram(bytes, at: .speaker)
  if let (_, payload) = try? RTPHeader.parse(bytes) { _ = bytes.extracting(payload).count }
  if let packets = try? RTCPPacket.parseCompound(bytes) { survive(packets) }
  if let packet = try? NTPPacket.parse(bytes) { survive(packet) }
  return 0
}

/// What was read is written and read again the same.
private func survive(_ packets: [RTCPPacket]) {
  for packet in packets {
    let bytes = packet.encode()
    if case .other = packet { continue }
    guard let again = try? RTCPPacket.parseCompound(bytes.span) else {
      fatalError("lost \(packet)")
    }
    precondition(again == [packet])
  }
}

private func survive(_ packet: NTPPacket) {
  let again = try? NTPPacket.parse(packet.encode().span)
  precondition(again == packet)
  let reply = clockReply(
    to: packet, received: packet.receive.instant, transmitted: packet.transmit.instant,
    clockID: ClockID(rawValue: packet.reference.rawValue))
  precondition(reply.mode == 4 && (0...2).contains(reply.poll))
}
