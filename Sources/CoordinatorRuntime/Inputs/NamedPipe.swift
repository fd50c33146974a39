// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
import Glibc

/// The reading end of a named pipe. Owned by one thread.
struct NamedPipe: ~Copyable {
  /// What reading brought.
  enum Outcome {
    case bytes(Int)
    /// Nothing is there now.
    case empty
    /// There is no writer, or not any more: the next one begins with a whole frame.
    case noWriter
    case failed(Int32)
  }

  let path: String
  private(set) var descriptor: Int32

  /// Opens a pipe; makes it, for the owner and the group, when nothing is there.
  ///
  /// - Throws: `ProcessError` when it cannot be made or read, or is something else.
  init(path: String) throws(ProcessError) {
    self.path = path
    if mkfifo(path, 0o660) == 0 {
      // The mask of the process would take the group's right to write.
      _ = chmod(path, 0o660)
    } else if errno != EEXIST {
      throw ProcessError(
        "the pipe \(path) cannot be made", code: errno,
        advice: "make its folder, or make it yourself with mkfifo")
    }
    descriptor = try Self.open(path)
  }

  deinit { close(descriptor) }

  private static func open(_ path: String) throws(ProcessError) -> Int32 {
    let opened = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { throw ProcessError("the pipe \(path) cannot be read", code: errno) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      close(opened)
      throw ProcessError("\(path) is no named pipe", advice: "remove it, or name another path")
    }
    return opened
  }

  /// Opens it anew, in whatever has taken its place: an end whose writer has gone says so for ever, and
  /// could not be waited for.
  ///
  /// - Returns: The descriptor that is not to be used any more, for the caller to close.
  mutating func reopen() throws(ProcessError) -> Int32 {
    // First the new, then the old: a writer that opens meanwhile finds a reader.
    let old = descriptor
    descriptor = try Self.open(path)
    return old
  }

  /// Reads what is there, at most what `buffer` takes.
  func read(into buffer: inout [UInt8], limit: Int) -> Outcome {
    let wanted = min(limit, buffer.count)
    let result = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, wanted) }
    if result > 0 { return .bytes(result) }
    if result == 0 { return .noWriter }
    return errno == EAGAIN || errno == EINTR ? .empty : .failed(errno)
  }
}
