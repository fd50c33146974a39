// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

// WAV and AIFF are chunks: four letters, a length of 32 bits, contents, a byte of padding if odd.

extension FileInput {
  /// Whether the file is WAV or AIFF and ends before the samples that it announces.
  ///
  /// Programs that write into a pipe announce 0, or as much as fits: they are believed to be whole.
  func isPCMCutShort() -> Bool {
    let head = peek(at: 0, count: 12)
    if head.starts(with: Array("RIFF".utf8)), head.suffix(4).elementsEqual(Array("WAVE".utf8)) {
      return isCutShort(chunk: "data", isBigEndian: false)
    }
    if head.starts(with: Array("FORM".utf8)), head.suffix(4).starts(with: Array("AIF".utf8)) {
      return isCutShort(chunk: "SSND", isBigEndian: true)
    }
    return false
  }

  private func isCutShort(chunk name: String, isBigEndian: Bool) -> Bool {
    var offset = 12
    // A few dozen chunks at most stand before the samples.
    for _ in 0..<1_000 {
      let head = peek(at: offset, count: 8)
      guard head.count == 8 else { return true }
      let digits = isBigEndian ? Array(head[4...]) : head[4...].reversed()
      let length = digits.reduce(0) { $0 << 8 | Int($1) }
      if head.starts(with: Array(name.utf8)) {
        let isMeant = length > 0 && length < 0x7FFF_FF00
        return isMeant && offset + 8 + length > size
      }
      offset += 8 + length + length % 2
    }
    return false
  }
}
