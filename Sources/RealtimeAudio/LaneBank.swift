// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
internal import Synchronization

/// The memory that the decoding thread and the audio thread share: four lanes and the progress.
///
/// Four because two may be cross-fading while a third waits for its frame and a fourth is being filled.
/// Everything is allocated here, once; the views handed out stay valid while the bank lives.
public final class LaneBank: @unchecked Sendable {
  // @unchecked: the pointers never change after init; what they reach is atomic or ordered by atomics
  // (AudioLane, RenderProgress).

  /// How many lanes there are.
  public static var laneCount: Int { @_noLocks get { 4 } }

  private let cells: UnsafeMutablePointer<LaneCell>
  private let samples: UnsafeMutablePointer<SIMD2<Float>>
  private let progressCell: UnsafeMutablePointer<ProgressCell>

  /// Four empty lanes (512 KiB).
  public init() {
    let frames = Int(AudioLane.capacity) * Self.laneCount
    cells = .allocate(capacity: Self.laneCount)
    for index in 0..<Self.laneCount { (cells + index).initialize(to: LaneCell()) }
    samples = .allocate(capacity: frames)
    samples.initialize(repeating: .zero, count: frames)
    progressCell = .allocate(capacity: 1)
    progressCell.initialize(to: ProgressCell())
  }

  deinit {
    cells.deinitialize(count: Self.laneCount)
    cells.deallocate()
    samples.deallocate()
    progressCell.deinitialize(count: 1)
    progressCell.deallocate()
  }

  /// The lane with this index, 0 to 3.
  public subscript(index: Int) -> AudioLane {
    @_noLocks get {
      precondition(index >= 0 && index < 4, "there are four lanes")
      return AudioLane(
        cell: cells + index, samples: samples + index * Int(AudioLane.capacity))
    }
  }

  /// How far the renderer is.
  public var progress: RenderProgress {
    @_noLocks get { RenderProgress(cell: progressCell) }
  }
}

/// The atomics behind `RenderProgress`, written by the audio thread alone.
struct ProgressCell: ~Copyable {
  let playhead = Atomic<Int64>(.min)
  let lanesInUse = Atomic<UInt32>(0)
  let underrunFrames = Atomic<UInt64>(0)
  let jumps = Atomic<UInt64>(0)
}

/// What the audio thread tells the rest: written after every block, readable from any thread.
public struct RenderProgress: @unchecked Sendable, BitwiseCopyable {
  // @unchecked: a pointer to atomics that the bank owns.
  let cell: UnsafeMutablePointer<ProgressCell>

  @_noLocks init(cell: UnsafeMutablePointer<ProgressCell>) { self.cell = cell }

  /// The state after the latest block.
  @_noLocks public func read() -> RenderReading {
    let playhead = cell.pointee.playhead.load(ordering: .acquiring)
    return RenderReading(
      playhead: playhead == .min ? nil : MediaFrame(index: playhead),
      lanesInUse: cell.pointee.lanesInUse.load(ordering: .relaxed),
      underrunFrames: cell.pointee.underrunFrames.load(ordering: .relaxed),
      jumps: cell.pointee.jumps.load(ordering: .relaxed))
  }

  @_noLocks func publish(playhead: Int64, lanesInUse: UInt32) {
    cell.pointee.lanesInUse.store(lanesInUse, ordering: .relaxed)
    cell.pointee.playhead.store(playhead, ordering: .releasing)
  }

  /// No renderer: no place, and no lane in use.
  @_noLocks func clear() { publish(playhead: .min, lanesInUse: 0) }

  @_noLocks func countUnderrun(_ frames: Int) {
    cell.pointee.underrunFrames.wrappingAdd(UInt64(frames), ordering: .relaxed)
  }

  @_noLocks func countJump() { cell.pointee.jumps.wrappingAdd(1, ordering: .relaxed) }
}

/// One reading of `RenderProgress`.
public struct RenderReading: Sendable, BitwiseCopyable {
  /// The next media frame that the audio thread will fetch from a lane.
  ///
  /// Nil before its first block, and when its renderer is gone.
  public var playhead: MediaFrame?
  /// Lanes that sound or may sound by the schedule the renderer holds, one bit each.
  public var lanesInUse: UInt32
  /// Media frames that were due but not in their lane, since the start.
  public var underrunFrames: UInt64
  /// Ordered jumps of the position, since the start (the first one sets the position).
  public var jumps: UInt64

  /// A reading made by hand, for tests and simulations.
  ///
  /// - Parameters:
  ///   - playhead: The next frame to be fetched.
  ///   - lanesInUse: One bit for each lane in use.
  ///   - underrunFrames: Frames that were missing.
  ///   - jumps: Jumps carried out.
  @_noLocks public init(
    playhead: MediaFrame?, lanesInUse: UInt32 = 0, underrunFrames: UInt64 = 0, jumps: UInt64 = 0
  ) {
    self.playhead = playhead
    self.lanesInUse = lanesInUse
    self.underrunFrames = underrunFrames
    self.jumps = jumps
  }
}
