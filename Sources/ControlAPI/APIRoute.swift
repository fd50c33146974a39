// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The addresses of the API, from text and to text.
///
/// One list for both sides: the coordinator matches requests against it, the clients write it.
public enum APIRoute: Sendable, Hashable {
  /// `GET /api/v1/state`: ``StateDocument``.
  case state
  /// `GET /api/v1/rooms`: ``RoomListDocument``.
  case rooms
  /// `GET /api/v1/rooms/{id}`: ``RoomDocument``.
  case room(id: String)
  /// `GET /api/v1/rooms/{id}/sync`: ``RoomSyncDocument``.
  case roomSync(id: String)
  /// `GET /api/v1/rooms/{id}/log`: ``RoomLogDocument``.
  case roomLog(id: String)
  /// `POST /api/v1/rooms/{id}/commands`: ``CommandDocument`` of ``RoomCommand``.
  case roomCommands(id: String)
  /// `GET /api/v1/groups/{id}`: ``GroupDocument``.
  case group(id: String)
  /// `GET /api/v1/groups/{id}/queue?cursor=…&limit=…`: ``QueueDocument``.
  case queue(id: String)
  /// `GET` and `DELETE /api/v1/groups/{id}/queue/items/{itemId}`: ``QueueItemDocument``.
  case queueItem(id: String, item: String)
  /// `GET /api/v1/playlists`: ``PlaylistListDocument``, the queues that were saved.
  case savedQueues
  /// `GET` and `DELETE /api/v1/playlists/{name}`.
  case savedQueue(name: String)
  /// `POST /api/v1/groups/{id}/commands`: ``CommandDocument`` of ``GroupCommand``.
  case groupCommands(id: String)
  /// `POST /api/v1/uploads?name=…`: the file itself; ``UploadDocument``.
  case uploads
  /// `/api/v1/library/…`: what the library holds.
  case library(LibraryRoute)
  /// `POST /api/v1/library/scan`: ``ScanRequestDocument``, or nothing; 202 and a ``JobDocument``.
  case libraryScan
  /// `GET /api/v1/library/failures?cursor=…&limit=…`: ``ScanFailuresDocument``.
  case libraryFailures
  /// `GET /api/v1/jobs`: ``JobListDocument``.
  case jobs
  /// `GET /api/v1/jobs/{id}`: ``JobDocument``.
  case job(id: String)
  /// `GET /api/v1/events`: server-sent ``EventDocument``s.
  case events
  /// `GET /api/v1/diagnosis`: ``DiagnosisDocument``.
  case diagnosis
  /// `GET /healthz`: 200 while the coordinator works.
  case health
  /// `GET /metrics`: figures for Prometheus.
  case metrics

  /// Where version 1 of the API lives.
  public static let prefix = "/api/v1"

  /// The method that the address answers to, or the first of several.
  public var method: String { methods[0] }

  /// The methods that the address answers to.
  public var methods: [String] {
    switch self {
    case .library(let route): route.methods
    case .roomCommands, .groupCommands, .uploads, .libraryScan: ["POST"]
    case .queueItem, .savedQueue: ["GET", "DELETE"]
    case .state, .rooms, .room, .roomSync, .roomLog, .group, .queue, .savedQueues, .events, .health,
      .libraryFailures, .jobs, .job, .metrics, .diagnosis:
      ["GET"]
    }
  }

  /// The address as it is sent.
  public var path: String {
    switch self {
    case .state: Self.prefix + "/state"
    case .rooms: Self.prefix + "/rooms"
    case .room(let id): Self.prefix + "/rooms/" + PercentCoding.encode(id)
    case .roomSync(let id): Self.prefix + "/rooms/" + PercentCoding.encode(id) + "/sync"
    case .roomLog(let id): Self.prefix + "/rooms/" + PercentCoding.encode(id) + "/log"
    case .roomCommands(let id): Self.prefix + "/rooms/" + PercentCoding.encode(id) + "/commands"
    case .group(let id): Self.prefix + "/groups/" + PercentCoding.encode(id)
    case .queue(let id): Self.prefix + "/groups/" + PercentCoding.encode(id) + "/queue"
    case .queueItem(let id, let item):
      Self.prefix + "/groups/" + PercentCoding.encode(id) + "/queue/items/"
        + PercentCoding.encode(item)
    case .savedQueues: Self.prefix + "/playlists"
    case .savedQueue(let name): Self.prefix + "/playlists/" + PercentCoding.encode(name)
    case .groupCommands(let id): Self.prefix + "/groups/" + PercentCoding.encode(id) + "/commands"
    case .uploads: Self.prefix + "/uploads"
    case .library(let route): Self.prefix + "/library" + route.path
    case .libraryScan: Self.prefix + "/library/scan"
    case .libraryFailures: Self.prefix + "/library/failures"
    case .jobs: Self.prefix + "/jobs"
    case .job(let id): Self.prefix + "/jobs/" + PercentCoding.encode(id)
    case .events: Self.prefix + "/events"
    case .diagnosis: Self.prefix + "/diagnosis"
    case .health: "/healthz"
    case .metrics: "/metrics"
    }
  }

  /// Reads an address; nil when there is no such one.
  ///
  /// - Parameter path: The path as it was sent, without the query.
  public init?(path: String) {
    if path == "/healthz" {
      self = .health
      return
    }
    if path == "/metrics" {
      self = .metrics
      return
    }
    guard path.hasPrefix(Self.prefix + "/") else { return nil }
    var parts: [String] = []
    for part in path.dropFirst(Self.prefix.count + 1).split(
      separator: "/", omittingEmptySubsequences: false)
    {
      guard let text = PercentCoding.decode(String(part)), !text.isEmpty else { return nil }
      parts.append(text)
    }
    guard let route = Self.route(parts) else { return nil }
    self = route
  }

  private static func route(_ parts: [String]) -> APIRoute? {
    switch (parts.count, parts[0]) {
    case (1, "state"): .state
    case (1, "rooms"): .rooms
    case (1, "uploads"): .uploads
    case (1, "diagnosis"): .diagnosis
    case (1, "events"): .events
    case (1, "playlists"): .savedQueues
    case (2, "playlists"): .savedQueue(name: parts[1])
    case (1, "jobs"): .jobs
    case (2, "jobs"): .job(id: parts[1])
    case (2, "library") where parts[1] == "scan": .libraryScan
    case (2, "library") where parts[1] == "failures": .libraryFailures
    case (_, "library"): LibraryRoute(parts.dropFirst()).map(APIRoute.library)
    case (2, "rooms"): .room(id: parts[1])
    case (2, "groups"): .group(id: parts[1])
    case (3, "rooms") where parts[2] == "sync": .roomSync(id: parts[1])
    case (3, "rooms") where parts[2] == "log": .roomLog(id: parts[1])
    case (3, "rooms") where parts[2] == "commands": .roomCommands(id: parts[1])
    case (3, "groups") where parts[2] == "commands": .groupCommands(id: parts[1])
    case (3, "groups") where parts[2] == "queue": .queue(id: parts[1])
    case (5, "groups") where parts[2] == "queue" && parts[3] == "items":
      .queueItem(id: parts[1], item: parts[4])
    default: nil
    }
  }
}
