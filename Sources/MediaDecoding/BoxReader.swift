// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The contents of a box of an ISO media file: fields, or further boxes. Big-endian; every access
/// is checked, so any bytes may be read as anything.
struct BoxReader {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// An unsigned field of 1 to 8 bytes (beyond 63 bits: nil).
  func integer(at offset: Int, bytes width: Int) -> Int64? {
    guard offset >= 0, offset + width <= bytes.count else { return nil }
    let field = bytes[(bytes.startIndex + offset)...].prefix(width)
    return Int64(exactly: field.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// Four letters.
  func text(at offset: Int) -> String? {
    guard offset >= 0, offset + 4 <= bytes.count else { return nil }
    return String(decoding: bytes[(bytes.startIndex + offset)...].prefix(4), as: UTF8.self)
  }

  /// The first box of this type.
  func child(_ type: String) -> BoxReader? { children(type).first }

  /// All boxes of this type, in order.
  func children(_ type: String) -> [BoxReader] {
    var found: [BoxReader] = []
    var offset = 0
    while let header = BoxHeader(self, at: offset) {
      let end = min(header.end, bytes.count)
      let start = bytes.startIndex
      if header.type == type, header.contents <= end {
        found.append(BoxReader(bytes[(start + header.contents)..<(start + end)]))
      }
      offset = header.end
    }
    return found
  }
}

/// Where a box begins and ends.
struct BoxHeader {
  var type: String
  /// Where the contents begin.
  var contents: Int
  /// Where the next box begins; far beyond everything for a box "to the end of the file".
  var end: Int

  /// Reads the header at `offset`, which is also what `contents` and `end` count from.
  init?(_ reader: BoxReader, at offset: Int, base: Int = 0) {
    guard let short = reader.integer(at: offset, bytes: 4), let type = reader.text(at: offset + 4)
    else { return nil }
    self.type = type
    var size = short
    contents = base + offset + 8
    if short == 1 {
      guard let long = reader.integer(at: offset + 8, bytes: 8) else { return nil }
      (size, contents) = (long, contents + 8)
    }
    let maximum = Int64(1) << 50
    if size == 0 { size = maximum }
    guard size >= 8, size <= maximum else { return nil }
    end = base + offset + Int(size)
  }
}
