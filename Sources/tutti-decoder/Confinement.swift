// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc

// What this process gives up before it reads the first byte of a stranger's file.

enum Confinement {
  /// Bytes of address space. Debian's FFmpeg maps about 300 MB with all its libraries; decoding
  /// takes some 20 MB more, large cover pictures included.
  private static let addressSpace: rlim_t = 1 << 30

  /// Standard streams, a file or two connections, and what the resolver opens meanwhile.
  private static let openFiles: rlim_t = 32

  /// Seconds of processor time between two signs of progress.
  private static let secondsWithoutProgress: rlim_t = 60

  /// Gives up inherited descriptors, writing files, starting processes, and memory without end.
  static func enter() {
    closefrom(3)
    limit(RLIMIT_AS, addressSpace)
    limit(RLIMIT_NOFILE, openFiles)
    limit(RLIMIT_FSIZE, 0)
    limit(RLIMIT_CORE, 0)
    limit(__RLIMIT_NPROC, 0)
    noteProgress()
  }

  /// Moves the limit of processor time ahead: only an endless loop reaches it, not a long concert.
  static func noteProgress() {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return }
    let used = rlim_t(max(0, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec))
    var current = rlimit(rlim_cur: used + secondsWithoutProgress, rlim_max: rlim_t.max)
    setrlimit(RLIMIT_CPU.code, &current)
  }

  private static func limit(_ resource: __rlimit_resource, _ value: rlim_t) {
    var current = rlimit()
    guard getrlimit(resource.code, &current) == 0 else { return }
    current.rlim_cur = min(value, current.rlim_max)
    current.rlim_max = current.rlim_cur
    setrlimit(resource.code, &current)
  }
}

extension __rlimit_resource {
  /// As the calls take it: glibc declares them with an enum for C++ and an integer for C.
  fileprivate var code: __rlimit_resource_t { __rlimit_resource_t(bitPattern: rawValue) }
}
