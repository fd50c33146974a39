// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import MediaDecoding

@Suite struct ReconnectBackoffTests {
  @Test func `it hurries while the rooms hold music, then doubles up to half a minute`() {
    var backoff = ReconnectBackoff()
    let waits = (0..<14).map { _ in backoff.next(chance: 0.5) }
    let hurried = [500, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000]
    #expect(waits == hurried + [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  }

  @Test(arguments: [-1, 0, 0.3, 1, 2]) func `no wait is off by more than a fifth`(chance: Double) {
    var (backoff, plain) = (ReconnectBackoff(), ReconnectBackoff())
    for _ in 0..<100 {
      let (wait, base) = (backoff.next(chance: chance), plain.next(chance: 0.5))
      #expect(abs(wait - base) <= base / 5)
    }
  }

  @Test func `only a connection that lived is forgiven`() {
    var backoff = ReconnectBackoff()
    for _ in 0..<9 { _ = backoff.next(chance: 0.5) }
    backoff.lost(afterMilliseconds: ReconnectBackoff.good - 1)
    #expect(backoff.next(chance: 0.5) == 8_000)
    backoff.lost(afterMilliseconds: ReconnectBackoff.good)
    #expect(backoff.next(chance: 0.5) == 500)
  }
}

@Suite struct StreamSeamTests {
  private let sound: [UInt8] = {
    var random = SplitMix(seed: 1)
    return (0..<10_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
  }()

  private func seam(upTo end: Int, portion: Int = 300) -> StreamSeam {
    var seam = StreamSeam()
    for start in stride(from: 0, to: end, by: portion) {
      sound[start..<min(start + portion, end)].withUnsafeBytes { seam.append($0) }
    }
    return seam
  }

  @Test(arguments: [1, 300, 5_000]) func `the place is found to the byte`(portion: Int) {
    let burst = Array(sound[3_000...])
    #expect(seam(upTo: 6_000, portion: portion).end(in: burst) == 3_000)
  }

  @Test func `a burst that begins later or ends before is no match`() {
    #expect(seam(upTo: 6_000).end(in: Array(sound[5_500...])) == nil)
    #expect(seam(upTo: 6_000).end(in: Array(sound[..<5_999])) == nil)
    #expect(seam(upTo: 500).end(in: sound) == nil, "too little to be sure")
    #expect(seam(upTo: 6_000).end(in: []) == nil)
  }

  @Test func `it is found across two portions`() {
    let burst = Array(sound[3_000...])
    let seam = seam(upTo: 6_000)
    #expect(seam.end(in: Array(burst[..<2_500])) == nil)
    #expect(seam.end(in: burst, searched: 2_500) == 3_000)
  }
}

@Suite struct FrameSyncTests {
  /// MPEG 1 layer III, 128 kbit/s, 44.1 kHz without padding: 417 bytes.
  private let mp3 = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)
  /// AAC LC, 44.1 kHz, 300 bytes.
  private let aac = [0xFF, 0xF1, 0x50, 0x80, 0x25, 0x9F, 0xFC] + [UInt8](repeating: 1, count: 293)

  private func repeated(_ frame: [UInt8], _ count: Int) -> [UInt8] {
    (0..<count).flatMap { _ in frame }
  }

  @Test(arguments: [0, 1, 100, 416]) func `the first whole frame is found`(missing: Int) {
    let bytes = Array(repeated(mp3, 5)[missing...])
    #expect(
      FrameSync.find(in: bytes) == FrameSync(kind: .mp3, offset: missing == 0 ? 0 : 417 - missing))
  }

  @Test(arguments: [0, 1, 299]) func `frames of AAC are told from MP3`(missing: Int) {
    let bytes = Array(repeated(aac, 5)[missing...])
    #expect(
      FrameSync.find(in: bytes) == FrameSync(kind: .aac, offset: missing == 0 ? 0 : 300 - missing))
  }

  @Test func `what looks like a header is passed over`() {
    var frame = mp3
    // Layer I, layer III of another length, and ADTS, inside of the frames' data.
    frame.replaceSubrange(50..<54, with: [0xFF, 0xFF, 0x90, 0x00])
    frame.replaceSubrange(100..<104, with: [0xFF, 0xFB, 0x50, 0x00])
    frame.replaceSubrange(200..<207, with: aac[..<7])
    #expect(FrameSync.find(in: Array(repeated(frame, 5)[20...]))?.offset == 397)
  }

  @Test func `too few frames, other bytes and free format are none`() {
    #expect(FrameSync.find(in: repeated(mp3, 2)) == nil)
    #expect(FrameSync.find(in: [UInt8](repeating: 0xFF, count: 5_000)) == nil)
    #expect(FrameSync.find(in: []) == nil)
    #expect(FrameSync.find(in: repeated([0xFF, 0xFB, 0x00, 0x00] + mp3[4...], 5)) == nil)
  }

  @Test(arguments: 0..<UInt64(20)) func `any bytes are searched without harm`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<50 {
      var bytes = repeated(random.next() % 2 == 0 ? mp3 : aac, 4)
      for _ in 0..<random.next() % 20 {
        bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
      }
      let found = FrameSync.find(in: Array(bytes.prefix(Int(random.next() % 1_700))))
      #expect(found.map { $0.offset < bytes.count } ?? true)
    }
  }
}
