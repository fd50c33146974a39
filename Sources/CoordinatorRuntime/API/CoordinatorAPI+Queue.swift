// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import HTTPService
internal import House

// The queue page by page, its items, and the queues that were saved.

extension CoordinatorAPI {
  /// The most items of one page.
  private static let longestPage = 1_000
  /// The items of a page when the client does not say.
  private static let usualPage = 100

  /// A page of the queue, with the tag that an edit's `If-Match` names.
  func queuePage(_ request: HTTPRequest) async throws -> HTTPResponse {
    var cursor: QueueCursor?
    if let text = request.query["cursor"] {
      guard let read = QueueCursor(text) else {
        throw ProblemDocument.badRequest("`cursor` is not one that this queue has given")
      }
      cursor = read
    }
    var limit = Self.usualPage
    if let text = request.query["limit"] {
      guard let number = Int(text), (1...Self.longestPage).contains(number) else {
        throw ProblemDocument.badRequest("`limit` must be 1 to \(Self.longestPage)")
      }
      limit = number
    }
    let page = try await coordinator.queuePage(from: cursor, limit: limit)
    var response = try HTTPResponse.document(page)
    response.headers.append(.init("ETag", RevisionMatch.tag(page.revision)))
    return response
  }

  /// One item, or the end of it.
  func queueItem(_ text: String, _ request: HTTPRequest) async throws -> HTTPResponse {
    guard let number = UInt64(text) else {
      throw ProblemDocument(
        status: 404, kind: "unknown-item", title: "There is no such item in the queue",
        detail: "an item is named by its number, not by \(text)")
    }
    guard request.method == "DELETE" else {
      return try .document(await coordinator.itemDocument(ItemID(rawValue: number)))
    }
    let order = Coordinator.GroupOrder(
      command: .queueRemove(itemIDs: [number]),
      ifMatch: request.headers["if-match"].map(RevisionMatch.init))
    return try .document(await coordinator.carryOut(order))
  }

  // MARK: - Saved queues

  /// A saved queue as the file it is, or the end of it.
  func savedQueue(_ name: String, _ request: HTTPRequest) throws -> HTTPResponse {
    guard request.method == "DELETE" else {
      return .content(try playlists.read(name), mediaType: "audio/x-mpegurl")
    }
    try playlists.delete(name)
    return HTTPResponse(status: 204)
  }

  /// Keeps the queue as a playlist.
  func save(
    _ order: Coordinator.GroupOrder, as name: String, replacing: Bool
  ) async throws -> OutcomeDocument {
    try await coordinator.check(order.ifMatch)
    let tracks = await coordinator.queueForSaving()
    guard !tracks.isEmpty else { throw ProblemDocument(.queueEmpty) }
    var order = order
    let (lasting, passing) = PlaylistText.sort(tracks)
    order.intake.refused = passing
    guard !lasting.isEmpty else { throw ProblemDocument.nothingPlayable(passing) }
    try playlists.write(PlaylistText.encode(lasting), as: name, replacing: replacing)
    return await coordinator.outcome(of: order)
  }

  /// Takes in a playlist that was saved.
  func load(_ name: String) throws -> MediaIntake.Outcome {
    var outcome = MediaIntake.Outcome()
    for track in PlaylistText.decode(try playlists.read(name)) {
      guard let reference = track.reference else { continue }
      var taken = intake.take([reference])
      if taken.additions.count == 1 {
        taken.additions[0].label = track.label.isEmpty ? taken.additions[0].label : track.label
        taken.additions[0].facts = track.facts
      }
      outcome.additions += taken.additions
      outcome.refused += taken.refused
    }
    guard !outcome.additions.isEmpty else {
      throw ProblemDocument.nothingPlayable(outcome.refused)
    }
    return outcome
  }
}
