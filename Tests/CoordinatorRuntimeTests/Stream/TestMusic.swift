// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import CoordinatorRuntime
import DecoderProtocol
import Glibc
import Synchronization

/// Music that anybody can compute: three tones, other ones for each track, high enough that a shift
/// of one frame is plain to see. It repeats every ten seconds.
enum TestMusic {
  private static let period = 480_000
  private static let tables = Mutex<[Int: [Float]]>([:])

  /// The left sample of a track at a frame; the right one is its half.
  static func sample(track: Int, frame: Int64) -> Float {
    frame < 0 ? 0 : table(of: track)[Int(frame) % period * 2]
  }

  static func frames(track: Int, _ range: Range<Int64>) -> [Float] {
    let table = table(of: track)
    var (samples, next) = ([Float](), Int(range.lowerBound))
    while next < Int(range.upperBound) {
      let slot = next % period
      let count = min(period - slot, Int(range.upperBound) - next)
      samples += table[slot * 2..<(slot + count) * 2]
      next += count
    }
    return samples
  }

  /// One period, interleaved.
  private static func table(of track: Int) -> [Float] {
    tables.withLock { tables in
      if let known = tables[track] { return known }
      let base = 1_700.0 + 230.0 * Double(track)
      let steps = [base, base * 1.37, base * 2.11].map { 2 * Double.pi * $0.rounded() / 48_000 }
      var table = [Float](repeating: 0, count: period * 2)
      for frame in 0..<period {
        let time = Double(frame)
        let sum = sin(steps[0] * time) + sin(steps[1] * time) + sin(steps[2] * time)
        table[frame * 2] = Float(sum * 0.2)
        table[frame * 2 + 1] = Float(sum * 0.1)
      }
      tables[track] = table
      return table
    }
  }
}

/// How a test track behaves.
struct TestTrack: Sendable {
  var frames: Int64
  /// Where it breaks off, if it does.
  var failsAt: Int64?
  /// Whether it cannot even be opened.
  var isMissing = false
}

/// Opens test music; `/N` is track N.
final class TestMusicOpener: PCMSourceOpener {
  private let tracks: [Int: TestTrack]

  init(_ tracks: [Int: TestTrack]) { self.tracks = tracks }

  func open(
    _ location: MediaLocation, startFrame: Int64
  ) throws(DecoderFailure) -> any PCMSource {
    guard let number = Int(location.text.dropFirst()), let track = tracks[number],
      !track.isMissing
    else { throw DecoderFailure(.missing, "no such test track") }
    return TestMusicSource(number: number, track: track, startFrame: startFrame)
  }
}

/// Reads test music in blocks as the decoder does.
final class TestMusicSource: PCMSource {
  let info: MediaInfo
  private let number: Int
  private let track: TestTrack
  private let cursor: Mutex<Int64>
  private let isCancelled = Mutex(false)

  init(number: Int, track: TestTrack, startFrame: Int64) {
    self.number = number
    self.track = track
    cursor = Mutex(startFrame)
    var info = MediaInfo()
    info.title = "Track \(number)"
    info.durationFrames = track.frames
    self.info = info
  }

  func next() -> PCMRead {
    let end = min(track.frames, track.failsAt ?? track.frames)
    let first = cursor.withLock { $0 }
    if isCancelled.withLock({ $0 }) {
      return .end(DecoderEnd(sourceFrames: first, ending: .stopped))
    }
    guard first < end else {
      if track.failsAt != nil { return .failure(DecoderFailure(.damaged, "it is damaged")) }
      return .end(DecoderEnd(sourceFrames: track.frames))
    }
    let last = min(end, first + 4_096)
    cursor.withLock { $0 = last }
    return .samples(TestMusic.frames(track: number, first..<last))
  }

  func cancel() { isCancelled.withLock { $0 = true } }
}
