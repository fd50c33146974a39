// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CLinux
internal import Synchronization

/// How urgently the kernel runs a thread.
public enum ThreadUrgency: Sendable, Hashable {
  /// As any other.
  case normal
  /// SCHED_FIFO at this priority (1-99), where the host allows it; timers without slack.
  case realTime(priority: Int32)
}

/// A named thread. It goes on when this object is dropped; its memory then goes with its end.
public final class NamedThread: Sendable {
  private let handle: UInt64
  private let isJoined = Atomic(false)

  /// Starts a thread with all signals blocked.
  ///
  /// - Parameters:
  ///   - name: At most 15 octets are kept.
  ///   - urgency: A host that forbids real time costs one warning, no more.
  ///   - log: Where the warning goes.
  ///   - body: Runs on the thread; the thread ends with it.
  /// - Throws: `ProcessError` when the host is out of threads.
  public init(
    _ name: String, urgency: ThreadUrgency = .normal, log: Log,
    _ body: @escaping @Sendable () -> Void
  ) throws(ProcessError) {
    let work = ThreadWork(name: name, urgency: urgency, log: log, body: body)
    let context = Unmanaged.passRetained(work)
    var handle: UInt64 = 0
    let result = tutti_thread_start(runThread, context.toOpaque(), &handle)
    guard result == 0 else {
      context.release()
      throw ProcessError("cannot start the thread \(name)", code: -result)
    }
    self.handle = handle
  }

  /// Waits until the thread has ended. Only the first call does.
  public func join() {
    guard !isJoined.exchange(true, ordering: .relaxed) else { return }
    tutti_thread_join(handle)
  }

  deinit {
    // A thread that is neither joined nor detached keeps its stack, 8 MiB of address space, for ever.
    if !isJoined.load(ordering: .relaxed) { tutti_thread_detach(handle) }
  }
}

/// What a new thread is handed through C.
private final class ThreadWork: Sendable {
  let name: String
  let urgency: ThreadUrgency
  let log: Log
  let body: @Sendable () -> Void

  init(name: String, urgency: ThreadUrgency, log: Log, body: @escaping @Sendable () -> Void) {
    (self.name, self.urgency, self.log, self.body) = (name, urgency, log, body)
  }

  func run() {
    tutti_thread_set_name(name)
    if case .realTime(let priority) = urgency {
      tutti_thread_set_timer_slack(1)
      let result = tutti_thread_set_fifo(priority)
      if result != 0 {
        log.warning(
          "no real-time priority for the \(name) thread (\(systemErrorText(-result))): under load "
            + "the sound may stutter; set LimitRTPRIO= in the unit or an rtprio limit")
      }
    }
    body()
  }
}

/// The thread's body, for C: takes over the reference that `init` retained.
private func runThread(_ context: UnsafeMutableRawPointer?) {
  guard let context else { return }
  Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
}

/// Keeps the process's pages in memory as they are touched.
///
/// - Parameter log: A refusal costs one line, no more.
public func lockMemory(log: Log) {
  let result = tutti_lock_memory()
  guard result != 0 else { return }
  log.info(
    "memory is not locked (\(systemErrorText(-result))): set LimitMEMLOCK=infinity in the unit")
}
