// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import RealtimeAudio

// A live source as a stream that never ends and never waits: a block of the house's frames whenever one
// is asked for, silence while the source has nothing.
//
//   deliver ──► SourceBuffer ──► next: RateMatcher plans, the resampler reads, fades at the edges ──► block
//
// A source with a clock is matched. One without waits for us (SourcePressure): it is read at its nominal
// rate, a tenth of a second of it is kept, and it is not asked for more. One that falls behind although
// it could be early has stopped, or has a clock after all: it is judged anew.

/// A live source at the house's pace.
public struct LiveStream: ~Copyable {
  /// Frames per second that are read.
  public static let outputRate = 48_000
  /// Frames per second that the source claims.
  public let rate: Int
  /// Whether the source waits for us.
  public var waitsForUs: Bool { eagerAt != nil }
  /// How much of what came has not been read, in source frames.
  public var unread: Int64 { buffer.end - place.frame }
  /// Times the source fell silent, or behind, while it was read.
  public private(set) var dryRuns = 0
  /// Times that music was passed over because too much had come.
  public private(set) var skips = 0
  /// How much faster the source runs than this host's clock; zero for one that waits.
  public var frequency: PartsPerMillion { matcher.arrivals.frequency }
  /// Whether the last block had sound of the source in it.
  public private(set) var isSounding = false

  private var buffer = SourceBuffer()
  private var matcher: RateMatcher
  /// The buffer's frame that is the matcher's first.
  private var origin: Int64 = 0
  private var surplus: SurplusMeter
  /// Where a source that waits for us is read.
  private var eagerAt: SourcePosition?
  /// Where the last block ended.
  private var place = SourcePosition(frame: 0)
  private let block: Int
  private var scratch: [Float] = []

  /// A source of which nothing has come yet.
  ///
  /// - Parameters:
  ///   - rate: Frames per second that it claims, at most 48,000.
  ///   - block: Frames that `next` is asked for each time.
  public init(rate: Int, block: Int) {
    self.rate = rate
    self.block = block
    matcher = RateMatcher(rate: rate, outputRate: Self.outputRate, block: block)
    surplus = SurplusMeter(rate: rate)
  }

  /// Source frames that may be taken from the source now.
  public var appetite: Int {
    guard let eagerAt else { return max(0, Int(Double(rate) * Self.mostKept) - Int(unread)) }
    let kept = Double(rate) * Self.eagerKept + 2 * blockInSource
    return max(0, Int(kept) - Int(buffer.end - eagerAt.frame))
  }

  /// Takes in what has come.
  ///
  /// - Parameters:
  ///   - frames: Interleaved.
  ///   - now: When the last of it could be read.
  public mutating func deliver(_ frames: Span<Float>, at now: LocalInstant) {
    let count = frames.count / 2
    guard count > 0 else { return }
    buffer.append(frames)
    guard eagerAt == nil else { return }
    matcher.deliver(frames: count, at: now)
    surplus.note(frames: count, at: now)
    guard surplus.isExceeded else { return }
    if let position = matcher.readPosition { place = inBuffer(position) }
    eagerAt = place
  }

  /// Makes the next block.
  ///
  /// - Parameters:
  ///   - now: When it is due, on this host's clock.
  ///   - output: Is overwritten with a block of interleaved frames.
  public mutating func next(at now: LocalInstant, into output: inout [Float]) {
    output.removeAll(keepingCapacity: true)
    output.append(contentsOf: repeatElement(0, count: 2 * block))
    if let here = eagerAt {
      readEagerly(from: here, into: &output)
    } else {
      readByClock(at: now, into: &output)
    }
    buffer.discard(before: place.frame - Self.pastKept)
  }

  // MARK: Parts

  private var blockInSource: Double { Double(block) * Double(rate) / Double(Self.outputRate) }
  private var nominalStep: UInt64 {
    UInt64((Double(rate) / Double(Self.outputRate) * 0x1p32).rounded())
  }

  private func inBuffer(_ position: SourcePosition) -> SourcePosition {
    SourcePosition(frame: position.frame + origin, fraction: position.fraction)
  }

  private mutating func readByClock(at now: LocalInstant, into output: inout [Float]) {
    switch matcher.plan(frames: block, at: now) {
    case .collect: isSounding = false
    case .read(let from, let step): sound(from: inBuffer(from), step: step, into: &output)
    case .dry(let from):
      dryRuns += 1
      ringOut(from: inBuffer(from), step: nominalStep, into: &output)
    case .skip(let to):
      // A source that gets so far ahead is told apart before; this is the last resort.
      skips += 1
      ringOut(from: place, step: nominalStep, into: &output)
      place = inBuffer(to)
    }
  }

  private mutating func readEagerly(
    from here: SourcePosition, into output: inout [Float]
  ) {
    let step = nominalStep
    if buffer.readable(from: here, step: step, wanted: block) == block {
      sound(from: here, step: step, into: &output)
      eagerAt = place
      return
    }
    dryRuns += 1
    ringOut(from: here, step: step, into: &output)
    judgeAnew()
  }

  /// As if nothing had come yet.
  private mutating func judgeAnew() {
    eagerAt = nil
    place = SourcePosition(frame: buffer.end)
    origin = place.frame
    matcher = RateMatcher(rate: rate, outputRate: Self.outputRate, block: block)
    surplus = SurplusMeter(rate: rate)
  }

  private mutating func sound(
    from position: SourcePosition, step: UInt64, into output: inout [Float]
  ) {
    read(from: position, step: step, count: block, into: &output)
    if !isSounding { fadeIn(&output) }
    isSounding = true
    place = position
    place.advance(by: block, step: step)
  }

  /// What is there sounds to its end, and is mirrored from there while it fades.
  private mutating func ringOut(
    from position: SourcePosition, step: UInt64, into output: inout [Float]
  ) {
    place = position
    guard isSounding else { return }
    isSounding = false
    let count = buffer.readable(from: position, step: step, wanted: block)
    read(from: position, step: step, count: count, into: &output)
    var edge = position
    edge.advance(by: count, step: step)
    place = edge
    for index in 0..<min(Self.fadeFrames, block - count) {
      let (left, right) = buffer.frame(edge.frame - 1 - Int64(index))
      let gain = 1 - Float(index + 1) / Float(Self.fadeFrames)
      output[2 * (count + index)] = left * gain
      output[2 * (count + index) + 1] = right * gain
    }
  }

  private mutating func read(
    from position: SourcePosition, step: UInt64, count: Int, into output: inout [Float]
  ) {
    let count = buffer.readable(from: position, step: step, wanted: count)
    guard count > 0 else { return }
    buffer.read(from: position, step: step, count: count, into: &output)
  }

  private func fadeIn(_ output: inout [Float]) {
    for index in 0..<min(Self.fadeFrames, block) {
      let gain = (Float(index) + 0.5) / Float(Self.fadeFrames)
      output[2 * index] *= gain
      output[2 * index + 1] *= gain
    }
  }
}

// MARK: - Tuning

extension LiveStream {
  /// Seconds of a source with a clock: two lumps, and what `RateMatcher` skips beyond.
  static let mostKept = 2.5
  /// Seconds of a source that waits: more than a decoder takes for its next turn.
  static let eagerKept = 0.1
  /// Source frames kept behind the place: the resampler's reach and a mirrored fade.
  static let pastKept: Int64 = 1_024
  /// 5 ms: too short to hear as a fade, long enough not to click (as `GapFade`).
  static let fadeFrames = 240
}
