// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The head of one page of an Ogg stream (RFC 3533, section 6). Little-endian.
struct OggPage {
  /// "The last page of a logical bitstream."
  var isLast: Bool
  /// "The first page of a logical bitstream."
  var isFirst: Bool
  /// A position in samples of the codec; -1 when no packet ends on the page.
  var granule: Int64
  var serial: UInt32
  /// Bytes of head and segment table, before the contents.
  var headLength: Int
  /// Bytes of the whole page.
  var length: Int

  /// The longest page: a head of 27 bytes, 255 segments of 255 bytes, and their table.
  static let longest = 27 + 255 + 255 * 255

  /// Reads the head at `offset` of `bytes`, its segment table included.
  init?(_ bytes: [UInt8], at offset: Int = 0) {
    guard offset >= 0, offset + 27 <= bytes.count else { return nil }
    guard bytes[offset..<offset + 5].elementsEqual(Array("OggS\0".utf8)) else { return nil }
    let segments = Int(bytes[offset + 26])
    guard offset + 27 + segments <= bytes.count else { return nil }
    let flags = bytes[offset + 5]
    (isFirst, isLast) = (flags & 2 != 0, flags & 4 != 0)
    let field = { (start: Int, count: Int) in
      (0..<count).reduce(UInt64(0)) { $0 | UInt64(bytes[offset + start + $1]) << (8 * $1) }
    }
    granule = Int64(bitPattern: field(6, 8))
    serial = UInt32(truncatingIfNeeded: field(14, 4))
    headLength = 27 + segments
    length = headLength + (0..<segments).reduce(0) { $0 + Int(bytes[offset + 27 + $1]) }
  }
}

extension FileInput {
  /// Whether the file is Ogg and breaks off: in the middle of a page, or before a page that says
  /// that it is the last.
  func isOggCutShort() -> Bool {
    guard peek(at: 0, count: 4) == Array("OggS".utf8) else { return false }
    let start = max(0, size - OggPage.longest - 27)
    let tail = peek(at: start, count: size - start)
    let capture = Array("OggS".utf8)
    guard
      let last = tail.indices.last(where: { tail[$0...].starts(with: capture) })
    else { return true }
    guard let page = OggPage(tail, at: last) else { return true }
    return last + page.length > tail.count || !page.isLast
  }

  /// The length of an Ogg file that is several streams one after the other ("chained"), which no
  /// library tells: TagLib says the last one's.
  ///
  /// - Returns: Milliseconds, or nil if it is not that, or has too many pages to be looked through.
  func chainedOggMilliseconds() -> Int64? {
    // Ten hours of Opus, a page a second each, and as many again.
    let mostPages = 100_000
    var links: [OggLink] = []
    var offset = 0
    for _ in 0..<mostPages {
      let bytes = peek(at: offset, count: 27 + 255 + 64)
      guard let page = OggPage(bytes) else { break }
      if page.isFirst { links.append(OggLink(page, contents: bytes.dropFirst(page.headLength))) }
      if let last = links.indices.last, links[last].serial == page.serial {
        links[last].granule = max(links[last].granule, page.granule)
      }
      offset += page.length
    }
    guard links.count > 1, offset >= size else { return nil }
    return links.reduce(0) { $0 + $1.milliseconds }
  }
}

/// One of the streams of a chained file.
private struct OggLink {
  var serial: UInt32
  var granule: Int64 = 0
  /// Granules a second; 0 where the codec is not known.
  var rate: Int64 = 0
  /// Samples before the first one heard (Opus).
  var skipped: Int64 = 0

  /// Reads what the first packet says (RFC 7845, section 5.1; Vorbis I, section 4.2.2).
  init(_ page: OggPage, contents: ArraySlice<UInt8>) {
    serial = page.serial
    let bytes = Array(contents)
    if bytes.starts(with: Array("OpusHead".utf8)), bytes.count >= 12 {
      (rate, skipped) = (48_000, Int64(bytes[10]) | Int64(bytes[11]) << 8)
    } else if bytes.starts(with: [1] + Array("vorbis".utf8)), bytes.count >= 16 {
      rate = (12..<16).reduce(0) { $0 | Int64(bytes[$1]) << (8 * Int64($1 - 12)) }
    }
  }

  var milliseconds: Int64 {
    let samples = max(0, granule - skipped)
    guard rate > 0, samples < 1 << 50 else { return 0 }
    return samples * 1_000 / rate
  }
}
