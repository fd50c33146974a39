// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The body of a control message: how its fields are read and written.
///
/// The numbers and types mirror proto/control.proto.
protocol ControlPayload: Sendable {
  /// A body in which every field is absent.
  static var blank: Self { get }

  /// Takes one field; ignores numbers it does not know.
  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError)

  /// Refuses a body that lacks a field it needs.
  ///
  /// - Parameter present: Bit n is set when field n was there (numbers below 64).
  /// - Throws: `WireError.malformedField` with the number that is missing.
  func validate(present: UInt64) throws(WireError)

  /// Writes the fields in the order of their numbers.
  func write(to writer: inout ProtoWriter)
}

extension ControlPayload {
  func validate(present: UInt64) throws(WireError) {}

  static func decode(in bytes: Span<UInt8>, range: Range<Int>) throws(WireError) -> Self {
    var body = blank
    var reader = ProtoReader(range)
    var present: UInt64 = 0
    while let field = try reader.next(in: bytes) {
      try body.read(field, in: bytes)
      present |= 1 << UInt64(field.number)  // a smart shift: zero from 64 on
    }
    try body.validate(present: present)
    return body
  }
}

/// Limits that hold for every message; they bound what a peer can make us keep.
public enum ControlLimits {
  /// The largest message, without its four bytes of length.
  public static let messageBytes = 65_536
  /// Names of rooms, groups, outputs and versions, in bytes of UTF-8.
  public static let nameBytes = 256
  /// Explanations for people, in bytes of UTF-8.
  public static let detailBytes = 1_024
  /// A node's identity: SHA-256.
  public static let nodeIDBytes = 32
  /// A media key with its salt (AES-128-GCM: 16 + 12), with room to grow.
  public static let keyBytes = 64
  /// A room's latency setting lies within this on either side of zero, in milliseconds.
  public static let latencyMilliseconds: Int64 = 5_000
  /// The longest playout delay, in milliseconds.
  public static let delayMilliseconds: Int64 = 60_000
}
