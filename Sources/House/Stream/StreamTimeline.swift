// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

// Position is a function of the media clock. A *run* says that from one media frame on, one item is
// heard from one of its source frames on; it holds until the next run begins or the stream is cut:
//
//   runs     |-- item 7 from 0 ---------------|-- item 8 from 0 -----|
//   frames   f0                               f1                     cut
//
// All frames here are stamps: a frame stamped f is heard at f + D.

/// From `firstFrame` on, `itemID` plays from `sourceFrame` on.
public struct PositionRun: Sendable, Hashable {
  /// The item of the queue.
  public var itemID: ItemID
  /// The stamp of the run's first frame.
  public var firstFrame: MediaFrame
  /// The frame of the item (48 kHz) that has this stamp.
  public var sourceFrame: Int64

  /// A run.
  public init(itemID: ItemID, firstFrame: MediaFrame, sourceFrame: Int64) {
    self.itemID = itemID
    self.firstFrame = firstFrame
    self.sourceFrame = sourceFrame
  }

  /// The source frame that is stamped `frame`, if the run lasts that long.
  public func sourceFrame(at frame: MediaFrame) -> Int64 { sourceFrame + (frame - firstFrame) }
}

/// What is heard at one moment.
public struct StreamPosition: Sendable, Hashable {
  /// The item.
  public var itemID: ItemID
  /// The frame of it, in frames of 48 kHz.
  public var sourceFrame: Int64

  /// A position.
  public init(itemID: ItemID, sourceFrame: Int64) {
    self.itemID = itemID
    self.sourceFrame = sourceFrame
  }
}

/// Which item is heard when: the runs of a group's stream, across generations.
///
/// Invariant: runs are in order of `firstFrame`, and none begins at or after `end`.
public struct StreamTimeline: Sendable, Hashable {
  /// The runs that are known, in order.
  public private(set) var runs: [PositionRun] = []
  /// The frame at which the stream falls silent, when that is known.
  public private(set) var end: MediaFrame?

  /// An empty timeline.
  public init() {}

  /// A timeline as it was saved.
  public init(restoring runs: [PositionRun]) {
    for run in runs.sorted(by: { $0.firstFrame < $1.firstFrame }) { begin(run) }
  }

  /// Lays out a run; what was to begin at or after it never does.
  public mutating func begin(_ run: PositionRun) {
    runs.removeAll { $0.firstFrame >= run.firstFrame }
    runs.append(run)
    end = nil
  }

  /// Lets the stream fall silent at `frame`.
  ///
  /// The run that is heard there stays, even if it has not begun: a position must remain.
  public mutating func cut(at frame: MediaFrame) {
    let kept = runs.filter { $0.firstFrame < frame }
    runs = kept.isEmpty ? Array(runs.prefix(1)) : kept
    end = max(frame, runs.last?.firstFrame ?? frame)
  }

  /// Forgets runs that are over at `frame`, but never the last.
  public mutating func forget(before frame: MediaFrame) {
    guard let current = runs.lastIndex(where: { $0.firstFrame <= frame }) else { return }
    runs.removeFirst(current)
  }

  /// The run that holds the frame stamped `frame`; the first one for frames before it.
  public func run(at frame: MediaFrame) -> PositionRun? {
    runs.last { $0.firstFrame <= frame } ?? runs.first
  }

  /// What is at the stamp `frame`: the beginning for frames before the first run, and where the
  /// stream fell silent for frames after its end.
  public func position(at frame: MediaFrame) -> StreamPosition? {
    let clamped = min(frame, end ?? frame)
    guard let run = run(at: clamped) else { return nil }
    let source = run.sourceFrame(at: max(clamped, run.firstFrame))
    return StreamPosition(itemID: run.itemID, sourceFrame: source)
  }

  /// What is heard at `now`.
  public func position(at now: MediaInstant, delay: Nanoseconds) -> StreamPosition? {
    position(at: MediaFrame(now - delay))
  }

  /// What is heard at `now` with a delay that moves.
  public func position(at now: MediaInstant, delay: DelayRamp) -> StreamPosition? {
    position(at: delay.stamp(heardAt: now))
  }
}
