// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

/// Heard minus due over a window of time in which something sounded.
public struct SyncErrorWindow: Sendable, Hashable, BitwiseCopyable {
  /// Magnitude, median.
  public var p50 = Nanoseconds.zero
  /// Magnitude, 99th percentile.
  public var p99 = Nanoseconds.zero
  /// Magnitude, largest.
  public var max = Nanoseconds.zero
  /// Mean with its sign; positive: late.
  public var mean = Nanoseconds.zero
  /// How much of the window was spent sounding.
  public var sounding = Nanoseconds.zero

  /// A window in which all was exact.
  public init() {}
}

extension SyncErrorWindow: ControlPayload {
  static var blank: SyncErrorWindow { SyncErrorWindow() }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: p50 = try field.duration()
    case 2: p99 = try field.duration()
    case 3: max = try field.duration()
    case 4: mean = try field.duration()
    case 5: sounding = try field.duration()
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    for (number, value) in zip(1..., [p50, p99, max, mean, sounding]) {
      writer.duration(UInt32(number), value)
    }
  }
}
