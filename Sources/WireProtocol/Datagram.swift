// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// One UDP port carries audio, its control packets and the clock service. The first bytes tell them
// apart (RFC 5761 for RTP and RTCP; NTP has its leap bits where RTP has its version).
//
//   byte 0: 10xxxxxx            RTP version 2, or RTCP when byte 1 is 192...223
//   otherwise, >= 48 bytes      NTP; mode 3 (client) at a coordinator, mode 4 (server) at a speaker
//
// A stock GStreamer clock request starts with 0xE3 (leap 3): it is not RTP and must be answered.

/// Which of the two kinds of node a program is.
public enum NodeRole: UInt32, Sendable, Hashable, CaseIterable {
  /// Holds the queue and the clock, and sends.
  case coordinator = 1
  /// Receives and plays in one room.
  case speaker = 2
}

/// What a datagram on the shared port is, judged by its first bytes alone.
public enum DatagramKind: Sendable, Hashable {
  /// An audio packet.
  case rtp
  /// One or more RTCP packets.
  case rtcp
  /// A question to the clock service (only at a coordinator).
  case ntpRequest
  /// An answer of the clock service (only at a speaker).
  case ntpReply
  /// Nothing of ours: count and drop.
  case unknown
}

/// Tells what `bytes` are, without parsing them; constant time.
///
/// - Parameters:
///   - bytes: The payload of one UDP datagram.
///   - role: Who received it.
/// - Returns: The kind whose parser should be tried.
public func classifyDatagram(_ bytes: Span<UInt8>, at role: NodeRole) -> DatagramKind {
  guard bytes.count >= RTCPPacket.minimumBytes else { return .unknown }
  if bytes[0] >> 6 == RTPHeader.version {
    if RTCPPacket.multiplexedTypes.contains(bytes[1]) { return .rtcp }
    return bytes.count >= RTPHeader.fixedBytes ? .rtp : .unknown
  }
  guard bytes.count >= NTPPacket.bytes else { return .unknown }
  switch (role, bytes[0] & 7) {
  case (.coordinator, NTPPacket.clientMode): return .ntpRequest
  case (.speaker, NTPPacket.serverMode): return .ntpReply
  default: return .unknown
  }
}
