// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import LinuxNetworking
internal import Synchronization

/// A thread for what blocks and has no hurry: looking up names, waiting for the disk.
///
/// Chores run one after the other; nothing on the coordinator's loop ever waits for them.
final class ChoreThread: Sendable {
  private struct State {
    var chores: [@Sendable () -> Void] = []
    var isStopping = false
  }

  /// What the thread holds; it outlives this object while a chore is being done.
  private final class Work: Sendable {
    let poller: Poller
    let state = Mutex(State())

    init() throws(NetworkError) { poller = try Poller() }

    func run() {
      while true {
        let (chores, isStopping) = state.withLock { state in
          defer { state.chores = [] }
          return (state.chores, state.isStopping)
        }
        for chore in chores { chore() }
        if isStopping { return }
        if chores.isEmpty { poller.wait(until: nil) { _ in } }
      }
    }
  }

  private let work: Work
  private let thread: NamedThread

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: At most 15 octets.
  ///   - log: For the thread's own trouble.
  /// - Throws: `NetworkError` or `ProcessError` when the host is out of descriptors or threads.
  init(_ name: String, log: Log) throws {
    let work = try Work()
    self.work = work
    thread = try NamedThread(name, log: log) { work.run() }
  }

  /// Does something as soon as what was asked before is done.
  func run(_ chore: @escaping @Sendable () -> Void) {
    work.state.withLock { $0.chores.append(chore) }
    work.poller.wake()
  }

  /// Lets the thread end after what has been asked, without waiting for it.
  func stop() {
    work.state.withLock { $0.isStopping = true }
    work.poller.wake()
  }

  /// Waits until what has been asked is done and the thread has ended. Call at most once.
  func stopAndJoin() {
    stop()
    thread.join()
  }
}
