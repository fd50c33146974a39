// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// Big-endian reads and writes. Callers check the length once, for the whole fixed part; after that
// the bounds checks of `Span` cannot fail.

extension Span where Element == UInt8 {
  func uint16(at offset: Int) -> UInt16 {
    UInt16(self[offset]) << 8 | UInt16(self[offset + 1])
  }

  func uint32(at offset: Int) -> UInt32 {
    UInt32(uint16(at: offset)) << 16 | UInt32(uint16(at: offset + 2))
  }

  func uint64(at offset: Int) -> UInt64 {
    UInt64(uint32(at: offset)) << 32 | UInt64(uint32(at: offset + 4))
  }

  func require(_ length: Int) throws(WireError) {
    guard count >= length else { throw .truncated(needed: length, available: count) }
  }
}

extension [UInt8] {
  mutating func appendBigEndian(_ value: some FixedWidthInteger) {
    for shift in stride(from: value.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
