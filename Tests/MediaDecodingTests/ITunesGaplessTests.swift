// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import MediaDecoding
import Testing

@Suite struct ITunesGaplessTests {
  @Test(arguments: ["0", "1"])
  func `what iTunes noted is honoured, with and without an edit list`(editList: String) throws {
    let workshop = try Workshop()
    let count = 96_317
    try workshop.write("a.wav", WAVFile(Sound.frames(count, rate: 48_000)).bytes)
    try workshop.encode("a.wav", as: "a.m4a", "-b:a", "192k", "-use_editlist", editList)
    // FFmpeg's encoder puts 1,024 samples of delay before the sound.
    let note = ITunesNote(delay: 1_024, length: count)
    try workshop.write("b.m4a", note.added(to: workshop.read("a.m4a")))
    let decoded = try Decoded(workshop.location("b.m4a"))
    #expect(decoded.frames == count)
    #expect(decoded.info.durationFrames == Int64(count))
    let reference = Sound.frames(count, rate: 48_000)
    #expect(signalToNoise(reference[2_000...], decoded.samples[2_000...]) > 28)
  }
}

/// The iTunSMPB tag: a free-form item of `ilst`.
private struct ITunesNote {
  var delay: Int
  var length: Int

  /// The file with the tag in its last box, `moov`.
  func added(to file: [UInt8]) throws -> [UInt8] {
    var offset = 0
    while offset + 8 <= file.count {
      let size = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
      if file[offset + 4..<offset + 8].elementsEqual("moov".utf8) {
        try #require(offset + size == file.count)
        return file[..<offset] + box("moov", Array(file[(offset + 8)...]) + tags)
      }
      offset += size
    }
    throw MissingIndex()
  }

  struct MissingIndex: Error {}

  private var tags: [UInt8] {
    let value = Array(" 00000000 \(hex(delay, 8)) 00000000 \(hex(length, 16)) 00000000".utf8)
    let item =
      full("mean", Array("com.apple.iTunes".utf8)) + full("name", Array("iTunSMPB".utf8))
      + box("data", [0, 0, 0, 1, 0, 0, 0, 0] + value)
    let handler: [UInt8] = [0, 0, 0, 0] + Array("mdirappl".utf8) + [UInt8](repeating: 0, count: 9)
    return box("udta", full("meta", full("hdlr", handler) + box("ilst", box("----", item))))
  }

  private func hex(_ value: Int, _ digits: Int) -> String {
    let text = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: digits - text.count) + text
  }

  private func full(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    box(type, [0, 0, 0, 0] + contents)
  }

  private func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    let size = contents.count + 8
    return (0..<4).reversed().map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
      + Array(type.utf8) + contents
  }
}
