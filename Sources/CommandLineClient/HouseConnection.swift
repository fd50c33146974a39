// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import Glibc
internal import HTTPClient

/// Talks to one coordinator in documents instead of bytes.
struct HouseConnection {
  let client: HTTPClient
  /// What `--group` says; the only group when nil.
  let groupName: String?

  /// The whole house.
  func state() throws(ClientFailure) -> StateDocument {
    try document(
      StateDocument.self,
      try answer { () throws(HTTPClientError) in
        try client.get(APIRoute.state.path)
      })
  }

  /// How well a room was in time in the last hour; nil from a coordinator that does not keep it.
  func sync(_ room: RoomDocument) throws(ClientFailure) -> RoomSyncDocument? {
    try optional(RoomSyncDocument.self, at: .roomSync(id: room.id))
  }

  /// What happened to a room in the last hour; nil from a coordinator that does not keep it.
  func log(_ room: RoomDocument) throws(ClientFailure) -> RoomLogDocument? {
    try optional(RoomLogDocument.self, at: .roomLog(id: room.id))
  }

  /// The group that is meant.
  func group(of state: StateDocument) throws(ClientFailure) -> GroupDocument {
    guard let groupName else {
      if let first = state.groups.first { return first }
      throw .failed("the coordinator has no group")
    }
    let match = NameMatch(groupName, among: state.groups, name: \.name, id: \.id)
    return try match.only(kind: "group")
  }

  /// The rooms that are meant: the group's when one is named, else all.
  func rooms(of state: StateDocument) throws(ClientFailure) -> [RoomDocument] {
    guard groupName != nil else { return state.rooms }
    let members = Set(try group(of: state).roomIDs)
    return state.rooms.filter { members.contains($0.id) }
  }

  /// The room that is meant.
  func room(_ name: String, of state: StateDocument) throws(ClientFailure) -> RoomDocument {
    try NameMatch(name, among: try rooms(of: state), name: \.name, id: \.id).only(kind: "room")
  }

  /// Tells the group something.
  @discardableResult
  func send(_ command: GroupCommand) throws(ClientFailure) -> OutcomeDocument {
    let group = try group(of: try state())
    return try send(command, to: group)
  }

  /// Tells a group that is known already something; only while its queue is at a revision, if one is given.
  @discardableResult
  func send(
    _ command: GroupCommand, to group: GroupDocument, ifRevision revision: UInt64? = nil
  ) throws(ClientFailure) -> OutcomeDocument {
    let headers = revision.map { ["If-Match: \"\($0)\""] } ?? []
    return try post(CommandDocument(command), to: .groupCommands(id: group.id), headers: headers)
  }

  /// The whole queue, however long; when it changes meanwhile, it is looked at again.
  func queue(of group: GroupDocument) throws(ClientFailure) -> QueueDocument {
    for _ in 0..<Self.queueAttempts {
      if let queue = try wholeQueue(of: group) { return queue }
    }
    throw .failed("the queue changes too fast to be looked at; try again")
  }

  /// The queues that were saved.
  func playlists() throws(ClientFailure) -> PlaylistListDocument {
    try document(
      PlaylistListDocument.self,
      try answer { () throws(HTTPClientError) in try client.get(APIRoute.savedQueues.path) })
  }

  /// Forgets a queue that was saved.
  func deletePlaylist(_ name: String) throws(ClientFailure) {
    let route = APIRoute.savedQueue(name: name)
    let answer = try answer { () throws(HTTPClientError) in try client.delete(route.path) }
    guard answer.isSuccess else { throw Self.failure(answer) }
  }

  private static let queueAttempts = 5

  /// All pages; nil when they are not of one queue.
  private func wholeQueue(of group: GroupDocument) throws(ClientFailure) -> QueueDocument? {
    let path = APIRoute.queue(id: group.id).path + "?limit=1000"
    var whole: QueueDocument?
    var cursor: String?
    repeat {
      let more = cursor.map { "&cursor=" + QueryText.encode($0) } ?? ""
      let answer = try answer { () throws(HTTPClientError) in try client.get(path + more) }
      if answer.status == 409 { return nil }
      let page = try document(QueueDocument.self, answer)
      cursor = page.nextCursor
      if whole == nil { whole = page } else { whole?.items += page.items }
    } while cursor != nil
    whole?.nextCursor = nil
    return whole
  }

  /// Tells a room something.
  @discardableResult
  func send(_ command: RoomCommand, to room: RoomDocument) throws(ClientFailure) -> OutcomeDocument
  {
    try post(CommandDocument(command), to: .roomCommands(id: room.id))
  }

  /// Sends a file along.
  func upload(
    file: String, name: String, progress: @escaping (Int64, Int64) -> Void
  ) throws(ClientFailure) -> UploadDocument {
    let path = APIRoute.uploads.path + "?name=" + QueryText.encode(name)
    return try document(
      UploadDocument.self,
      try answer { () throws(HTTPClientError) in
        try client.upload(path, file: file, progress: progress)
      })
  }

  private func post(
    _ command: some Encodable, to route: APIRoute, headers: [String] = []
  ) throws(ClientFailure) -> OutcomeDocument {
    let json: [UInt8]
    do { json = try JSONDocument.encode(command) } catch { throw .failed("\(error)") }
    return try document(
      OutcomeDocument.self,
      try answer { () throws(HTTPClientError) in
        try client.post(route.path, json: json, headers: headers)
      })
  }

  func optional<Document: Decodable>(
    _ type: Document.Type, at route: APIRoute
  ) throws(ClientFailure) -> Document? {
    let answer = try answer { () throws(HTTPClientError) in try client.get(route.path) }
    return answer.status == 404 ? nil : try document(type, answer)
  }

  func answer(
    _ call: () throws(HTTPClientError) -> HTTPAnswer
  ) throws(ClientFailure) -> HTTPAnswer {
    do throws(HTTPClientError) {
      return try call()
    } catch {
      guard case .unreachable = error else { throw .failed("\(error)") }
      if case .unix(let path) = client.server, access(path, R_OK | W_OK) != 0, errno == EACCES {
        throw .notPermitted(
          "this user may not open \(path); join the group that owns it, or run tutti as the user that "
            + "runs tutti-coordinator")
      }
      throw .unreachable("\(error); is tutti-coordinator running there? --server names another")
    }
  }

  func document<Document: Decodable>(
    _ type: Document.Type, _ answer: HTTPAnswer
  ) throws(ClientFailure) -> Document {
    guard answer.isSuccess else { throw Self.failure(answer) }
    do {
      return try JSONDocument.decode(type, from: answer.body)
    } catch {
      throw .failed("\(client.server) answered something else than Tutti's documents: \(error)")
    }
  }

  private static func failure(_ answer: HTTPAnswer) -> ClientFailure {
    let problem = try? JSONDocument.decode(ProblemDocument.self, from: answer.body)
    if answer.status == 412 {
      return .failed(
        "the queue was changed meanwhile, so nothing was done: look at it again (tutti queue list)")
    }
    let text = problem?.detail ?? "the coordinator answered with status \(answer.status)"
    return [401, 403].contains(answer.status) ? .notPermitted(text) : .failed(text)
  }
}

/// Text in a URL's query.
enum QueryText {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)

  /// Percent-encodes everything but unreserved characters (RFC 3986 section 2.3).
  static func encode(_ text: String) -> String {
    text.utf8.map { byte in
      plain.contains(byte)
        ? String(UnicodeScalar(byte))
        : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
