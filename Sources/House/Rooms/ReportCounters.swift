// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import WireProtocol

/// What a room has counted that a listener might have heard: since its program began, or between
/// two reports.
public struct ReportCounters: Sendable, Hashable, BitwiseCopyable {
  /// Packets that never came in time.
  public var lost: UInt32 = 0
  /// Packets that came too late to be played.
  public var late: UInt32 = 0
  /// Packets that came because they were asked for again.
  public var repaired: UInt32 = 0
  /// Packets replaced by concealment.
  public var concealed: UInt32 = 0
  /// Times the device ran dry.
  public var underruns: UInt32 = 0
  /// Cross-faded jumps.
  public var resyncs: UInt32 = 0

  /// Nothing counted.
  public init() {}

  /// What a report says.
  public init(_ report: StateReport) {
    lost = UInt32(truncatingIfNeeded: report.lost)
    late = UInt32(truncatingIfNeeded: report.late)
    repaired = UInt32(truncatingIfNeeded: report.repaired)
    concealed = UInt32(truncatingIfNeeded: report.concealed)
    underruns = UInt32(truncatingIfNeeded: report.underruns)
    resyncs = UInt32(truncatingIfNeeded: report.resyncs)
  }

  /// Whether nothing was counted.
  public var isZero: Bool { self == Self() }

  /// What came since an earlier reading; a counter that went back began anew.
  public func since(_ earlier: Self) -> Self {
    func step(_ now: UInt32, _ before: UInt32) -> UInt32 { now >= before ? now - before : now }
    var difference = Self()
    difference.lost = step(lost, earlier.lost)
    difference.late = step(late, earlier.late)
    difference.repaired = step(repaired, earlier.repaired)
    difference.concealed = step(concealed, earlier.concealed)
    difference.underruns = step(underruns, earlier.underruns)
    difference.resyncs = step(resyncs, earlier.resyncs)
    return difference
  }

  /// Both together.
  public static func + (a: Self, b: Self) -> Self {
    var sum = Self()
    sum.lost = a.lost &+ b.lost
    sum.late = a.late &+ b.late
    sum.repaired = a.repaired &+ b.repaired
    sum.concealed = a.concealed &+ b.concealed
    sum.underruns = a.underruns &+ b.underruns
    sum.resyncs = a.resyncs &+ b.resyncs
    return sum
  }
}
