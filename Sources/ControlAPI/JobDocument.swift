// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// How far a job is.
public enum JobState: String, Codable, Sendable, Hashable, CaseIterable {
  /// Another job is done first.
  case waiting
  /// It is being done.
  case running
  /// It was done to its end; single files may have failed.
  case finished
  /// It was broken off by trouble that `detail` names.
  case failed
  /// The coordinator stopped meanwhile.
  case cancelled

  /// Whether nothing will happen any more.
  public var isOver: Bool { self != .waiting && self != .running }
}

/// Why a scan began.
public enum ScanCause: String, Codable, Sendable, Hashable, CaseIterable {
  /// The coordinator was started.
  case start
  /// Somebody asked for it.
  case request
  /// Something has changed in the folders.
  case change
  /// A folder that cannot be watched is looked at from time to time.
  case interval
}

/// A file or folder that a scan could not use.
public struct ScanFailureDocument: Codable, Sendable, Hashable {
  /// Where it is.
  public var path: String
  /// Why not, in words.
  public var reason: String

  /// A failure.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - reason: Why not, in words.
  public init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// What a scan has counted: the files of the library's folders, and what became of them.
public struct ScanCountsDocument: Codable, Sendable, Hashable {
  /// Music files met so far.
  public var found: Int = 0
  /// Of these, the ones that are dealt with.
  public var done: Int = 0
  /// New or changed ones that were read.
  public var read: Int = 0
  /// As they were.
  public var unchanged: Int = 0
  /// Known ones at another place; they keep rating and position.
  public var moved: Int = 0
  /// Known ones whose disk or folder is away; they are kept.
  public var missing: Int = 0
  /// Known ones that were deleted.
  public var gone: Int = 0
  /// Files and folders that cannot be used.
  public var failed: Int = 0
  /// Playlists and station files that were read.
  public var playlists: Int = 0

  /// Nothing yet.
  public init() {}
}

/// Something that takes its time: a scan of the library.
public struct JobDocument: Codable, Sendable, Hashable, Identifiable {
  /// The most failures that a job names; `counts.failed` counts them all.
  public static let failureLimit = 100

  /// Names the job as long as this coordinator runs.
  public var id: String
  /// What is done: `libraryScan`.
  public var kind = "libraryScan"
  /// How far it is.
  public var state: JobState
  /// Why it began.
  public var cause: ScanCause
  /// Whether unchanged files are read too.
  public var isFull: Bool
  /// When it began: seconds since 1970; absent while it waits.
  public var startedUnixSeconds: Double?
  /// How long it has taken so far.
  public var elapsedSeconds: Double = 0
  /// Whether all folders have been seen, so that `counts.found` grows no more.
  public var isCounted = false
  /// What was counted.
  public var counts = ScanCountsDocument()
  /// Files dealt with per second, on average.
  public var filesPerSecond: Double = 0
  /// The folder that it is at.
  public var currentFolder: String?
  /// Why it failed, in words.
  public var detail: String?
  /// The first files and folders that cannot be used.
  public var failures: [ScanFailureDocument] = []

  /// A job that has not begun.
  ///
  /// - Parameters:
  ///   - id: Names it.
  ///   - cause: Why it began.
  ///   - isFull: Whether unchanged files are read too.
  public init(id: String, cause: ScanCause, isFull: Bool) {
    self.id = id
    state = .waiting
    self.cause = cause
    self.isFull = isFull
  }
}

/// The answer to `GET /api/v1/jobs`: newest first.
public struct JobListDocument: Codable, Sendable, Hashable {
  /// The jobs of this run of the coordinator; old ones are forgotten.
  public var jobs: [JobDocument]

  /// A list.
  ///
  /// - Parameter jobs: Newest first.
  public init(jobs: [JobDocument]) { self.jobs = jobs }
}

/// The answer to `GET /api/v1/library/failures`: files that the library knows and cannot use, by path.
public struct ScanFailuresDocument: Codable, Sendable, Hashable {
  /// Files with their reasons.
  public var failures: [ScanFailureDocument]
  /// Asks for what comes after them; absent at the end.
  public var nextCursor: String?
  /// How many there are in all.
  public var total: Int

  /// A part of the list.
  ///
  /// - Parameters:
  ///   - failures: Files with their reasons.
  ///   - nextCursor: Asks for what comes after them.
  ///   - total: How many there are in all.
  public init(failures: [ScanFailureDocument], nextCursor: String? = nil, total: Int) {
    self.failures = failures
    self.nextCursor = nextCursor
    self.total = total
  }
}

/// What a scan shall do: the body of `POST /api/v1/library/scan`, which may be left out.
public struct ScanRequestDocument: Codable, Sendable, Hashable {
  /// Whether unchanged files are read too; absent: no.
  public var full: Bool?

  /// A request.
  ///
  /// - Parameter full: Whether unchanged files are read too.
  public init(full: Bool? = nil) { self.full = full }
}
