// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Why bytes from the network were not taken.
///
/// Nothing in this module traps on outside data: a parser returns a value or throws one of these.
public enum WireError: Error, Hashable, Sendable {
  /// The bytes end before the value does.
  case truncated(needed: Int, available: Int)
  /// The version field holds a version that this build does not speak.
  case unsupportedVersion(UInt8)
  /// RTP or RTCP padding is longer than what it pads, or empty.
  case malformedPadding
  /// A length field contradicts the message around it.
  case malformedLength
  /// A control frame announces more bytes than any message may have.
  case frameTooLarge(bytes: Int)
  /// A field of a control message is of another type, out of its range, or not UTF-8.
  case malformedField(number: UInt32)
  /// A control message without a body that this build knows; a newer peer sent it.
  case unknownMessage
}

extension WireError: CustomStringConvertible {
  /// The reason in words, for a log line.
  public var description: String {
    switch self {
    case .truncated(let needed, let available):
      "truncated: \(needed) bytes needed, \(available) there"
    case .unsupportedVersion(let version): "unsupported protocol version \(version)"
    case .malformedPadding: "malformed padding"
    case .malformedLength: "a length field contradicts the message around it"
    case .frameTooLarge(let bytes): "frame of \(bytes) bytes is larger than allowed"
    case .malformedField(let number): "field \(number) is malformed or out of range"
    case .unknownMessage: "message of a kind unknown to this version"
    }
  }
}
