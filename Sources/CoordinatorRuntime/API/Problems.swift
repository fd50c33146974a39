// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import ControlAPI
internal import House

// What can go wrong with a request, for programs (the kind) and for people (the detail: what happened, to
// what, and what to try).

extension ProblemDocument {
  /// The transport did not carry out a command.
  init(_ refusal: TransportRefusal) {
    switch refusal {
    case .queueEmpty:
      self.init(
        status: 409, kind: "queue-empty", title: "The queue is empty",
        detail: "there is nothing in the queue: play or add something first")
    case .nothingPlaying:
      self.init(
        status: 409, kind: "nothing-playing", title: "Nothing is playing",
        detail: "one can move only within a track that plays or is paused: play something first")
    case .live(let name):
      self.init(
        status: 409, kind: "live", title: "What is live has no places",
        detail: "\(name) is heard as it comes: one cannot move in it")
    case .queue(.full):
      self.init(
        status: 409, kind: "queue-full", title: "The queue is full",
        detail: "the queue holds \(PlayQueue.capacity) tracks at most: clear it first")
    case .queue(.noSuchItem(let id)):
      self.init(
        status: 404, kind: "unknown-item", title: "There is no such item in the queue",
        detail: "item \(id.rawValue) is not in the queue (any more)")
    case .queue(.movesBesideItself(let id)):
      self.init(
        status: 422, kind: "moves-beside-itself", title: "An item cannot move next to itself",
        detail: "item \(id.rawValue) is among those that move: name another one to move them to")
    }
  }

  /// None of the items can be played.
  static func nothingPlayable(_ refused: [RefusedItemDocument]) -> ProblemDocument {
    var detail = refused.first?.reason ?? "no item was given"
    if refused.count > 1 { detail += " (and \(refused.count - 1) more)" }
    return ProblemDocument(
      status: 422, kind: "nothing-playable", title: "Nothing of it can be played", detail: detail)
  }

  /// An edit was meant for another queue.
  static func queueChanged(_ queue: QueueDocument) -> ProblemDocument {
    var problem = ProblemDocument(
      status: 412, kind: "queue-changed", title: "The queue has changed",
      detail: "the queue is at revision \(queue.revision) now; look at it again, then edit it")
    problem.queue = queue
    return problem
  }

  /// The pages before were of another queue.
  static func queueMovedOn() -> ProblemDocument {
    ProblemDocument(
      status: 409, kind: "queue-moved-on", title: "The queue has changed between pages",
      detail: "the queue has changed since the page before: begin again without a cursor")
  }

  static func unknownRoom(_ name: String, known: [String]) -> ProblemDocument {
    let names =
      known.isEmpty ? "no room is known yet" : "there are: \(known.joined(separator: ", "))"
    return ProblemDocument(
      status: 404, kind: "unknown-room", title: "There is no such room",
      detail: "there is no room \(name); \(names)")
  }

  static func unknownGroup(_ id: String) -> ProblemDocument {
    ProblemDocument(
      status: 404, kind: "unknown-group", title: "There is no such group",
      detail: "there is no group \(id); there is one so far: \(Group.house.id)")
  }

  static func roomOffline(_ name: String) -> ProblemDocument {
    ProblemDocument(
      status: 409, kind: "room-unreachable", title: "The room cannot be reached",
      detail: "\(name) is not connected: switch it on, or check its network")
  }

  static func noRoomOnline() -> ProblemDocument {
    ProblemDocument(
      status: 409, kind: "room-unreachable", title: "No room can be reached",
      detail: "no room is connected: switch a speaker on, or check the network")
  }

  static func notYet(_ what: String) -> ProblemDocument {
    ProblemDocument(
      status: 501, kind: "not-yet", title: "Not yet",
      detail: "\(what): this version of Tutti cannot do that yet")
  }

  static func badRequest(_ detail: String) -> ProblemDocument {
    ProblemDocument(
      status: 400, kind: "bad-request", title: "The request cannot be understood", detail: detail)
  }

  static func beyondEnd(_ seconds: Double, duration: Double) -> ProblemDocument {
    ProblemDocument(
      status: 422, kind: "beyond-end", title: "The place is beyond the end",
      detail: "the track is \(duration) s long: \(seconds) s is not in it")
  }
}
