// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime
public import WireProtocol

/// How well a room did in ten seconds, and what was counted in them.
public struct SyncSample: Sendable, Hashable {
  /// When the ten seconds ended.
  public var ended: WallTime
  /// Heard minus due; nil when nothing sounded.
  public var error: SyncErrorWindow?
  /// The clock's standard deviation at the end; nil without a clock.
  public var clockSigma: Nanoseconds?
  /// The clock's bound at the end; nil without a clock.
  public var clockBound: Nanoseconds?
  /// What was counted since the sample before.
  public var counted: ReportCounters
}

/// The last hour in one line.
public struct SyncSummary: Sendable, Hashable {
  /// Time that sounded.
  public var sounding = Nanoseconds.zero
  /// The median of the samples' medians: an ordinary moment.
  public var typical = Nanoseconds.zero
  /// The largest 99th percentile of all samples: the worst ten seconds.
  public var worstP99 = Nanoseconds.zero
  /// The largest error of all.
  public var max = Nanoseconds.zero
  /// The mean with its sign, by time that sounded.
  public var mean = Nanoseconds.zero
}

/// A room's last hour: a sample each ten seconds while it is connected. At most 46 kB.
public struct SyncHistory: Sendable, Equatable {
  /// From one sample to the next.
  public static let interval = Nanoseconds.seconds(10)
  /// Samples that are kept: an hour.
  public static let capacity = 360

  /// A ring; the oldest is at `start`.
  private var ring: [SyncSample] = []
  private var start = 0
  private var due: LocalInstant?
  private var counted = ReportCounters()

  /// A room of which nothing is known.
  public init() {}

  /// The samples, oldest first.
  public var samples: [SyncSample] { Array(ring[start...] + ring[..<start]) }

  /// Takes in a report, and samples it when ten seconds have passed.
  ///
  /// - Parameters:
  ///   - report: What the room says.
  ///   - now: This host's clock.
  ///   - wall: The time of day.
  public mutating func take(_ report: StateReport, at now: LocalInstant, wall: WallTime) {
    let counters = ReportCounters(report)
    guard let due else {
      counted = counters
      due = now + Self.interval
      return
    }
    // A report a second, give or take: half a second early is the nearest one.
    guard now + .milliseconds(500) >= due else { return }
    append(
      SyncSample(
        ended: wall, error: Self.tenSeconds(of: report), clockSigma: report.clockSigma,
        clockBound: report.clockBound, counted: counters.since(counted)))
    counted = counters
    // After a gap the next ten seconds begin now.
    self.due = (now - due > Self.interval / 2 ? now : due) + Self.interval
  }

  /// The samples in one line; nil when nothing sounded in the hour.
  public var summary: SyncSummary? {
    let windows = ring.compactMap(\.error)
    guard !windows.isEmpty else { return nil }
    var summary = SyncSummary()
    let medians = windows.map(\.p50).sorted()
    summary.typical = medians[medians.count / 2]
    var weighted = 0.0
    for window in windows {
      summary.worstP99 = max(summary.worstP99, window.p99)
      summary.max = max(summary.max, window.max)
      summary.sounding += window.sounding
      weighted += window.mean.inSeconds * window.sounding.inSeconds
    }
    if summary.sounding > .zero {
      summary.mean = Nanoseconds(seconds: weighted / summary.sounding.inSeconds)
    }
    return summary
  }

  private mutating func append(_ sample: SyncSample) {
    guard ring.count >= Self.capacity else { return ring.append(sample) }
    ring[start] = sample
    start = (start + 1) % Self.capacity
  }

  /// What an older speaker calls its last second are its last ten; when it sounded is not told.
  private static func tenSeconds(of report: StateReport) -> SyncErrorWindow? {
    if let window = report.syncErrorTenSeconds { return window }
    guard report.syncErrorFiveMinutes == nil, let p50 = report.syncErrorP50,
      let p99 = report.syncErrorP99, let max = report.syncErrorMax
    else { return nil }
    var window = SyncErrorWindow()
    (window.p50, window.p99, window.max) = (p50, p99, max)
    return window
  }
}
