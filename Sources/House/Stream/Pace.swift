// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

public import AudioTime

// A virtual queue: every datagram moves the moment at which the line would be free again. Sending may
// run ahead of the line by `allowance`, then waits until half of that has drained, so that a burst is
// a few datagrams each 2 ms and not one each 0.2 ms.

/// Limits how fast datagrams leave.
public struct Pace: Sendable {
  /// 20 Mb/s: fills a room with 6 s of Opus in 60 ms, and leaves room on any Wi-Fi of this century.
  public static let defaultBitsPerSecond: Int64 = 20_000_000
  /// 10 kB at the default rate: less than the smallest queues of access points.
  static let allowance = Nanoseconds.milliseconds(4)
  /// IPv6 and UDP headers.
  static let headerBytes = 48

  private let bitsPerSecond: Int64
  private var free = MediaInstant(nanosecondsSince1900: 0)

  /// A line of this rate.
  public init(bitsPerSecond: Int64) {
    precondition(bitsPerSecond > 0, "a line carries something")
    self.bitsPerSecond = bitsPerSecond
  }

  /// When to go on, if nothing may leave at `now`.
  public func holdsUntil(at now: MediaInstant) -> MediaInstant? {
    guard free - now > Self.allowance else { return nil }
    return free - Self.allowance / 2
  }

  /// Accounts for a datagram.
  public mutating func spend(_ bytes: Int, at now: MediaInstant) {
    let bits = Int64(bytes + Self.headerBytes) * 8
    free = max(free, now) + Nanoseconds(bits * 1_000_000_000 / bitsPerSecond)
  }
}
