// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// A pipe by which any thread wakes Avahi's.
final class WakeupPipe: Sendable {
  /// What Avahi's thread watches.
  let readEnd: Int32
  private let writeEnd: Int32

  init() throws(DiscoveryError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw DiscoveryError(description: "cannot open a pipe: \(String(cString: strerror(errno)))")
    }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Wakes the reader; a full pipe has woken it already.
  func signal() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }

  /// Takes back all signals.
  func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(readEnd, &bytes, bytes.count) > 0 {}
  }
}
