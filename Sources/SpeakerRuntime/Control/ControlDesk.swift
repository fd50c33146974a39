// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import LinuxNetworking
internal import Synchronization

/// How the other threads reach the control thread.
final class ControlDesk: Sendable {
  let poller: Poller
  private let quitting = Atomic(false)

  init() throws(NetworkError) { poller = try Poller() }

  /// Something changed that a report may tell.
  func wake() { poller.wake() }

  /// Ends the control thread.
  func quit() {
    quitting.store(true, ordering: .releasing)
    poller.wake()
  }

  /// Whether the thread is to go on.
  var goesOn: Bool { !quitting.load(ordering: .acquiring) }
}
