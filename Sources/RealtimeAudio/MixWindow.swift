// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime

// The lanes mixed down to one stream in media frames, before resampling.
//
// All fades happen here, on whole media frames, so every room computes the same samples and the
// resampler has a single input. A frame is mixed once and kept while the filter can reach it: the filter
// never sees one frame in two versions, although lanes fill up between two blocks.
//
//      base                 frontier = next frame to be mixed
//       |  kept for the filter  |
//     --+-----------------------+----->  media frames

/// A stretch of mixed music around the read position. Owned by the renderer.
struct MixWindow: ~Copyable {
  /// Room for the filter's reach (96) and a chunk (512 frames at 1.5 media frames each), twice over.
  static var capacity: Int { @_noLocks get { 2_048 } }

  let left: UnsafeMutablePointer<Float>
  let right: UnsafeMutablePointer<Float>
  private let mixed: UnsafeMutablePointer<SIMD2<Float>>
  private let lane: UnsafeMutablePointer<SIMD2<Float>>

  /// The media frame of `left[0]`.
  private(set) var base: Int64 = 0
  private var count = 0
  private var schedule = LaneSchedule()
  private var gaps = InlineArray<4, GapFade>(repeating: GapFade())

  /// Frames that were due and missing since `takeMissing`.
  private var missingFrames = 0

  init() {
    left = .allocate(capacity: Self.capacity)
    right = .allocate(capacity: Self.capacity)
    mixed = .allocate(capacity: Self.capacity)
    lane = .allocate(capacity: Self.capacity)
    left.initialize(repeating: 0, count: Self.capacity)
    right.initialize(repeating: 0, count: Self.capacity)
    mixed.initialize(repeating: .zero, count: Self.capacity)
    lane.initialize(repeating: .zero, count: Self.capacity)
  }

  /// Not real-time: runs when the audio thread has ended.
  func free() {
    left.deallocate()
    right.deallocate()
    mixed.deallocate()
    lane.deallocate()
  }

  /// The next frame to be mixed.
  var frontier: Int64 {
    @_noLocks get { base &+ Int64(count) }
  }

  /// Whether nothing is mixed yet.
  var isEmpty: Bool {
    @_noLocks get { count == 0 }
  }

  var lanesInUse: UInt32 {
    @_noLocks get { schedule.lanesInUse(from: base) }
  }

  /// Forgets everything and starts at `frame`.
  @_noLocks mutating func restart(at frame: Int64) {
    base = frame
    count = 0
    missingFrames = 0
    schedule = LaneSchedule()
    for index in 0..<4 { gaps[index] = GapFade() }
  }

  /// Takes over the latest cues. Cues that come too late start at the frontier.
  ///
  /// - Parameters:
  ///   - latest: The schedule as the network side published it.
  ///   - fresh: True right after `restart`: nothing was mixed yet, so nothing is too late.
  @_noLocks mutating func adopt(_ latest: LaneSchedule, fresh: Bool) {
    schedule.adopt(latest, frontier: fresh ? .min : frontier)
  }

  /// Mixes up to `end`, and forgets what lies before `start`.
  @_noLocks mutating func advance(from start: Int64, to end: Int64, lanes: borrowing LaneViews) {
    discard(before: start)
    let first = frontier
    let wanted = room(upTo: end)
    guard wanted > 0 else { return }
    mix(first, wanted, lanes: lanes)
    for index in 0..<wanted {
      left[count &+ index] = mixed[index].x
      right[count &+ index] = mixed[index].y
    }
    count += wanted
  }

  /// Moves as `advance` does and counts what is missing, but mixes nothing.
  @_noLocks mutating func pass(from start: Int64, to end: Int64, lanes: borrowing LaneViews) {
    let dropped = Int(min(max(0, start &- base), Int64(count)))
    count -= dropped
    base = max(base &+ Int64(dropped), start)
    let first = frontier
    let wanted = room(upTo: end)
    for index in schedule.firstRelevant(at: first)..<schedule.count {
      let cue = schedule[index]
      guard cue.lane >= 0 else { continue }
      let range = lanes[Int(cue.lane & 3)].readable()
      let from = max(max(first, cue.start.index), range.audible)
      let to = first &+ Int64(wanted)
      let present = max(0, min(to, range.end) &- max(from, range.start))
      missingFrames += Int(max(0, to &- from &- present))
    }
    count += wanted
  }

  @_noLocks private func room(upTo end: Int64) -> Int {
    min(Int(max(0, end &- frontier)), Self.capacity - count)
  }

  /// The number of missing frames mixed since the last call.
  @_noLocks mutating func takeMissing() -> Int {
    defer { missingFrames = 0 }
    return missingFrames
  }

  /// Tells the lanes in use that no frame below `frame` will be read any more.
  @_noLocks func finishReading(below frame: Int64, lanes: borrowing LaneViews) {
    let inUse = lanesInUse
    for index in 0..<4 where inUse & (1 << UInt32(index)) != 0 {
      lanes[index].finishReading(below: frame)
    }
  }

  @_noLocks private mutating func discard(before start: Int64) {
    let dropped = Int(min(max(0, start &- base), Int64(count)))
    if dropped > 0 {
      count -= dropped
      UnsafeMutableRawPointer(left).copyMemory(from: left + dropped, byteCount: count &* 4)
      UnsafeMutableRawPointer(right).copyMemory(from: right + dropped, byteCount: count &* 4)
    }
    base = max(base &+ Int64(dropped), start)
  }

  // MARK: Painting

  @_noLocks private mutating func mix(
    _ first: Int64, _ frames: Int, lanes: borrowing LaneViews
  ) {
    for index in 0..<frames { mixed[index] = .zero }
    for index in schedule.firstRelevant(at: first)..<schedule.count {
      let cue = schedule[index]
      let skipped = Int(min(max(0, cue.start.index &- first), Int64(frames)))
      if skipped < frames {
        paint(cue, first &+ Int64(skipped), frames - skipped, over: mixed + skipped, lanes: lanes)
      }
    }
  }

  /// Covers what is painted so far by `cue`, as far as it is faded in.
  @_noLocks private mutating func paint(
    _ cue: LaneCue, _ first: Int64, _ frames: Int, over target: UnsafeMutablePointer<SIMD2<Float>>,
    lanes: borrowing LaneViews
  ) {
    if cue.lane >= 0 {
      fetch(Int(cue.lane & 3), first, frames, lanes: lanes)
    } else {
      for index in 0..<frames { lane[index] = .zero }
    }
    for index in 0..<frames {
      let amount = cue.presence(at: first &+ Int64(index))
      target[index] =
        amount >= 1 ? lane[index] : target[index] * (1 - amount) + lane[index] * amount
    }
  }

  /// Reads `frames` frames of a lane into `lane`, with ramps where they are missing.
  @_noLocks private mutating func fetch(
    _ index: Int, _ first: Int64, _ frames: Int, lanes: borrowing LaneViews
  ) {
    let view = lanes[index]
    let range = view.readable()
    var gap = gaps[index]
    for offset in 0..<frames {
      let frame = first &+ Int64(offset)
      if frame < range.audible {
        lane[offset] = .zero
      } else if !range.contains(frame) {
        missingFrames += 1
        lane[offset] = gap.missing(frame, lane: view, range: range)
      } else if gap.isActive {
        lane[offset] = gap.present(frame, lane: view, range: range)
      } else {
        lane[offset] = view.samples[view.slot(frame)]
      }
    }
    gaps[index] = gap
  }
}

/// The four lanes as a fixed array of views: no class is touched to reach them.
struct LaneViews: BitwiseCopyable {
  private let views: InlineArray<4, AudioLane>

  init(_ bank: LaneBank) { views = [bank[0], bank[1], bank[2], bank[3]] }

  subscript(index: Int) -> AudioLane {
    @_noLocks get { views[index] }
  }
}
