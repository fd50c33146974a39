// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DecoderProtocol
import MediaDecoding
import Testing

@Suite struct PCMTests {
  @Test func `48 kHz stereo comes through bit by bit`() throws {
    let workshop = try Workshop()
    let wav = WAVFile(Sound.frames(10_000, rate: 48_000))
    try workshop.write("a.wav", wav.bytes)
    let decoded = try Decoded(workshop.location("a.wav"))
    #expect(decoded.samples == wav.samples.map { Float($0) / 32_768 })
    #expect(decoded.end == DecoderEnd(sourceFrames: 10_000))
    #expect(decoded.info.durationFrames == 10_000)
  }
}
