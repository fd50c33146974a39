// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// A coordinator that comes back in the same boot still has the media clock and the runs it had laid
// out. Rooms hold up to D of the old generation. The new one carries, at each stamp, the very sample
// that the old one had there, so the cross-fade between the two cannot be heard.

/// Where a restarted coordinator takes up its stream.
public struct RestartPlan: Sendable, Hashable {
  /// The item to open.
  public var itemID: ItemID
  /// The frame of it to open at, in frames of 48 kHz; may lie beyond its end when the coordinator
  /// was away for longer than it had laid out.
  public var sourceFrame: Int64
  /// The stamp of that frame.
  public var firstAudible: MediaFrame

  /// Computes where to take up the stream; nil when nothing was laid out.
  ///
  /// - Parameters:
  ///   - runs: What had been laid out before the restart, in order.
  ///   - now: Media clock; the same run of it (same `ClockID`) as when the runs were laid out.
  ///   - lead: How long the start takes, see `FastStart`.
  ///   - delay: The playout delay.
  public init?(runs: [PositionRun], now: MediaInstant, lead: Nanoseconds, delay: Nanoseconds) {
    let timeline = StreamTimeline(restoring: runs)
    let soonest = FastStart.firstAudible(at: now, lead: lead, delay: delay)
    guard let run = timeline.run(at: soonest) else { return nil }
    firstAudible = max(soonest, run.firstFrame)
    itemID = run.itemID
    sourceFrame = run.sourceFrame(at: firstAudible)
  }
}
