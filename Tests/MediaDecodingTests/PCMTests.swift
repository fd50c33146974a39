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

  static let reference = Sound.frames(15_000, rate: 48_000)

  @Test(arguments: [
    8_000, 11_025, 16_000, 22_050, 32_000, 44_056, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000,
  ])
  func `every rate becomes 48 kHz, in length and in place`(rate: Int) throws {
    let workshop = try Workshop()
    let count = rate / 4 + 317
    try workshop.write("a.wav", WAVFile(Sound.frames(count, rate: rate), rate: rate).bytes)
    let decoded = try Decoded(workshop.location("a.wav"))
    let length = Int((Double(count) * 48_000 / Double(rate) + 0.5).rounded(.down))
    #expect(decoded.frames == length)
    #expect(decoded.end == DecoderEnd(sourceFrames: Int64(length)))
    #expect(decoded.info.sampleRate == rate)
    // 16 bits allow 80 dB for this sound; the edges, which are predicted, cost some.
    let reference = Self.reference.prefix(length * 2)
    #expect(signalToNoise(reference, decoded.samples[...]) > 70)
    #expect(signalToNoise(reference.prefix(200), decoded.samples.prefix(200)) > 50)
    #expect(signalToNoise(reference.suffix(200), decoded.samples.suffix(200)) > 50)
  }

  @Test func `one channel plays on both sides at its level`() throws {
    let workshop = try Workshop()
    let wav = WAVFile(Sound.frames(5_000, rate: 48_000, channels: 1), channels: 1)
    try workshop.write("a.wav", wav.bytes)
    let decoded = try Decoded(workshop.location("a.wav"))
    #expect(decoded.left == wav.samples.map { Float($0) / 32_768 })
    #expect(decoded.right == decoded.left)
    #expect(decoded.info.channels == 1)
  }

  @Test func `5_1 is folded to stereo`() throws {
    let workshop = try Workshop()
    // Each channel has a level of its own, in the order L R C LFE Ls Rs.
    let levels: [Float] = [0.1, 0.2, 0.3, 0.9, 0.05, 0.15]
    let sound = (0..<1_000).flatMap { _ in levels }
    try workshop.write("a.wav", WAVFile(sound, channels: 6).bytes)
    let decoded = try Decoded(workshop.location("a.wav"))
    let minus3dB = Float(0.5).squareRoot()
    let scale = 1 / (1 + 2 * minus3dB)
    let left = scale * (0.1 + minus3dB * (0.3 + 0.05))
    let right = scale * (0.2 + minus3dB * (0.3 + 0.15))
    #expect(abs(decoded.left[500] - left) < 1e-4)
    #expect(abs(decoded.right[500] - right) < 1e-4)
    #expect(decoded.info.channels == 6)
  }

  @Test(arguments: ["pcm_u8", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_mulaw"])
  func `every sample format has the same level`(format: String) throws {
    let workshop = try Workshop()
    let sound = Sound.frames(10_000, rate: 48_000)
    try workshop.write("a.wav", WAVFile(sound).bytes)
    try workshop.encode("a.wav", as: "b.wav", "-c:a", format)
    let decoded = try Decoded(workshop.location("b.wav"))
    #expect(decoded.frames == 10_000)
    #expect(signalToNoise(sound[...], decoded.samples[...]) > 25)
  }
}
