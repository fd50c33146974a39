// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import RealtimeAudio

/// What has come from a live source and may still be read, counted from its first frame.
struct SourceBuffer: ~Copyable {
  /// The first frame that is kept.
  private(set) var start: Int64 = 0
  private var left: [Float] = []
  private var right: [Float] = []
  private let reader = FractionalReader()

  /// Dropped in blocks of a second: each time the first one goes, all others move.
  private static let surplus = 48_000

  /// The frame after the last one that came.
  var end: Int64 { start + Int64(left.count) }

  /// Adds interleaved frames.
  mutating func append(_ frames: Span<Float>) {
    for index in 0..<frames.count / 2 {
      left.append(frames[2 * index])
      right.append(frames[2 * index + 1])
    }
  }

  /// Forgets what lies before `frame`, sooner or later.
  mutating func discard(before frame: Int64) {
    let count = Int(min(frame, end) - start)
    guard count > Self.surplus else { return }
    left.removeFirst(count)
    right.removeFirst(count)
    start += Int64(count)
  }

  /// Output frames that can be read from `position` on, at most `wanted`.
  func readable(from position: SourcePosition, step: UInt64, wanted: Int) -> Int {
    let room = end - Int64(FractionalReader.reachAhead) - position.frame
    guard room > 0, step > 0, room < 1 << 30 else { return room > 0 ? wanted : 0 }
    let distance = UInt64(room) << 32 - UInt64(position.fraction)
    return min(wanted, Int(distance / step))
  }

  /// Reads interleaved frames; what lies before the first frame is silence.
  ///
  /// - Parameters:
  ///   - position: Where the first output frame lies.
  ///   - step: Source frames per output frame, 32.32.
  ///   - count: Output frames, no more than `readable`.
  ///   - output: Its first `2 * count` samples are overwritten.
  mutating func read(
    from position: SourcePosition, step: UInt64, count: Int, into output: inout [Float]
  ) {
    let first = Int(position.frame - start) - FractionalReader.reachBack
    if first < 0 { prepend(-first) }
    let offset = max(0, first)
    var samples = output.mutableSpan
    reader.read(
      left.span.extracting(offset..<left.count), right.span.extracting(offset..<right.count),
      fraction: position.fraction, step: step, count: count, into: &samples)
  }

  /// One frame as it came; silence where none is kept.
  func frame(_ number: Int64) -> (left: Float, right: Float) {
    guard number >= start, number < end else { return (0, 0) }
    let index = Int(number - start)
    return (left[index], right[index])
  }

  private mutating func prepend(_ count: Int) {
    left.insert(contentsOf: repeatElement(0, count: count), at: 0)
    right.insert(contentsOf: repeatElement(0, count: count), at: 0)
    start -= Int64(count)
  }
}
