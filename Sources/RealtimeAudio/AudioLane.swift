// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import Synchronization

// Decoded music of one generation on its way from the decoding thread to the audio thread.
//
// A ring of 16,384 stereo frames (341 ms at 48 kHz) addressed by media frame: frame m lives in slot
// m mod 16,384. One thread appends at `end`; one thread reads anywhere in the valid range
//
//     max(opened, floor) ..< end
//
// `floor` is the reader's promise never to go back below it; the writer keeps end <= floor + 16,384,
// so the two never touch one slot at a time, and a plain release/acquire on `end` and `floor` is all
// the synchronisation there is. The floor trails the reader by 4,096 frames (85 ms), which serves a
// resync that jumps back and the fade that mirrors the music into a gap.
//
// A lane may be opened anew only while the renderer does not use it (`RenderReading.lanesInUse`).

/// The shared part of a lane. All members are atomic; the samples are ordered by them.
struct LaneCell: ~Copyable {
  /// First frame this generation can have. Written by the writer while the reader is away.
  let opened = Atomic<Int64>(0)
  /// Silence before this frame. Written by the writer while the reader is away.
  let firstAudible = Atomic<Int64>(0)
  /// One past the newest frame. Written by the writer.
  let end = Atomic<Int64>(0)
  /// The reader will not read below this frame. Written by the reader, reset by `open`.
  let floor = Atomic<Int64>(.min)
}

/// A view of one lane: cheap to copy, valid as long as its `LaneBank`.
///
/// - Thread: `open`, `append` and `appendSilence` belong to one writer; reading is the renderer's.
public struct AudioLane: @unchecked Sendable, BitwiseCopyable {
  // @unchecked: the pointers reach memory that the bank owns; the protocol above orders every access.

  /// Frames the ring holds: a power of two, 341 ms.
  public static var capacity: Int64 { @_noLocks get { 16_384 } }
  /// Frames behind the reader that stay readable: 85 ms.
  static var history: Int64 { @_noLocks get { 4_096 } }

  let cell: UnsafeMutablePointer<LaneCell>
  let samples: UnsafeMutablePointer<SIMD2<Float>>

  @_noLocks init(
    cell: UnsafeMutablePointer<LaneCell>, samples: UnsafeMutablePointer<SIMD2<Float>>
  ) {
    self.cell = cell
    self.samples = samples
  }

  @_noLocks @inline(__always) func slot(_ frame: Int64) -> Int { Int(frame & (Self.capacity - 1)) }

  // MARK: Writer

  /// Empties the lane for a new generation.
  ///
  /// - Parameters:
  ///   - first: The frame that the first `append` will hold.
  ///   - firstAudible: Frames before this one sound as silence, whatever is appended.
  /// - Thread: the writer's, and only while the renderer does not use the lane.
  @_noLocks public func open(from first: MediaFrame, firstAudible: MediaFrame) {
    cell.pointee.floor.store(.min, ordering: .relaxed)
    cell.pointee.opened.store(first.index, ordering: .relaxed)
    cell.pointee.firstAudible.store(firstAudible.index, ordering: .relaxed)
    cell.pointee.end.store(first.index, ordering: .releasing)
  }

  /// The frame that the next `append` will hold.
  public var end: MediaFrame {
    @_noLocks get {
      MediaFrame(index: cell.pointee.end.load(ordering: .acquiring))
    }
  }

  /// How many frames may be appended now.
  public var room: Int {
    @_noLocks get {
      let floor = cell.pointee.floor.load(ordering: .acquiring)
      let opened = cell.pointee.opened.load(ordering: .relaxed)
      let end = cell.pointee.end.load(ordering: .relaxed)
      return Int(max(0, max(floor, opened) &+ Self.capacity &- end))
    }
  }

  /// Appends interleaved stereo samples, left first, at `end`.
  ///
  /// - Parameter interleaved: Two samples per frame.
  /// - Returns: Frames taken: fewer than offered when the reader is too far behind.
  @discardableResult
  @_noLocks public func append(_ interleaved: Span<Float>) -> Int {
    let count = min(interleaved.count / 2, room)
    let first = cell.pointee.end.load(ordering: .relaxed)
    for index in 0..<count {
      samples[slot(first &+ Int64(index))] = SIMD2(
        interleaved[2 &* index], interleaved[2 &* index &+ 1])
    }
    cell.pointee.end.store(first &+ Int64(count), ordering: .releasing)
    return count
  }

  /// Appends `frames` frames of silence at `end`.
  ///
  /// - Parameter frames: How many.
  /// - Returns: Frames taken, as for `append`.
  @discardableResult
  @_noLocks public func appendSilence(_ frames: Int) -> Int {
    let count = min(max(frames, 0), room)
    let first = cell.pointee.end.load(ordering: .relaxed)
    for index in 0..<count { samples[slot(first &+ Int64(index))] = .zero }
    cell.pointee.end.store(first &+ Int64(count), ordering: .releasing)
    return count
  }

  // MARK: Reader

  /// What can be read at this moment.
  @_noLocks func readable() -> ReadableRange {
    let end = cell.pointee.end.load(ordering: .acquiring)
    let opened = cell.pointee.opened.load(ordering: .relaxed)
    let floor = cell.pointee.floor.load(ordering: .relaxed)
    return ReadableRange(
      audible: max(opened, cell.pointee.firstAudible.load(ordering: .relaxed)),
      start: max(opened, floor), end: end)
  }

  /// Promises not to read below `frame` less the history any more.
  @_noLocks func finishReading(below frame: Int64) {
    let floor = frame &- Self.history
    if floor > cell.pointee.floor.load(ordering: .relaxed) {
      cell.pointee.floor.store(floor, ordering: .releasing)
    }
  }
}

/// The reader's view of a lane for one block.
struct ReadableRange: BitwiseCopyable {
  /// Silence before this frame.
  var audible: Int64
  /// The oldest frame the ring still holds for certain.
  var start: Int64
  /// One past the newest frame.
  var end: Int64

  /// Whether the ring holds `frame`.
  @_noLocks func contains(_ frame: Int64) -> Bool { frame >= start && frame < end }
}
