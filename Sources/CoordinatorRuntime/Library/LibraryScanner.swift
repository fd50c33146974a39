// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import CLinux
internal import Catalogue
internal import ControlAPI
internal import DaemonProcess
internal import DecoderProtocol
internal import HTTPService
internal import House
internal import LinuxNetworking
internal import MusicLibrary
internal import Synchronization

/// Keeps the library like the folders: at the start, when something changes, and when asked.
///
/// One thread, which may wait for a disk as long as it likes: nobody waits for the thread.
final class LibraryScanner: Sendable {
  /// What a scanner works with.
  struct Parts: Sendable {
    var library: MusicLibrary
    /// The music folders.
    var roots: [String]
    var program: DecoderProgram
    var events: EventHub
    var log: Log
    /// How often folders that cannot be watched are scanned; nil: never.
    var rescanInterval: Nanoseconds?
    /// Decoder processes.
    var readerCount = TagReaders.defaultCount
    /// How long one file may take.
    var patience = TagReaders.patience
  }

  /// Changes are gathered until nothing has changed for so long, but no longer than the second.
  static let quietTime = Nanoseconds.seconds(1)
  static let longestGathering = Nanoseconds.seconds(10)
  /// How often it is looked whether a disk was mounted or unmounted, which no watch tells.
  static let mountTime = Nanoseconds.seconds(20)
  /// How long the end of the program waits for the thread, which may hang at a dead disk.
  static let farewellTime = Nanoseconds.seconds(2)

  let jobs: ScanJobs
  /// The music folders, none within another.
  var roots: [String] { parts.roots }
  private let parts: Parts
  private let poller: Poller
  private let ended: Poller
  private let isStopping = Atomic(false)
  private let hasEnded = Atomic(false)

  /// A scanner; `start` brings it to life.
  ///
  /// - Throws: `NetworkError` when the host is out of descriptors.
  init(_ parts: Parts) throws(NetworkError) {
    var parts = parts
    let all = parts.roots
    parts.roots = all.filter { root in !all.contains { FolderWalk.lies(root, in: $0) } }
    self.parts = parts
    jobs = ScanJobs(events: parts.events, log: parts.log)
    poller = try Poller()
    ended = try Poller()
  }

  /// Starts the thread, and with it the first scan.
  ///
  /// - Throws: `ProcessError` when the host is out of threads.
  func start() throws(ProcessError) {
    if !parts.roots.isEmpty {
      _ = jobs.order(.everything, cause: .start, isFull: false)
    }
    _ = try NamedThread("scan", log: parts.log) { [self] in
      tutti_lower_priority(0)
      serve()
      hasEnded.store(true, ordering: .releasing)
      ended.wake()
    }
  }

  /// Asks for a scan of everything.
  ///
  /// - Parameter isFull: Whether unchanged files are read too.
  /// - Returns: The job.
  func scan(isFull: Bool) -> JobDocument {
    let job = jobs.order(.everything, cause: .request, isFull: isFull)
    poller.wake()
    return job
  }

  /// Breaks a running scan off and waits for the thread, but not for a dead disk.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    poller.wake()
    let deadline = LocalClock.now() + Self.farewellTime
    while !hasEnded.load(ordering: .acquiring), LocalClock.now() < deadline {
      ended.wait(until: deadline) { _ in }
    }
  }

  // MARK: - The thread

  /// What the thread knows.
  private struct Watch: ~Copyable {
    var watcher: FolderWatcher
    var changed = ScanScope()
    var firstChange: LocalInstant?
    var lastChange: LocalInstant?
    var nextScan: LocalInstant?
    var nextMountCheck = LocalClock.now() + LibraryScanner.mountTime
    var mounts: [String: RootFacts] = [:]
  }

  /// What tells a mounted disk from the place where it is mounted.
  private struct RootFacts: Equatable {
    var device: UInt64
    var isThere: Bool
  }

  private func serve() {
    var watch = Watch(watcher: FolderWatcher(roots: parts.roots))
    if let descriptor = watch.watcher.descriptor {
      try? poller.add(descriptor, for: .readable, token: 0)
    }
    watch.mounts = mounts()
    while !isStopping.load(ordering: .acquiring) {
      order(&watch)
      if let order = jobs.take() {
        carryOut(order, &watch)
      } else {
        poller.wait(until: deadline(watch)) { _ in }
        let changes = watch.watcher.takeChanges()
        if !changes.isEmpty { gather(changes, &watch) }
      }
    }
    if let descriptor = watch.watcher.descriptor { poller.remove(descriptor) }
  }

  private func gather(_ changes: ScanScope, _ watch: inout Watch) {
    watch.changed.add(changes)
    let now = LocalClock.now()
    watch.firstChange = watch.firstChange ?? now
    watch.lastChange = now
  }

  private func changeDeadline(_ watch: borrowing Watch) -> LocalInstant? {
    guard let first = watch.firstChange, let last = watch.lastChange else { return nil }
    return min(last + Self.quietTime, first + Self.longestGathering)
  }

  private func deadline(_ watch: borrowing Watch) -> LocalInstant? {
    guard !parts.roots.isEmpty else { return nil }
    let times = [changeDeadline(watch), watch.nextScan, watch.nextMountCheck]
    return times.compactMap(\.self).min()
  }

  /// Orders the scans whose time has come.
  private func order(_ watch: inout Watch) {
    let now = LocalClock.now()
    if let due = changeDeadline(watch), due <= now {
      _ = jobs.order(watch.changed, cause: .change, isFull: false)
      watch.changed = ScanScope()
      (watch.firstChange, watch.lastChange) = (nil, nil)
    }
    if let due = watch.nextScan, due <= now {
      watch.nextScan = nil
      _ = jobs.order(.everything, cause: .interval, isFull: false)
    }
    guard watch.nextMountCheck <= now else { return }
    watch.nextMountCheck = now + Self.mountTime
    let mounts = mounts()
    if mounts != watch.mounts { _ = jobs.order(.everything, cause: .change, isFull: false) }
    watch.mounts = mounts
  }

  private func mounts() -> [String: RootFacts] {
    var mounts: [String: RootFacts] = [:]
    for root in parts.roots {
      var facts = tutti_file_facts()
      let isThere = tutti_path_facts(CPath.of(root), &facts) == 0
      mounts[root] = RootFacts(device: facts.device, isThere: isThere)
    }
    return mounts
  }

  // MARK: - One scan

  private func carryOut(_ order: ScanJobs.Order, _ watch: inout Watch) {
    var order = order
    order.job.state = .running
    order.job.startedUnixSeconds = wallTime().seconds
    jobs.update(order.job)
    let before = parts.library.revision
    var job = scan(order, &watch)
    if job.state == .running { job.state = .finished }
    jobs.update(job)
    if parts.library.revision != before { tellRevision() }
    report(job)
    // What changed while we read was noted by the watches.
    if watch.watcher.isBlind || job.state == .failed, let interval = parts.rescanInterval {
      watch.nextScan = LocalClock.now() + interval
    }
  }

  private func scan(_ order: ScanJobs.Order, _ watch: inout Watch) -> JobDocument {
    var failed = order.job
    failed.state = .failed
    let readers = TagReaders(parts.program, count: parts.readerCount, patience: parts.patience)
    defer { readers.shutDown() }
    let writer: BatchWriter
    do { writer = try BatchWriter(parts.library, log: parts.log) } catch {
      failed.detail = "\(error)"
      return failed
    }
    var lastRevision = parts.library.revision
    var run = ScanRun(
      order,
      ScanRun.Parts(
        library: parts.library, roots: parts.roots, readers: readers, writer: writer,
        isCancelled: { [self] in isStopping.load(ordering: .acquiring) },
        tell: { [self] job in
          jobs.update(job)
          if parts.library.revision != lastRevision { tellRevision() }
          lastRevision = parts.library.revision
        }))
    let isEverything = order.scope.isEverything
    if isEverything { watch.watcher.beginRound() }
    do {
      try run.run(&watch.watcher)
      if isEverything { watch.watcher.endRound() }
      return run.progress()
    } catch ScanRun.Trouble.cancelled {
      failed = run.progress()
      failed.state = .cancelled
    } catch ScanRun.Trouble.failed(let reason) {
      failed = run.progress()
      (failed.state, failed.detail) = (.failed, reason)
    } catch {
      failed = run.progress()
      (failed.state, failed.detail) = (.failed, "\(error)")
    }
    return failed
  }

  private func tellRevision() {
    do throws(DocumentError) {
      let event = EventDocument.library(revision: parts.library.revision)
      parts.events.publish(name: event.name, data: try event.data())
    } catch {
      parts.log.error("a change of the library cannot be told: \(error)", kind: "event")
    }
  }

  private func report(_ job: JobDocument) {
    let counts = job.counts
    let seconds = (job.elapsedSeconds * 100).rounded() / 100
    switch job.state {
    case .failed:
      parts.log.error("the scan of the library failed: \(job.detail ?? "")", kind: "scan-failed")
    case .cancelled: parts.log.info("the scan of the library was broken off")
    default:
      let text =
        "scanned \(counts.found) files in \(seconds) s: \(counts.read) read, \(counts.moved) moved, "
        + "\(counts.gone) gone, \(counts.missing) missing, \(counts.failed) cannot be used"
      if job.cause == .change { parts.log.debug(text) } else { parts.log.info(text) }
    }
  }
}
