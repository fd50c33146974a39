// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import MediaDecoding
import Testing

@Suite struct GaplessTests {
  @Test(arguments: [1, 2, 1_023, 24_000, 47_999])
  func `two files cut from one at 48 kHz are the one`(cut: Int) throws {
    let workshop = try Workshop()
    let whole = Sound.frames(48_000, rate: 48_000)
    try workshop.write("whole.wav", WAVFile(whole).bytes)
    try workshop.write("a.wav", WAVFile(Array(whole[..<(cut * 2)])).bytes)
    try workshop.write("b.wav", WAVFile(Array(whole[(cut * 2)...])).bytes)
    let joined =
      try Decoded(workshop.location("a.wav")).samples
      + Decoded(workshop.location("b.wav")).samples
    #expect(try joined == Decoded(workshop.location("whole.wav")).samples)
  }

  @Test(arguments: [1, 30, 74])
  func `two files cut from one at 44_1 kHz join within 60 dB`(sectors: Int) throws {
    let workshop = try Workshop()
    let whole = Sound.frames(44_100, rate: 44_100)
    // A CD is cut between sectors.
    let cut = sectors * 588
    try workshop.write("whole.wav", WAVFile(whole, rate: 44_100).bytes)
    try workshop.write("a.wav", WAVFile(Array(whole[..<(cut * 2)]), rate: 44_100).bytes)
    try workshop.write("b.wav", WAVFile(Array(whole[(cut * 2)...]), rate: 44_100).bytes)
    let first = try Decoded(workshop.location("a.wav")).samples
    let joined = first + (try Decoded(workshop.location("b.wav")).samples)
    let reference = try Decoded(workshop.location("whole.wav")).samples
    #expect(joined.count == reference.count)
    #expect(first.count == sectors * 640 * 2)
    let joint = max(0, first.count - 200)..<min(first.count + 200, reference.count)
    #expect(signalToNoise(reference[joint], joined[joint]) > 50)
    #expect(signalToNoise(reference[...], joined[...]) > 60)
  }

  @Test(arguments: 1...12)
  func `very short files keep their length`(samples: Int) throws {
    let workshop = try Workshop()
    let wav = WAVFile(Sound.frames(samples, rate: 44_100), rate: 44_100)
    try workshop.write("a.wav", wav.bytes)
    let decoded = try Decoded(workshop.location("a.wav"))
    #expect(decoded.frames == (samples * 320 + 147) / 294)
  }
}
