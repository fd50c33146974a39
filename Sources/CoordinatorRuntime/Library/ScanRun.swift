// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import Catalogue
internal import ControlAPI
internal import DecoderProtocol
internal import LinuxNetworking
internal import MusicLibrary

// Walking, reading and writing overlap: while decoders read and the writer writes, the walk goes on, but
// no further than some thousand files ahead. Whatever happens, the library holds whole batches: a scan
// that was killed is continued by the next one, which finds what was written unchanged. What was deleted
// is decided only when the walk has come to its end.

/// One scan, from its beginning to its end. Belongs to the scanner's thread.
struct ScanRun: ~Copyable {
  /// Why a scan was broken off.
  enum Trouble: Error {
    case cancelled
    case failed(String)
  }

  /// What a scan works with.
  struct Parts {
    var library: MusicLibrary
    var roots: [String]
    var readers: TagReaders
    var writer: BatchWriter
    var isCancelled: () -> Bool
    /// Told how far the scan is, from time to time.
    var tell: (JobDocument) -> Void
  }

  /// Files in one transaction, and how long they wait for it at most.
  static let batchSize = 500
  static let batchTime = Nanoseconds.milliseconds(250)
  /// Files that the walk is ahead of the reading.
  static let runAhead = 8_192
  /// How often progress is told.
  static let tellTime = Nanoseconds.milliseconds(250)
  /// Hangs in a row after which a disk is given up.
  static let hangLimit = 3

  let parts: Parts
  let scope: ScanScope
  var job: JobDocument
  var plan: ScanPlan
  var playlists: PlaylistComparison
  var batch = ScanBatch()
  private(set) var walk: FolderWalk
  /// Which folder a file's picture and lyrics lie in, for files that wait for the end of the walk.
  private var waiting: [String: TagReaders.Work] = [:]
  private var isWalked = false
  private var hangs = 0
  private let started = LocalClock.now()
  private var lastWrite = LocalClock.now()
  private var lastTold = LocalClock.now()
  private var toldProblems = 0

  /// A scan that has not begun.
  init(_ order: ScanJobs.Order, _ parts: Parts) {
    self.parts = parts
    scope = order.scope
    job = order.job
    plan = ScanPlan(rereadsAll: order.job.isFull)
    playlists = PlaylistComparison(rereadsAll: order.job.isFull)
    walk = FolderWalk(roots: parts.roots, scope: order.scope)
  }

  /// Scans. Blocks until it is done.
  ///
  /// - Parameter watcher: Watches the folders from now on.
  /// - Throws: `Trouble`, or why the library cannot be read or written.
  mutating func run(_ watcher: inout FolderWatcher) throws {
    try learn()
    repeat {
      if parts.isCancelled() { throw Trouble.cancelled }
      if !isWalked, parts.readers.queued < Self.runAhead { try step(&watcher) }
      let timeout: Nanoseconds =
        isWalked || parts.readers.queued >= Self.runAhead ? .milliseconds(50) : .zero
      if !parts.readers.isIdle { try take(parts.readers.work(timeout: timeout)) }
      if let trouble = parts.readers.trouble { throw Trouble.failed(trouble.text) }
      try writeIfDue()
      tellIfDue()
    } while !isWalked || !parts.readers.isIdle
    try write()
    try parts.writer.finish()
  }

  /// The job as it is now.
  mutating func progress() -> JobDocument {
    for problem in walk.problems[toldProblems...] {
      fail(PathText.display(problem.path), problem.reason)
    }
    toldProblems = walk.problems.count
    job.elapsedSeconds = (LocalClock.now() - started).inSeconds
    job.filesPerSecond = Double(job.counts.done) / max(job.elapsedSeconds, 0.001)
    return job
  }

  // MARK: - Comparing

  private mutating func learn() throws {
    let roots = Set(try parts.library.knownRoots()).union(parts.roots).sorted()
    var plan = plan
    for root in roots {
      try parts.library.knownFiles(root: root) { file in
        guard scope.contains(file.path) else { return }
        plan.know(
          id: file.id, path: file.path, stamp: file.stamp, isMissing: !file.isAvailable)
      }
      for list in try parts.library.knownPlaylists(root: root) where scope.contains(list.path) {
        playlists.know(list)
      }
    }
    self.plan = plan
  }

  /// Reads one folder, or concludes when there is none left.
  private mutating func step(_ watcher: inout FolderWatcher) throws {
    let next = walk.next { watcher.watch($0) }
    switch next {
    case .folder(let listing, let root)?:
      watcher.met(listing.device, at: listing.path)
      job.currentFolder = PathText.display(listing.path)
      plan.enter(
        listing.path, device: listing.device, isEmpty: listing.isEmpty,
        isRoot: listing.path == root)
      if !listing.isMarkedEmpty { compare(listing, root: root) }
    case .absentRoot?: break
    case nil:
      isWalked = true
      job.isCounted = true
      job.currentFolder = nil
      try conclude()
    }
  }

  private mutating func compare(_ listing: FolderListing, root: String) {
    for file in listing.music {
      let stem = String(FileRole.stem(file.name))
      let work = TagReaders.Work(
        path: listing.path(of: file.name), root: root, stamp: listing.stamp(of: file),
        picture: listing.picture.map { listing.path(of: $0.name) },
        lyrics: listing.lyrics[stem].map { listing.path(of: $0.name) })
      job.counts.found += 1
      switch plan.meet(work.path, stamp: work.stamp) {
      case .unchanged:
        job.counts.unchanged += 1
        job.counts.done += 1
      case .read: parts.readers.read(work)
      case .wait: waiting[work.path] = work
      }
    }
    for file in listing.playlists {
      let path = listing.path(of: file.name)
      guard playlists.meet(path, modified: file.stamp.modified) else { continue }
      take(playlist: path, root: root, modified: file.stamp.modified)
    }
  }

  private mutating func take(playlist path: String, root: String, modified: Int64) {
    guard let bytes = SmallFile.read(path, limit: SmallFile.longestPlaylist) else {
      fail(PathText.display(path), "the playlist cannot be read")
      return
    }
    job.counts.playlists += 1
    batch.playlists.append(
      PlaylistFile(path: path, root: root, modified: modified, bytes: bytes))
  }

  private mutating func conclude() throws {
    for folder in walk.unseen { plan.fail(folder) }
    batch.gonePlaylists = playlists.gone(plan)
    let conclusion = plan.conclude()
    plan = ScanPlan()
    for move in conclusion.moved {
      let root = waiting[move.path]?.root ?? root(of: move.path)
      batch.moved.append(
        MovedFile(id: move.id, path: move.path, root: root, stamp: move.stamp))
    }
    job.counts.moved = conclusion.moved.count { waiting[$0.path] != nil }
    (batch.missing, batch.gone) = (conclusion.missing, conclusion.gone)
    (job.counts.missing, job.counts.gone) = (conclusion.missing.count, conclusion.gone.count)
    // Rows move before what is read at their new places is written.
    try write()
    for reading in conclusion.read {
      if let work = waiting[reading.path] { parts.readers.read(work) }
    }
    waiting = [:]
  }

  private func root(of path: String) -> String {
    parts.roots.first { FolderWalk.lies(path, in: $0) } ?? parts.roots.first ?? "/"
  }

  // MARK: - Reading

  private mutating func take(_ answers: [TagReaders.Answer]) throws {
    for answer in answers {
      job.counts.done += 1
      let work = answer.work
      switch answer.result {
      case .success(let tags):
        hangs = 0
        job.counts.read += 1
        batch.read.append(
          ReadFile(
            path: work.path, root: work.root, stamp: work.stamp, tags: tags,
            folderArtwork: work.picture, lyricsFile: work.lyrics.flatMap(SmallFile.lyrics)))
      case .failure(let failure): try take(failure, work)
      }
    }
  }

  private mutating func take(_ failure: DecoderFailure, _ work: TagReaders.Work) throws {
    hangs = failure.reason == .decoderHung ? hangs + 1 : 0
    switch failure.reason {
    // Deleted since it was met.
    case .missing: job.counts.found -= 1
    // May be over at the next scan.
    case .decoderHung, .readError, .notPermitted, .decoderUnavailable: break
    default:
      batch.failed.append(
        FailedFile(path: work.path, root: work.root, stamp: work.stamp, reason: failure.text))
    }
    if failure.reason != .missing { fail(PathText.display(work.path), failure.text) }
    guard hangs < Self.hangLimit else {
      throw Trouble.failed("\(PathText.display(work.root)): the disk does not answer")
    }
  }

  private mutating func fail(_ path: String, _ reason: String) {
    job.counts.failed += 1
    guard job.failures.count < JobDocument.failureLimit else { return }
    job.failures.append(ScanFailureDocument(path: path, reason: reason))
  }

  // MARK: - Writing

  private mutating func writeIfDue() throws {
    let isFull = batch.read.count + batch.failed.count >= Self.batchSize
    let now = LocalClock.now()
    guard isFull || (now - lastWrite > Self.batchTime && !batch.isEmpty) else { return }
    try write()
  }

  private mutating func write() throws {
    lastWrite = LocalClock.now()
    guard !batch.isEmpty else { return }
    try parts.writer.write(batch)
    batch = ScanBatch()
  }

  private mutating func tellIfDue() {
    let now = LocalClock.now()
    guard now - lastTold > Self.tellTime else { return }
    lastTold = now
    parts.tell(progress())
  }
}
