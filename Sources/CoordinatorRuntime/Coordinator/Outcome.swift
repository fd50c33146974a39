// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc
internal import LinuxNetworking
internal import Synchronization

/// What an asynchronous job came to, for a thread that waits for it.
final class Outcome<Value: Sendable>: Sendable {
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let poller: Poller

  /// An outcome that is not there yet; `poller` is for this alone.
  init(waiting poller: Poller) { self.poller = poller }

  /// The job is done.
  func take(_ result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    poller.wake()
  }

  /// Blocks the calling thread until the job is done.
  func wait() throws -> Value {
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      poller.wait(until: nil) { _ in }
    }
  }
}

/// A line for the person who started the program, before there is a log.
func reportToStandardError(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
