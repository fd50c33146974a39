// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import AudioTime
import Glibc
import OpusCodec
import Playout
import RealtimeAudio
import Testing
import WireProtocol

// What a listener hears of packets that never come: a fade, perhaps silence, a fade. Never a click, which
// is a step between two samples that the music itself does not make.

@Suite struct ConcealmentTests {
  /// What is played.
  enum Music: String, CaseIterable, CustomTestStringConvertible {
    case sine, chord, noise
    var testDescription: String { rawValue }

    func sample(_ frame: Int) -> Float {
      let time = Double(frame) / 48_000
      switch self {
      case .sine: return Float(0.5 * sin(2 * .pi * 440 * time))
      case .chord:
        return Float(0.3 * sin(2 * .pi * 220.5 * time) + 0.2 * sin(2 * .pi * 1_567 * time))
      case .noise: return Self.hash(frame)
      }
    }

    /// White, the same each time.
    private static func hash(_ frame: Int) -> Float {
      var mixed = UInt64(bitPattern: Int64(frame)) &* 0x9E37_79B9_7F4A_7C15
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return Float(Int32(truncatingIfNeeded: mixed >> 32)) / Float(Int32.max) * 0.4
    }
  }

  /// libopus' own return from concealment overshoots a sine by up to 4 %: no click.
  static let tolerance: Float = 1.05

  /// Encodes packets; frame 0 of the music is due at `firstAudible`.
  func packets(_ source: PacketSource, _ count: Int, of music: Music) throws -> [[UInt8]] {
    var encoder = try OpusEncoder()
    return try (0..<count).map { index in
      let samples = (0..<960).flatMap { frame in
        let sample = music.sample(index * 960 + frame)
        return [sample, sample]
      }
      var payload: [UInt8] = []
      try encoder.encode(samples.span, into: &payload)
      return payload
    }
  }

  let first = PacketSource(ssrc: name(1), firstAudible: origin + 4_800)

  /// The left channel of `count` packets played without those in `lost`.
  func play(
    _ music: Music, _ count: Int = 120, lost: Range<Int>
  ) throws -> (left: [Float], room: OpusRoom) {
    let room = OpusRoom(playingFrom: origin)
    room.receiver.announce(first.announcement)
    for (index, payload) in try packets(first, count, of: music).enumerated()
    where !lost.contains(index) {
      room.receive(first.header(index), payload)
    }
    room.receiver.end(StreamEnd(ssrc: first.ssrc, endFrame: first.stamp(count)))
    try room.play(blocks: count * 2 + 20)
    return (stride(from: 0, to: room.output.count, by: 2).map { room.output[$0] }, room)
  }

  func largestStep(_ samples: ArraySlice<Float>) -> Float {
    zip(samples, samples.dropFirst()).reduce(0) { max($0, abs($1.1 - $1.0)) }
  }

  /// The largest step that the undisturbed music makes between start and end.
  func ownStep(_ music: Music) throws -> Float {
    let whole = try play(music, lost: 0..<0).left
    return largestStep(whole[4_000..<110_000])
  }

  @Test(
    arguments: Music.allCases, [1, 2, 5, 6, 50])
  func `a gap makes no step that the music does not make`(music: Music, length: Int) throws {
    let own = try ownStep(music)
    let (left, room) = try play(music, lost: 40..<40 + length)
    let worst = largestStep(left[4_000..<110_000])
    print("\(music), gap of \(length): \(worst) against \(own)")
    #expect(worst <= own * Self.tolerance)
    #expect(room.receiver.counters.lost == UInt64(length))
    #expect(room.receiver.counters.concealed == UInt64(length))
  }

  @Test(arguments: Music.allCases)
  func `a long gap is silent after 100 ms and whole again afterwards`(music: Music) throws {
    let left = try play(music, lost: 40..<90).left
    // Packet 40 is heard from frame 4,800 + 40 * 960 - 312 on.
    let gap = 4_800 + 40 * 960 - 312
    #expect(left[(gap + 4_800 + 480)..<(gap + 50 * 960 - 480)].allSatisfy { $0 == 0 })
    let before = left[(gap - 9_600)..<gap]
    let after = left[(gap + 56 * 960)..<(gap + 66 * 960)]
    #expect(abs(energy(after) / energy(before) - 1) < 0.1)
  }

  func energy(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

  @Test(arguments: Music.allCases, [1, 2, 5, 6, 50])
  func `a gap at the start makes no step`(music: Music, length: Int) throws {
    let own = try ownStep(music)
    let worst = largestStep(try play(music, lost: 0..<length).left[0..<110_000])
    #expect(worst <= own * Self.tolerance, "\(worst) against \(own)")
  }

  @Test(arguments: Music.allCases, [1, 2, 5, 6, 50])
  func `a gap at the end fades out`(music: Music, length: Int) throws {
    let own = try ownStep(music)
    let (left, _) = try play(music, lost: 120 - length..<120)
    // Not to the last frame: there the music itself breaks off.
    let worst = largestStep(left[4_000...])
    #expect(worst <= own * Self.tolerance, "\(worst) against \(own)")
    #expect(left.suffix(4_800).allSatisfy { $0 == 0 })
  }

  @Test(arguments: Music.allCases, [1, 2, 5, 6, 50])
  func `a gap across a change of generation makes no step`(music: Music, length: Int) throws {
    let own = try ownStep(music)
    let second = PacketSource(ssrc: name(2), firstAudible: first.firstAudible + 60 * 960)
    let room = OpusRoom(playingFrom: origin)
    room.receiver.announce(first.announcement)
    // The end of the first and the beginning of the second are lost.
    let half = (length + 1) / 2
    for (index, payload) in try packets(first, 70, of: music).enumerated()
    where !(60 - half..<60).contains(index) { room.receive(first.header(index), payload) }
    room.receiver.announce(second.announcement)
    room.receiver.flush(
      FlushPacket(
        ssrc: first.ssrc, serial: 1, fromFrame: second.firstAudible, fadeMilliseconds: 10))
    for (index, payload) in try packets(second, 60, of: music).enumerated()
    where index >= length / 2 { room.receive(second.header(index), payload) }
    try room.play(blocks: 240)
    let left = stride(from: 0, to: room.output.count, by: 2).map { room.output[$0] }
    let worst = largestStep(left[4_000..<110_000])
    // Two pieces of music that meet may differ by twice their level over 10 ms.
    #expect(worst <= own * Self.tolerance + 2 * 0.5 / 480, "\(worst) against \(own)")
  }
}
