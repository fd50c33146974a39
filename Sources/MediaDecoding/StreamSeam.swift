// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// A radio server begins with the last seconds that it sent to everybody. Who was cut off for a moment
// and comes back gets bytes that he has already, then those that he missed:
//
//   had      ....................|                the last bytes: the needle
//   burst              ..........|...............
//                      dropped   |goes on here
//
// Found byte for byte, the seam cannot be heard, and the decoder does not even notice. After a restart
// of the server the needle is nowhere, and the music goes on with what there is.

/// The end of what has been received of a live stream, to find the place in what comes after a gap.
struct StreamSeam {
  /// Bytes that must agree: more than a frame of MP3 at 128 kbit/s (418), so that they are not only
  /// headers.
  static let needleLength = 1_024

  private var needle: [UInt8] = []

  /// Bytes were received and given on.
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    needle += bytes.suffix(Self.needleLength)
    if needle.count > Self.needleLength { needle.removeFirst(needle.count - Self.needleLength) }
  }

  /// Where in `bytes` what is new begins.
  ///
  /// - Parameters:
  ///   - bytes: The beginning of what came after the gap.
  ///   - searched: So many of them were searched before.
  /// - Returns: The index; nil when the end of what was received is not in it.
  func end(in bytes: [UInt8], searched: Int = 0) -> Int? {
    guard needle.count == Self.needleLength, bytes.count >= needle.count else { return nil }
    var start = max(0, searched - needle.count + 1)
    while start + needle.count <= bytes.count {
      if bytes[start] == needle[0], bytes[start..<start + needle.count].elementsEqual(needle) {
        return start + needle.count
      }
      start += 1
    }
    return nil
  }
}
