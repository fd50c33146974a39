// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux

/// A request from outside to end or to reload.
public enum ProcessSignal: Sendable, Hashable {
  /// SIGTERM or SIGINT: stop in good order.
  case terminate
  /// SIGHUP: the terminal is gone, or a reload is asked for.
  case hangUp
}

/// Waits for the signals that end a daemon, as plain function calls on the main thread.
///
/// Make it before any thread starts: threads inherit the blocked mask, so only `next` sees them.
public struct SignalWaiter: Sendable {
  /// Blocks the signals for the process and ignores SIGPIPE.
  public init() { tutti_signals_block() }

  /// Waits for a signal.
  ///
  /// - Parameter timeoutNanoseconds: How long; nil waits for ever.
  /// - Returns: The signal, or nil when the time passed.
  public func next(timeoutNanoseconds: Int64? = nil) -> ProcessSignal? {
    while true {
      let number = tutti_signals_wait(timeoutNanoseconds ?? -1)
      if number == 1 { return .hangUp }
      if number > 0 { return .terminate }
      if timeoutNanoseconds != nil { return nil }
    }
  }
}
