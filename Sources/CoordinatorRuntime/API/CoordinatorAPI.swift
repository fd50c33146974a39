// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import HTTPService
internal import House
internal import LinuxNetworking

/// The HTTP API: addresses and documents on one side, the coordinator on the other.
///
/// Runs on tasks of its own; texts are parsed and written here, and files are looked at here, so that the
/// coordinator's loop only decides.
struct CoordinatorAPI: HTTPHandler {
  let coordinator: Coordinator
  let intake: MediaIntake
  let spool: UploadSpool
  let playlists: PlaylistFolder
  private let ledger = IdempotencyLedger()
  var collection: MusicCollection { coordinator.parts.collection }

  init(
    coordinator: Coordinator, intake: MediaIntake, spool: UploadSpool, playlists: PlaylistFolder
  ) {
    self.coordinator = coordinator
    self.intake = intake
    self.spool = spool
    self.playlists = playlists
  }

  /// Answers one request; a repeated one (by its key) as it was answered before.
  func respond(to request: HTTPRequest) async -> HTTPResponse {
    guard request.method == "POST", let key = request.headers["idempotency-key"] else {
      return await respondAnew(to: request)
    }
    let fingerprint = IdempotencyLedger.fingerprint(of: request)
    switch ledger.begin(key, fingerprint: fingerprint, at: LocalClock.now()) {
    case .isNew:
      let response = await respondAnew(to: request)
      ledger.finish(key, with: response, at: LocalClock.now())
      return response
    case .isAnswered(let response): return response
    case .isRefused(let problem): return .problem(problem)
    }
  }

  private func respondAnew(to request: HTTPRequest) async -> HTTPResponse {
    do {
      return try await answer(request)
    } catch let problem as ProblemDocument {
      return .problem(problem)
    } catch {
      return .problem(
        ProblemDocument(
          status: 500, kind: "failed", title: "The request failed", detail: "\(error)"))
    }
  }

  private func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
    if let page = Self.page(request) { return page }
    guard let route = APIRoute(path: request.path) else {
      throw ProblemDocument(
        status: 404, kind: "unknown-address", title: "There is nothing at this address",
        detail: "there is nothing at \(request.path)")
    }
    let methods = route.methods
    guard methods.contains(request.method) || (request.method == "HEAD" && methods[0] == "GET")
    else { return .wrongMethod(request, allowed: methods) }
    switch route {
    case .state: return try .document(await coordinator.stateDocument())
    case .rooms: return try .document(RoomListDocument(rooms: await coordinator.roomDocuments()))
    case .room(let id): return try .document(await coordinator.roomDocument(called: id))
    case .roomSync(let id): return try .document(await coordinator.syncDocument(of: id))
    case .roomLog(let id): return try .document(await coordinator.logDocument(of: id))
    case .group(let id):
      try check(group: id)
      return try .document(await coordinator.groupDocument())
    case .queue(let id):
      try check(group: id)
      return try await queuePage(request)
    case .queueItem(let id, let item):
      try check(group: id)
      return try await queueItem(item, request)
    case .savedQueues: return try .document(playlists.list())
    case .savedQueue(let name): return try savedQueue(name, request)
    case .groupCommands(let id):
      try check(group: id)
      return try await command(request)
    case .roomCommands(let id): return try await command(request, room: id)
    case .uploads: return try await upload(request)
    case .library(let route): return try await collection.api.answer(route, request)
    case .libraryScan: return try scanLibrary(request)
    case .libraryFailures: return try .document(try libraryFailures(request))
    case .jobs: return try .document(JobListDocument(jobs: collection.scanner.jobs.all))
    case .job(let id): return try .document(try job(id))
    case .events:
      // Somebody opened a page or watches: music may be wanted soon.
      await coordinator.armRooms()
      return HTTPResponse(
        status: 200, headers: [.init("Content-Type", "text/event-stream")], body: .eventStream)
    case .diagnosis: return try await diagnosis()
    case .health: return try .document(await coordinator.healthDocument())
    case .metrics:
      var metrics = await coordinator.metrics()
      metrics.addProcess()
      return .content(Array(metrics.text.utf8), mediaType: MetricsText.mediaType)
    }
  }

  func check(group id: String) throws(ProblemDocument) {
    guard id == Group.house.id else { throw .unknownGroup(id) }
  }

  // MARK: - Commands

  private func command(_ request: HTTPRequest) async throws -> HTTPResponse {
    let document = try document(of: GroupCommand.self, in: request)
    var order = Coordinator.GroupOrder(
      command: document.command, clientSequence: document.clientSequence,
      ifMatch: request.headers["if-match"].map(RevisionMatch.init))
    if case .queueSave(let name, let replaces) = document.command {
      return try .document(await save(order, as: name, replacing: replaces))
    }
    let items = document.command.items
    if case .queueLoad(let name) = document.command {
      order.intake = try load(name)
    } else if !items.isEmpty {
      order.intake = intake.take(items, startAt: document.command.startAt)
      guard !order.intake.additions.isEmpty else {
        throw ProblemDocument.nothingPlayable(order.intake.refused)
      }
    } else if case .queueAdd = document.command {
      throw ProblemDocument.badRequest("`items` is empty: there is nothing to add")
    }
    if case .seek(.absolute(let seconds)) = document.command,
      let duration = await coordinator.currentDuration(), seconds > duration
    {
      throw ProblemDocument.beyondEnd(seconds, duration: duration)
    }
    return try .document(await coordinator.carryOut(order))
  }

  private func command(_ request: HTTPRequest, room: String) async throws -> HTTPResponse {
    let document = try document(of: RoomCommand.self, in: request)
    return try .document(
      await coordinator.carryOut(
        document.command, in: room, clientSequence: document.clientSequence))
  }

  private func document<Command: FlatlyCoded & Sendable & Hashable>(
    of type: Command.Type, in request: HTTPRequest
  ) throws(ProblemDocument) -> CommandDocument<Command> {
    guard case .bytes(let bytes) = request.body else {
      throw .badRequest("a command is needed, as JSON")
    }
    do throws(DocumentError) {
      return try JSONDocument.decode(CommandDocument<Command>.self, from: bytes)
    } catch {
      if let word = LaterCommands.word(in: bytes) { throw .notYet(word) }
      throw .badRequest("the command \(error)")
    }
  }

  // MARK: - Uploads

  private func upload(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard case .file(let path, let bytes) = request.body else {
      throw ProblemDocument.badRequest("the file itself is needed as the body")
    }
    guard bytes > 0 else { throw ProblemDocument.badRequest("the file is empty") }
    let name = request.query["name"] ?? "upload"
    let inUse = await coordinator.uploadsInUse()
    let taken = Result { () throws(UploadSpool.Refusal) in
      try spool.take(path, named: name, inUse: inUse, now: Int(wallTime().seconds))
    }
    let upload = try taken.mapError(ProblemDocument.init).get()
    return try .document(
      UploadDocument(id: upload.id, name: upload.name, bytes: upload.bytes), status: 201)
  }
}

extension GroupCommand {
  /// What the command wants to play or add.
  var items: [MediaReference] {
    switch self {
    case .play(let items, _, _), .queueAdd(let items, _): items
    default: []
    }
  }

  /// Which of its tracks is to be played first.
  var startAt: Int? { if case .play(_, _, let index) = self { index } else { nil } }
}

extension HTTPResponse {
  /// A document as the answer.
  static func document(
    _ document: some Encodable, status: Int = 200
  ) throws(ProblemDocument) -> HTTPResponse {
    do throws(DocumentError) {
      return .content(try JSONDocument.encode(document), status: status)
    } catch {
      throw ProblemDocument(
        status: 500, kind: "failed", title: "The answer cannot be written", detail: "\(error)")
    }
  }

  /// A problem as the answer.
  static func problem(_ problem: ProblemDocument) -> HTTPResponse {
    guard let bytes = try? JSONDocument.encode(problem) else {
      return .problem(
        status: problem.status, kind: String(problem.type.dropFirst("/problems/".count)),
        title: problem.title, detail: problem.detail)
    }
    return .content(bytes, mediaType: ProblemDocument.mediaType, status: problem.status)
  }

  /// The address takes other methods.
  static func wrongMethod(_ request: HTTPRequest, allowed: [String]) -> HTTPResponse {
    let list = allowed.joined(separator: ", ")
    var response = problem(
      ProblemDocument(
        status: 405, kind: "wrong-method", title: "The address takes another method",
        detail: "\(request.path) takes \(list), not \(request.method)"))
    response.headers.append(Header("Allow", list))
    return response
  }
}

extension ProblemDocument {
  /// The spool did not take an upload.
  init(_ refusal: UploadSpool.Refusal) {
    switch refusal {
    case .full(let needed, let capacity):
      self.init(
        status: 507, kind: "spool-full", title: "There is no room for the upload",
        detail: "the file of \(needed / 1_000_000) MB does not fit: uploads that the queue needs "
          + "may take \(capacity / 1_000_000) MB in all; clear the queue first")
    case .disk(let reason):
      self.init(
        status: 500, kind: "disk", title: "The upload cannot be kept",
        detail: "the coordinator cannot keep the file: \(reason)")
    }
  }
}
