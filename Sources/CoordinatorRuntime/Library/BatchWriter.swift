// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import DaemonProcess
internal import LinuxNetworking
internal import MusicLibrary

/// Writes a scan's batches on a thread of its own, so that reading goes on meanwhile: one is written,
/// one is being filled. Belongs to the scanner's thread.
final class BatchWriter {
  private let library: MusicLibrary
  private let thread: ChoreThread
  private let poller: Poller
  private var pending: Outcome<Void>?

  /// A writer with its thread.
  ///
  /// - Throws: `NetworkError` or `ProcessError` when the host is out of descriptors or threads.
  init(_ library: MusicLibrary, log: Log) throws {
    self.library = library
    thread = try ChoreThread("library", log: log)
    poller = try Poller()
  }

  deinit { thread.stop() }

  /// Writes a batch as soon as the one before is written.
  ///
  /// - Throws: Why the one before could not be written.
  func write(_ batch: ScanBatch) throws {
    try finish()
    let outcome = Outcome<Void>(waiting: poller)
    pending = outcome
    thread.run { [library] in outcome.take(Result { try library.apply(batch) }) }
  }

  /// Waits until everything is written.
  ///
  /// - Throws: Why it could not be.
  func finish() throws {
    guard let outcome = pending else { return }
    pending = nil
    try outcome.wait()
  }
}
