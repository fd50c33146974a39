// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import MediaDecoding
import Testing

@Suite struct SeekTests {
  /// 11 s: long enough that a jump happens, with 2 s for decoders with memory and 5 s below which
  /// all is decoded.
  static let source = WAVFile(Sound.frames(11 * 44_100 + 317, rate: 44_100), rate: 44_100).bytes

  static let encodings =
    Encoding.all + [Encoding(name: "source.wav", codec: "pcm_s16le", options: [])]

  @Test(arguments: encodings)
  func `a frame is the same wherever decoding began`(encoding: Encoding) throws {
    let workshop = try Workshop()
    try workshop.write("source.wav", Self.source)
    if encoding.name != "source.wav" {
      try workshop.encode("source.wav", as: encoding.name, encoding.options)
    }
    let location = workshop.location(encoding.name)
    let whole = try Decoded(location)
    for start in [959, 400_001, 500_123, whole.frames - 3] {
      let part = try Decoded(location, from: Int64(start))
      #expect(part.end == whole.end)
      #expect(part.frames == whole.frames - start, "\(start)")
      let expected = whole.samples[(start * 2)...]
      if encoding.codec == "aac" {
        // AAC fills bands with noise from a generator that begins anew.
        let isLong = part.frames > 48_000
        #expect(!isLong || signalToNoise(expected, part.samples[...]) > 25, "\(start)")
      } else {
        #expect(Array(expected) == part.samples, "\(start)")
      }
    }
  }

  @Test func `beyond the end there is an end and nothing else`() throws {
    let workshop = try Workshop()
    try workshop.write("a.wav", WAVFile(Sound.frames(1_000, rate: 48_000)).bytes)
    let decoded = try Decoded(workshop.location("a.wav"), from: 5_000)
    #expect(decoded.samples.isEmpty)
    #expect(decoded.end == DecoderEnd(sourceFrames: 1_000))
  }
}
