// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// The proto3 wire format, as much of it as proto/control.proto uses:
//
//   tag = number << 3 | wire type, a varint; then
//   0 varint (uint, bool, enum, zigzag sint)   1 eight bytes little-endian (fixed64, double)
//   2 length varint + bytes (string, bytes, message)   5 four bytes little-endian (fixed32)
//
// Fields go out in the order of their numbers and those of the default value are left out, so the
// bytes equal those of `protoc --encode`. A field with presence (`optional`) is written when there.

enum WireType {
  static let varint: UInt64 = 0
  static let fixed64: UInt64 = 1
  static let lengthDelimited: UInt64 = 2
  static let fixed32: UInt64 = 5
}

/// Writes the fields of one message.
struct ProtoWriter {
  private(set) var bytes: [UInt8] = []

  mutating func unsigned(_ number: UInt32, _ value: UInt64) {
    guard value != 0 else { return }
    present(number, value)
  }

  /// Writes `value` even when it is the default.
  mutating func present(_ number: UInt32, _ value: UInt64) {
    tag(number, WireType.varint)
    varint(value)
  }

  mutating func bool(_ number: UInt32, _ value: Bool) {
    unsigned(number, value ? 1 : 0)
  }

  /// A proto `int64`: two's complement.
  mutating func int64(_ number: UInt32, _ value: Int64) {
    unsigned(number, UInt64(bitPattern: value))
  }

  /// A proto `sint64` of nanoseconds: zigzag, short for small values of either sign.
  mutating func duration(_ number: UInt32, _ value: Nanoseconds) {
    unsigned(number, zigzag(value.count))
  }

  mutating func duration(_ number: UInt32, present value: Nanoseconds?) {
    if let value { present(number, zigzag(value.count)) }
  }

  mutating func frame(_ number: UInt32, present value: MediaFrame?) {
    if let value { present(number, UInt64(bitPattern: value.index)) }
  }

  mutating func fixed32(_ number: UInt32, _ value: UInt32) {
    if value != 0 { fixed32(number, present: value) }
  }

  mutating func fixed32(_ number: UInt32, present value: UInt32?) {
    guard let value else { return }
    tag(number, WireType.fixed32)
    littleEndian(value)
  }

  mutating func fixed64(_ number: UInt32, _ value: UInt64) {
    guard value != 0 else { return }
    tag(number, WireType.fixed64)
    littleEndian(value)
  }

  /// A proto `double`; only +0 is the default.
  mutating func double(_ number: UInt32, _ value: Double) {
    fixed64(number, value.bitPattern)
  }

  mutating func double(_ number: UInt32, present value: Double?) {
    guard let value else { return }
    tag(number, WireType.fixed64)
    littleEndian(value.bitPattern)
  }

  /// A proto `string`, cut at a character to `limit` bytes: sending never fails.
  mutating func string(_ number: UInt32, _ value: String, limit: Int) {
    guard !value.isEmpty else { return }
    lengthDelimited(number, clipped(value, to: limit))
  }

  mutating func data(_ number: UInt32, _ value: [UInt8]) {
    guard !value.isEmpty else { return }
    lengthDelimited(number, value)
  }

  mutating func message(_ number: UInt32, _ value: some ControlPayload) {
    var inner = ProtoWriter()
    value.write(to: &inner)
    lengthDelimited(number, inner.bytes)
  }

  private mutating func lengthDelimited(_ number: UInt32, _ value: [UInt8]) {
    tag(number, WireType.lengthDelimited)
    varint(UInt64(value.count))
    bytes += value
  }

  private mutating func tag(_ number: UInt32, _ type: UInt64) {
    varint(UInt64(number) << 3 | type)
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func littleEndian(_ value: some FixedWidthInteger) {
    for shift in stride(from: 0, to: value.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}

/// 0, -1, 1, -2 ... as 0, 1, 2, 3 ...
func zigzag(_ value: Int64) -> UInt64 {
  UInt64(bitPattern: value << 1 ^ value >> 63)
}

/// The longest prefix of whole characters that fits `limit` bytes of UTF-8.
private func clipped(_ text: String, to limit: Int) -> [UInt8] {
  guard text.utf8.count > limit else { return Array(text.utf8) }
  var bytes: [UInt8] = []
  for character in text {
    guard bytes.count + character.utf8.count <= limit else { break }
    bytes += character.utf8
  }
  return bytes
}
