// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// "This generation carries no more audio."
///
/// Unlike a flush it cuts nothing: what was sent is played to its end.
public struct StreamEnd: Sendable, Hashable {
  /// The generation that ended.
  public var ssrc: SSRC
  /// The first frame after its audio; absent when the sender does not know.
  public var endFrame: MediaFrame?

  /// The end of `ssrc` before `endFrame`.
  public init(ssrc: SSRC, endFrame: MediaFrame? = nil) {
    self.ssrc = ssrc
    self.endFrame = endFrame
  }
}

extension StreamEnd: ControlPayload {
  static var blank: StreamEnd { StreamEnd(ssrc: SSRC(rawValue: 0)) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: ssrc = SSRC(rawValue: try field.fixed32())
    case 2: endFrame = try field.frame()
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.fixed32(1, ssrc.rawValue)
    writer.frame(2, present: endFrame)
  }
}

extension FlushPacket: ControlPayload {
  static var blank: FlushPacket {
    FlushPacket(
      ssrc: SSRC(rawValue: 0), serial: 0, fromFrame: MediaFrame(index: 0), fadeMilliseconds: 0)
  }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: ssrc = SSRC(rawValue: try field.fixed32())
    case 2: serial = try field.integer()
    case 3: fromFrame = try field.frame()
    case 4: fadeMilliseconds = try field.integer()
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.fixed32(1, ssrc.rawValue)
    writer.unsigned(2, UInt64(serial))
    writer.int64(3, fromFrame.index)
    writer.unsigned(4, UInt64(fadeMilliseconds))
  }
}

extension FlushAcknowledgement: ControlPayload {
  static var blank: FlushAcknowledgement {
    FlushAcknowledgement(ssrc: SSRC(rawValue: 0), serial: 0)
  }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: ssrc = SSRC(rawValue: try field.fixed32())
    case 2: serial = try field.integer()
    case 3: sender = SSRC(rawValue: try field.fixed32())
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.fixed32(1, ssrc.rawValue)
    writer.unsigned(2, UInt64(serial))
    writer.fixed32(3, sender.rawValue)
  }
}
