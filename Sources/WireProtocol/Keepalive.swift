// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A ping or a pong: an arbitrary number that comes back.
struct Keepalive: ControlPayload {
  var token: UInt64

  static var blank: Keepalive { Keepalive(token: 0) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    if field.number == 1 { token = try field.fixed64() }
  }

  func write(to writer: inout ProtoWriter) { writer.fixed64(1, token) }
}
