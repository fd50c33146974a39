// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The name of one unbroken run of a stream: 16 random bits of the session, 16 of the generation.
///
/// Every play, seek, next and resume opens a new generation; a receiver drops packets of any other.
public struct SSRC: Sendable, Hashable, BitwiseCopyable {
  /// The 32 bits on the wire.
  public var rawValue: UInt32

  /// The name with these bits.
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The name of `generation` within `session`.
  @inlinable public init(session: UInt16, generation: UInt16) {
    rawValue = UInt32(session) << 16 | UInt32(generation)
  }

  /// The random half, drawn once for each start of the coordinator's engine.
  @inlinable public var session: UInt16 { UInt16(rawValue >> 16) }

  /// The counting half; wraps.
  @inlinable public var generation: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

  /// The following generation of the same session.
  @inlinable public var next: SSRC { SSRC(session: session, generation: generation &+ 1) }

  /// Whether this is a later generation of the same session, by serial arithmetic (RFC 1982).
  ///
  /// False for another session: only an announcement can say which session is the current one.
  @inlinable public func supersedes(_ other: SSRC) -> Bool {
    session == other.session && Int16(truncatingIfNeeded: generation &- other.generation) > 0
  }
}

extension SSRC: CustomStringConvertible {
  /// Eight hexadecimal digits, as Wireshark prints them.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return "0x" + String(repeating: "0", count: 8 - digits.count) + digits
  }
}
