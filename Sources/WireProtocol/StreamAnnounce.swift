// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// How the payload of a stream is coded.
public enum StreamCodec: UInt32, Sendable, Hashable, CaseIterable {
  /// RFC 7587, 48 kHz stereo.
  case opus = 1
}

/// "This generation of the group's stream is the current one; here is how to play it."
///
/// Sent before the first packet of a generation, and again to a speaker that joins or reconnects.
public struct StreamAnnounce: Sendable, Hashable {
  /// The group whose queue this plays.
  public var groupID: String
  /// The generation.
  public var ssrc: SSRC
  /// Which run of the media clock stamps it.
  public var clockID: ClockID
  /// Where to ask for the time; empty: the peer of this link.
  public var clockAddress: String
  /// UDP port of the clock service.
  public var clockPort: UInt16
  /// How the payload is coded.
  public var codec: StreamCodec
  /// The RTP payload type, 0...127.
  public var payloadType: UInt8
  /// Decoded frames at the start of the generation that are never audible.
  public var lookAheadFrames: UInt32
  /// The first frame that may be heard.
  public var firstAudible: MediaFrame
  /// The playout delay.
  public var delayRamp: DelayRamp
  /// SRTP master key and salt; empty: plain RTP.
  public var key: [UInt8]
  /// SRTP roll-over counter at `firstSequence`.
  public var rollOverCounter: UInt32
  /// The sequence number of the first packet of the generation.
  public var firstSequence: UInt16
  /// The source of packets that are sent again; nil: nothing is sent again, and no room asks.
  public var retransmission: SSRC?
  /// How much a room is to keep in its device; nil: as much as it likes.
  public var deviceFill: Nanoseconds?

  /// An announcement with these fields.
  public init(
    groupID: String, ssrc: SSRC, clockID: ClockID, clockAddress: String = "", clockPort: UInt16,
    codec: StreamCodec = .opus, payloadType: UInt8 = RTPHeader.opusPayloadType,
    lookAheadFrames: UInt32, firstAudible: MediaFrame, delayRamp: DelayRamp, key: [UInt8] = [],
    rollOverCounter: UInt32 = 0, firstSequence: UInt16 = 0, retransmission: SSRC? = nil,
    deviceFill: Nanoseconds? = nil
  ) {
    self.groupID = groupID
    self.ssrc = ssrc
    self.clockID = clockID
    self.clockAddress = clockAddress
    self.clockPort = clockPort
    self.codec = codec
    self.payloadType = payloadType
    self.lookAheadFrames = lookAheadFrames
    self.firstAudible = firstAudible
    self.delayRamp = delayRamp
    self.key = key
    self.rollOverCounter = rollOverCounter
    self.firstSequence = firstSequence
    self.retransmission = retransmission
    self.deviceFill = deviceFill
  }
}

extension StreamAnnounce: ControlPayload {
  static var blank: StreamAnnounce {
    StreamAnnounce(
      groupID: "", ssrc: SSRC(rawValue: 0), clockID: ClockID(rawValue: 0), clockPort: 0,
      payloadType: 0, lookAheadFrames: 0, firstAudible: MediaFrame(index: 0),
      delayRamp: DelayRamp.blank)
  }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: groupID = try field.string(in: bytes, limit: ControlLimits.nameBytes)
    case 2: ssrc = SSRC(rawValue: try field.fixed32())
    case 3: clockID = ClockID(rawValue: try field.fixed64())
    case 4: clockAddress = try field.string(in: bytes, limit: ControlLimits.nameBytes)
    case 5: clockPort = try field.integer()
    case 6:
      let value: UInt32 = try field.integer()
      guard let known = value == 0 ? .opus : StreamCodec(rawValue: value) else {
        throw field.malformed
      }
      codec = known
    case 7:
      payloadType = try field.integer()
      guard payloadType < 128 else { throw field.malformed }
    case 8: lookAheadFrames = try field.integer()
    case 9: firstAudible = try field.frame()
    case 10: delayRamp = try field.message(in: bytes)
    case 11: key = try field.data(in: bytes, limit: ControlLimits.keyBytes)
    case 12: rollOverCounter = try field.integer()
    case 13: firstSequence = try field.integer()
    case 14:
      let value = try field.fixed32()
      retransmission = value == 0 ? nil : SSRC(rawValue: value)
    case 15:
      let value = try field.playoutDelay()
      deviceFill = value == .zero ? nil : value
    default: break
    }
  }

  func validate(present: UInt64) throws(WireError) {
    guard ssrc.rawValue != 0 else { throw .malformedField(number: 2) }
    guard clockID.rawValue != 0 else { throw .malformedField(number: 3) }
    // Else a room could not tell which generation a packet repairs.
    guard retransmission.map({ $0.generation == ssrc.generation && $0 != ssrc }) ?? true else {
      throw .malformedField(number: 14)
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.string(1, groupID, limit: ControlLimits.nameBytes)
    writer.fixed32(2, ssrc.rawValue)
    writer.fixed64(3, clockID.rawValue)
    writer.string(4, clockAddress, limit: ControlLimits.nameBytes)
    writer.unsigned(5, UInt64(clockPort))
    writer.unsigned(6, UInt64(codec.rawValue))
    writer.unsigned(7, UInt64(payloadType))
    writer.unsigned(8, UInt64(lookAheadFrames))
    writer.int64(9, firstAudible.index)
    writer.message(10, delayRamp)
    writer.data(11, key)
    writer.unsigned(12, UInt64(rollOverCounter))
    writer.unsigned(13, UInt64(firstSequence))
    writer.fixed32(14, present: retransmission?.rawValue)
    writer.duration(15, deviceFill ?? .zero)
  }
}

extension DelayRamp: ControlPayload {
  static var blank: DelayRamp { DelayRamp(constant: .zero) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: t0 = try field.frame()
    case 2: d0 = try field.playoutDelay()
    case 3: d1 = try field.playoutDelay()
    case 4: slope = try field.partsPerMillion()
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.int64(1, t0.index)
    writer.duration(2, d0)
    writer.duration(3, d1)
    writer.double(4, slope.value)
  }
}

extension ProtoField {
  /// A playout delay within its range; never negative.
  fileprivate func playoutDelay() throws(WireError) -> Nanoseconds {
    let value = try duration()
    guard (0...(ControlLimits.delayMilliseconds * 1_000_000)).contains(value.count) else {
      throw malformed
    }
    return value
  }
}
