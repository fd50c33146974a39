// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// One message of the control link, in either direction.
///
/// On the wire each is a proto3 `ControlMessage` (proto/control.proto) behind four bytes of length,
/// big-endian.
public enum ControlMessage: Sendable, Hashable {
  /// The first message of either side.
  case hello(Hello)
  /// The link is not accepted.
  case refusal(Refusal)
  /// A generation starts, or is made known to a late joiner.
  case streamAnnounce(StreamAnnounce)
  /// A generation ran out.
  case streamEnd(StreamEnd)
  /// Stop a generation at a frame; also sent as RTCP.
  case flush(FlushPacket)
  /// The answer to a flush that came over the link.
  case flushAcknowledged(FlushAcknowledgement)
  /// Be ready to sound.
  case arm(Arm)
  /// Volume and mute.
  case setVolume(SetVolume)
  /// The room's name.
  case setName(SetName)
  /// The room's latency setting.
  case setLatency(SetLatency)
  /// What a room is doing.
  case stateReport(StateReport)
  /// "Are you there?"; answered by a pong with the same token.
  case ping(UInt64)
  /// The answer to a ping.
  case pong(UInt64)
  /// The sender leaves on purpose.
  case goodbye(Goodbye)
}

extension ControlMessage {
  /// The message in proto3, without the four bytes of length.
  public func encode() -> [UInt8] {
    var writer = ProtoWriter()
    switch self {
    case .hello(let body): writer.message(1, body)
    case .refusal(let body): writer.message(2, body)
    case .streamAnnounce(let body): writer.message(3, body)
    case .streamEnd(let body): writer.message(4, body)
    case .flush(let body): writer.message(5, body)
    case .flushAcknowledged(let body): writer.message(6, body)
    case .arm(let body): writer.message(7, body)
    case .setVolume(let body): writer.message(8, body)
    case .setName(let body): writer.message(9, body)
    case .setLatency(let body): writer.message(10, body)
    case .stateReport(let body): writer.message(11, body)
    case .ping(let token): writer.message(12, Keepalive(token: token))
    case .pong(let token): writer.message(13, Keepalive(token: token))
    case .goodbye(let body): writer.message(14, body)
    }
    return writer.bytes
  }

  /// The message as it goes on the link: four bytes of length, then `encode()`.
  public func encodeFrame() -> [UInt8] {
    let body = encode()
    var frame: [UInt8] = []
    frame.reserveCapacity(body.count + ControlFrameDecoder.lengthBytes)
    frame.appendBigEndian(UInt32(truncatingIfNeeded: body.count))
    frame += body
    return frame
  }

  /// Reads a message.
  ///
  /// - Parameter bytes: The proto3 bytes, without the four bytes of length.
  /// - Throws: `WireError.unknownMessage` when a newer peer sent a kind this build does not know:
  ///   ignore it. Any other error: the peer is broken.
  public init(decoding bytes: Span<UInt8>) throws(WireError) {
    var reader = ProtoReader(0..<bytes.count)
    var message: ControlMessage?
    while let field = try reader.next(in: bytes) {
      // The last member of a proto3 oneof wins.
      message = try Self.body(field, in: bytes) ?? message
    }
    guard let message else { throw .unknownMessage }
    self = message
  }

  private static func body(
    _ field: ProtoField, in bytes: Span<UInt8>
  ) throws(WireError) -> ControlMessage? {
    switch field.number {
    case 1: .hello(try field.message(in: bytes))
    case 2: .refusal(try field.message(in: bytes))
    case 3: .streamAnnounce(try field.message(in: bytes))
    case 4: .streamEnd(try field.message(in: bytes))
    case 5: .flush(try field.message(in: bytes))
    case 6: .flushAcknowledged(try field.message(in: bytes))
    case 7: .arm(try field.message(in: bytes))
    case 8: .setVolume(try field.message(in: bytes))
    case 9: .setName(try field.message(in: bytes))
    case 10: .setLatency(try field.message(in: bytes))
    case 11: .stateReport(try field.message(in: bytes))
    case 12: .ping((try field.message(in: bytes) as Keepalive).token)
    case 13: .pong((try field.message(in: bytes) as Keepalive).token)
    case 14: .goodbye(try field.message(in: bytes))
    default: nil
    }
  }
}
