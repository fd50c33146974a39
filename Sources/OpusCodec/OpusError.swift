// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import COpus

/// A failure that libopus reported.
public struct OpusError: Error, Hashable, Sendable, RawRepresentable {
  /// libopus's own code; negative.
  public var rawValue: Int32

  /// The error with libopus's code `rawValue`.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// An argument was outside its range.
  public static var badArgument: Self { Self(rawValue: OPUS_BAD_ARG) }
  /// The buffer was too small for the result.
  public static var bufferTooSmall: Self { Self(rawValue: OPUS_BUFFER_TOO_SMALL) }
  /// The packet is not Opus.
  public static var invalidPacket: Self { Self(rawValue: OPUS_INVALID_PACKET) }
  /// There was no memory for the codec's state.
  public static var outOfMemory: Self { Self(rawValue: OPUS_ALLOC_FAIL) }

  /// The value itself, unless it is one of libopus's negative codes.
  static func check(_ result: Int32) throws(OpusError) -> Int {
    guard result >= 0 else { throw OpusError(rawValue: result) }
    return Int(result)
  }
}

extension OpusError: CustomStringConvertible {
  /// What libopus says about the code.
  public var description: String {
    opus_strerror(rawValue).map { "Opus: \(String(cString: $0))" } ?? "Opus error \(rawValue)"
  }
}

/// What every Opus stream of Tutti has in common.
public enum OpusFormat {
  /// Frames per second (RFC 7587 knows no other RTP clock).
  public static var sampleRate: Int { 48_000 }
  /// Left and right, interleaved.
  public static var channels: Int { 2 }
  /// Frames per packet: 20 ms.
  public static var packetFrames: Int { 960 }
  /// All lengths that are encoded: 2.5, 5, 10 and 20 ms.
  public static var packetLengths: [Int] { [120, 240, 480, 960] }
  /// The most that one 20 ms packet can take, in bytes (RFC 6716 section 3.4).
  public static var maximumPacketBytes: Int { 1_275 }
  /// The longest packet a foreign encoder may make: 120 ms (RFC 6716 section 2.1.4), in frames.
  public static var maximumPacketFrames: Int { 5_760 }
  /// Bits per second that music may be given (RFC 6716 section 2.1.1, and what sounds acceptable).
  public static var bitRates: ClosedRange<Int> { 64_000...510_000 }
}
