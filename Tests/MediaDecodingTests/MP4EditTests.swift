// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Testing

@testable import MediaDecoding

@Suite struct MP4EditTests {
  @Test func `an edit rounded to milliseconds means the end of the sound`() throws {
    // 8 s and 317 samples, and 1,024 of delay, as FFmpeg writes it.
    let moov = Movie(ticks: 1_000, length: 8_007, sound: 44_100, total: 354_141, start: 1_024)
    let edit = try #require(MP4Edit(moov: moov.bytes))
    #expect(edit.length == 353_117)
    #expect(edit.reachesEnd)
    #expect(edit.format == "mp4a")
    #expect(edit.ticksPerSecond == 44_100)
  }

  @Test func `an edit on the clock of the sound is exact`() throws {
    let moov = Movie(ticks: 44_100, length: 352_900, sound: 44_100, total: 355_328, start: 2_112)
    let edit = try #require(MP4Edit(moov: moov.bytes))
    #expect(edit.length == 352_900)
    #expect(!edit.reachesEnd)
  }

  @Test func `a cut on a coarse clock is a cut`() throws {
    let moov = Movie(ticks: 600, length: 600, sound: 48_000, total: 480_000, start: 1_024)
    let edit = try #require(MP4Edit(moov: moov.bytes))
    #expect(edit.length == 48_000)
    #expect(!edit.reachesEnd)
  }

  @Test func `the long form of every box reads alike`() {
    let short = Movie(ticks: 1_000, length: 500, sound: 48_000, total: 25_000, start: 1_000)
    var long = short
    long.version = 1
    #expect(MP4Edit(moov: long.bytes) == MP4Edit(moov: short.bytes))
    #expect(MP4Edit(moov: long.bytes) != nil)
  }

  @Test func `what is not one plain span is left to libavformat`() {
    let plain = Movie(ticks: 1_000, length: 500, sound: 48_000, total: 25_000, start: 1_000)
    var (several, slow, empty, video) = (plain, plain, plain, plain)
    several.entries = 2
    slow.speed = 0x8000
    empty.start = 0xFFFF_FFFF
    video.handler = "vide"
    for movie in [several, slow, video] { #expect(MP4Edit(moov: movie.bytes) == nil) }
    #expect(MP4Edit(moov: empty.bytes) == nil)
    #expect(MP4Edit(moov: []) == nil)
  }

  @Test(arguments: 0..<UInt64(50))
  func `changed bytes never trap`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    let good = Movie(ticks: 600, length: 600, sound: 48_000, total: 480_000, start: 1_024).bytes
    for _ in 0..<200 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      bytes.removeLast(Int.random(in: 0...20, using: &random))
      if let edit = MP4Edit(moov: bytes) { #expect(edit.length > 0) }
    }
  }

  @Test(arguments: 0..<UInt64(20))
  func `random bytes never trap`(seed: UInt64) {
    var random = SplitMix(seed: seed)
    for _ in 0..<200 {
      let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(MP4Edit(moov: bytes) == nil)
    }
  }
}

/// The contents of a `moov` box with one sound track.
private struct Movie {
  var ticks: Int
  var length: Int
  var sound: Int
  var total: Int
  var start: Int
  var version = 0
  var entries = 1
  var speed = 0x1_0000
  var handler = "soun"

  var bytes: [UInt8] {
    let wide = version == 1 ? 8 : 4
    let head = [UInt8(version), 0, 0, 0]
    func header(_ ticks: Int, _ duration: Int) -> [UInt8] {
      head + number(0, wide) + number(0, wide) + number(ticks, 4) + number(duration, wide)
    }
    let entry = number(length, wide) + number(start, wide) + number(speed, 4)
    let list = head + number(entries, 4) + [[UInt8]](repeating: entry, count: entries).joined()
    let format = [0, 0, 0, 0] + number(1, 4) + number(36, 4) + Array("mp4a".utf8)
    let table = box("stbl", box("stsd", format))
    let media =
      box("mdhd", header(sound, total))
      + box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0] + Array(handler.utf8)) + box("minf", table)
    return box("mvhd", header(ticks, length))
      + box("trak", box("edts", box("elst", list)) + box("mdia", media))
  }

  private func number(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    number(contents.count + 8, 4) + Array(type.utf8) + contents
  }
}
