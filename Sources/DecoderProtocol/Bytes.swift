// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Little-endian fields, to and from bytes.

/// Appends fields to a payload.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ value: UInt8) { bytes.append(value) }

  mutating func write(_ value: UInt16) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
  }

  mutating func write(_ value: UInt32) {
    write(UInt16(truncatingIfNeeded: value))
    write(UInt16(truncatingIfNeeded: value >> 16))
  }

  mutating func write(_ value: Int64) {
    write(UInt32(truncatingIfNeeded: value))
    write(UInt32(truncatingIfNeeded: value >> 32))
  }

  /// Writes a text, cut to `limit` bytes (at most 65,535) without splitting a scalar.
  mutating func write(_ text: String, limit: Int = DecoderFraming.maximumText) {
    let kept = text.utf8.prefix(upTo: text.utf8.end(ofAtMost: limit))
    write(UInt16(kept.count))
    bytes += kept
  }

  /// Writes the first `TrackTags.maximumValues` texts of a list.
  mutating func write(list: [String]) {
    let kept = list.prefix(TrackTags.maximumValues)
    write(UInt8(kept.count))
    for text in kept { write(text) }
  }

  mutating func write(bytes more: [UInt8]) { bytes += more }

  mutating func write(_ samples: [Float]) {
    bytes.reserveCapacity(bytes.count + samples.count * 4)
    for sample in samples { write(sample.bitPattern) }
  }
}

/// Takes fields from a part of an array, whose storage it shares.
struct ByteReader {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  /// A reader of `range`, which lies inside `bytes`.
  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  var remaining: Int { end - position }
  var isAtEnd: Bool { remaining == 0 }

  mutating func readUInt8() throws(DecoderProtocolError) -> UInt8 {
    guard remaining >= 1 else { throw .wrongLength }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func readUInt16() throws(DecoderProtocolError) -> UInt16 {
    let low = UInt16(try readUInt8())
    return low | UInt16(try readUInt8()) << 8
  }

  mutating func readUInt32() throws(DecoderProtocolError) -> UInt32 {
    let low = UInt32(try readUInt16())
    return low | UInt32(try readUInt16()) << 16
  }

  mutating func readInt64() throws(DecoderProtocolError) -> Int64 {
    let low = UInt64(try readUInt32())
    return Int64(bitPattern: low | UInt64(try readUInt32()) << 32)
  }

  /// Reads a flag: 0 or 1.
  mutating func readFlag() throws(DecoderProtocolError) -> Bool {
    switch try readUInt8() {
    case 0: return false
    case 1: return true
    default: throw .invalidField
    }
  }

  /// Reads a number from 1 up; 0 stands for none.
  mutating func readNumber() throws(DecoderProtocolError) -> Int? {
    let number = try readUInt32()
    return number == 0 ? nil : Int(number)
  }

  /// Reads a list of texts.
  mutating func readList() throws(DecoderProtocolError) -> [String] {
    let count = Int(try readUInt8())
    guard count <= TrackTags.maximumValues else { throw .invalidField }
    var list: [String] = []
    for _ in 0..<count { list.append(try readText()) }
    return list
  }

  /// Reads `count` bytes.
  mutating func readBytes(_ count: Int) throws(DecoderProtocolError) -> [UInt8] {
    guard remaining >= count else { throw .wrongLength }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads a text; bytes that are not UTF-8 become replacement characters.
  mutating func readText(
    limit: Int = DecoderFraming.maximumText
  ) throws(DecoderProtocolError) -> String {
    let length = Int(try readUInt16())
    guard length <= limit else { throw .invalidField }
    guard remaining >= length else { throw .wrongLength }
    defer { position += length }
    return String(decoding: bytes[position..<position + length], as: UTF8.self)
  }

  /// Reads the rest of the payload as samples.
  mutating func readSamples() throws(DecoderProtocolError) -> [Float] {
    guard remaining % 4 == 0 else { throw .wrongLength }
    var samples: [Float] = []
    samples.reserveCapacity(remaining / 4)
    while !isAtEnd { samples.append(Float(bitPattern: try readUInt32())) }
    return samples
  }
}

extension String.UTF8View {
  /// Where a text of at most `limit` bytes has to end so that no scalar is split.
  func end(ofAtMost limit: Int) -> Index {
    guard count > limit else { return endIndex }
    var end = index(startIndex, offsetBy: limit)
    // Continuation bytes are 10xxxxxx.
    while end > startIndex, self[end] & 0xC0 == 0x80 { end = index(before: end) }
    return end
  }
}
