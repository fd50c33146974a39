// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// Reads what ProtoWriter describes. Nothing is allocated from a length that was not checked against
// the bytes at hand; unknown fields are stepped over by the caller; a known field of another wire
// type, out of range or not UTF-8 is an error that names it.

/// Walks the fields of one message; the bytes are passed to each call, not kept.
struct ProtoReader {
  private var offset: Int
  private let end: Int
  /// Field numbers end at 2^29 - 1.
  private static let maximumNumber: UInt64 = 1 << 29 - 1
  /// Ten groups of seven bits hold 64.
  private static let maximumVarintShift: UInt64 = 63

  /// A reader of the message that fills `range`, which must lie within the bytes passed later.
  init(_ range: Range<Int>) {
    offset = range.lowerBound
    end = range.upperBound
  }

  /// The next field, or nil at the end of the message.
  mutating func next(in bytes: Span<UInt8>) throws(WireError) -> ProtoField? {
    guard offset < end else { return nil }
    let tag = try varint(in: bytes)
    guard case 1...Self.maximumNumber = tag >> 3 else { throw .malformedField(number: 0) }
    let number = UInt32(tag >> 3)
    switch tag & 7 {
    case WireType.varint:
      return ProtoField(number: number, value: .varint(try varint(in: bytes)))
    case WireType.fixed64:
      return ProtoField(number: number, value: .fixed64(try littleEndian(8, in: bytes)))
    case WireType.fixed32:
      let value = UInt32(try littleEndian(4, in: bytes))
      return ProtoField(number: number, value: .fixed32(value))
    case WireType.lengthDelimited:
      return ProtoField(number: number, value: .bytes(try lengthDelimited(in: bytes)))
    default:
      throw .malformedField(number: number)  // groups, which proto3 does not have
    }
  }

  private mutating func varint(in bytes: Span<UInt8>) throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      try require(1)
      let byte = bytes[offset]
      offset += 1
      // The tenth byte holds one bit only.
      if shift == Self.maximumVarintShift, byte > 1 { throw .malformedLength }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  private mutating func littleEndian(
    _ count: Int, in bytes: Span<UInt8>
  ) throws(WireError) -> UInt64 {
    try require(count)
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[offset + index]) << (8 * UInt64(index)) }
    offset += count
    return value
  }

  private mutating func lengthDelimited(in bytes: Span<UInt8>) throws(WireError) -> Range<Int> {
    guard let length = Int(exactly: try varint(in: bytes)) else { throw .malformedLength }
    try require(length)
    defer { offset += length }
    return offset..<(offset + length)
  }

  private func require(_ count: Int) throws(WireError) {
    guard end - offset >= count else {
      throw .truncated(needed: count, available: end - offset)
    }
  }
}

/// One field as it stands on the wire; the schema gives it a type.
struct ProtoField {
  enum Value {
    case varint(UInt64)
    case fixed64(UInt64)
    case fixed32(UInt32)
    case bytes(Range<Int>)
  }

  let number: UInt32
  let value: Value

  /// What to throw when this field is not what the schema says.
  var malformed: WireError { .malformedField(number: number) }

  func unsigned() throws(WireError) -> UInt64 {
    guard case .varint(let value) = value else { throw malformed }
    return value
  }

  /// A varint that must fit the type.
  func integer<T: FixedWidthInteger>(as type: T.Type = T.self) throws(WireError) -> T {
    guard let value = T(exactly: try unsigned()) else { throw malformed }
    return value
  }

  func bool() throws(WireError) -> Bool { try unsigned() != 0 }

  func int64() throws(WireError) -> Int64 { Int64(bitPattern: try unsigned()) }

  func frame() throws(WireError) -> MediaFrame { MediaFrame(index: try int64()) }

  func duration() throws(WireError) -> Nanoseconds {
    let value = try unsigned()
    return Nanoseconds(Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1))
  }

  func fixed32() throws(WireError) -> UInt32 {
    guard case .fixed32(let value) = value else { throw malformed }
    return value
  }

  func fixed64() throws(WireError) -> UInt64 {
    guard case .fixed64(let value) = value else { throw malformed }
    return value
  }

  /// A frequency; infinities and NaN are refused here, once, for everybody.
  func partsPerMillion() throws(WireError) -> PartsPerMillion {
    let value = Double(bitPattern: try fixed64())
    guard value.isFinite else { throw malformed }
    return PartsPerMillion(value)
  }

  func range() throws(WireError) -> Range<Int> {
    guard case .bytes(let range) = value else { throw malformed }
    return range
  }

  func string(in bytes: Span<UInt8>, limit: Int) throws(WireError) -> String {
    let range = try range()
    guard range.count <= limit,
      let text = try? UTF8Span(validating: bytes.extracting(range))
    else { throw malformed }
    return String(copying: text)
  }

  func data(in bytes: Span<UInt8>, limit: Int) throws(WireError) -> [UInt8] {
    let range = try range()
    guard range.count <= limit else { throw malformed }
    var copy: [UInt8] = []
    copy.reserveCapacity(range.count)
    for index in range { copy.append(bytes[index]) }
    return copy
  }

  func message<M: ControlPayload>(in bytes: Span<UInt8>) throws(WireError) -> M {
    try M.decode(in: bytes, range: try range())
  }
}
