// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Catalogue
internal import ControlAPI
internal import DaemonProcess
internal import HTTPService
internal import Synchronization

/// The scans that were asked for, run and done, for those who ask; told to everybody who listens.
///
/// Safe from any thread.
final class ScanJobs: Sendable {
  /// What the scanner shall do next.
  struct Order: Sendable {
    var job: JobDocument
    var scope: ScanScope
  }

  /// Jobs that are kept.
  static let capacity = 20

  fileprivate struct State {
    var jobs: [JobDocument] = []
    var lastNumber = 0
    /// The order that has not been taken yet.
    var waiting: Order?
  }

  private let state = Mutex(State())
  private let events: EventHub
  private let log: Log

  /// No jobs yet.
  init(events: EventHub, log: Log) { (self.events, self.log) = (events, log) }

  /// Asks for a scan; joins one that waits, or one that runs and does the same.
  ///
  /// - Returns: The job.
  func order(_ scope: ScanScope, cause: ScanCause, isFull: Bool) -> JobDocument {
    let job = state.withLock { state in
      if let running = state.jobs.last, running.state == .running, cause == .request, !isFull,
        running.cause != .change, scope.isEverything
      {
        return running
      }
      var order =
        state.waiting
        ?? Order(
          job: JobDocument(id: state.nextID(events.boot), cause: cause, isFull: isFull),
          scope: ScanScope())
      order.scope.add(scope)
      order.job.isFull = order.job.isFull || isFull
      if cause == .request { order.job.cause = .request }
      state.waiting = order
      state.keep(order.job)
      return order.job
    }
    tell(job)
    return job
  }

  /// The order that waits, to be carried out now.
  func take() -> Order? {
    state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
  }

  /// A job has got further.
  func update(_ job: JobDocument) {
    state.withLock { $0.keep(job) }
    tell(job)
  }

  /// A job by its id.
  func job(_ id: String) -> JobDocument? {
    state.withLock { state in state.jobs.first { $0.id == id } }
  }

  /// All jobs, newest first.
  var all: [JobDocument] { state.withLock { $0.jobs.reversed() } }

  private func tell(_ job: JobDocument) {
    do throws(DocumentError) {
      let event = EventDocument.job(job)
      events.publish(name: event.name, data: try event.data())
    } catch {
      log.error("a scan's progress cannot be told: \(error)", kind: "event")
    }
  }
}

extension ScanJobs.State {
  fileprivate mutating func nextID(_ boot: String) -> String {
    lastNumber += 1
    return "scan-\(boot)-\(lastNumber)"
  }

  fileprivate mutating func keep(_ job: JobDocument) {
    if let index = jobs.firstIndex(where: { $0.id == job.id }) {
      jobs[index] = job
    } else {
      jobs.append(job)
      if jobs.count > ScanJobs.capacity { jobs.removeFirst() }
    }
  }
}
