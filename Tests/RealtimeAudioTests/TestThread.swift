// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import Glibc

/// A thread of its own, not one of the few that tasks share: two that wait for each other need two.
final class TestThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private var thread = pthread_t()

  /// Starts `body` at once.
  init(_ body: @escaping @Sendable () -> Void) {
    let retained = Unmanaged.passRetained(Body(body)).toOpaque()
    let result = pthread_create(&thread, nil, runBody, retained)
    precondition(result == 0, "no thread for the test")
  }

  private let runBody: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = {
    if let context = $0 { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }

  /// Waits until the body has returned.
  func join() { pthread_join(thread, nil) }
}
