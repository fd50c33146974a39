// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// Heard less due, over a window of time. Sizes are within 8 ns or 0.8 % (`ErrorScale`).
public struct SyncErrorSummary: Sendable, Hashable, BitwiseCopyable {
  /// Half of the blocks were closer than this.
  public var p50: Nanoseconds
  /// All but one in a hundred were closer than this.
  public var p99: Nanoseconds
  /// The furthest.
  public var max: Nanoseconds
  /// The mean with its sign, positive: late. What a listener hears as one room behind another.
  public var mean: Nanoseconds
  /// How much of the window was spent sounding, in tenths of a second.
  public var sounding: Nanoseconds
  /// How many blocks that is; zero: nothing sounded, and the rest means nothing.
  public var blocks: Int

  /// Nothing sounded.
  public static let nothing = SyncErrorSummary(
    p50: .zero, p99: .zero, max: .zero, mean: .zero, sounding: .zero, blocks: 0)
}

/// Heard less due over three windows that end now.
public struct SyncErrorReport: Sendable, Hashable, BitwiseCopyable {
  /// What is heard now.
  public var lastSecond: SyncErrorSummary
  /// The figure to show.
  public var tenSeconds: SyncErrorSummary
  /// What can be relied on.
  public var fiveMinutes: SyncErrorSummary

  /// Nothing sounded.
  public static let nothing = SyncErrorReport(
    lastSecond: .nothing, tenSeconds: .nothing, fiveMinutes: .nothing)
}
