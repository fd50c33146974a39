// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// The answer to a command that was carried out, at least in part.
public struct OutcomeDocument: Codable, Sendable, Hashable {
  /// The sender's own number from the command.
  public var clientSequence: UInt64?
  /// The new items, in order, when the command added some.
  public var addedItemIDs: [UInt64]
  /// What could not be added, with reasons.
  public var refused: [RefusedItemDocument]
  /// The state document's revision after the command.
  public var revision: UInt64
  /// The queue's revision after the command: what the next edit's `If-Match` names. Absent after
  /// commands for a room.
  public var queueRevision: UInt64?

  /// An outcome.
  ///
  /// - Parameters:
  ///   - revision: The state document's revision after the command.
  ///   - clientSequence: The sender's own number from the command.
  ///   - addedItemIDs: The new items, in order.
  ///   - refused: What could not be added.
  public init(
    revision: UInt64, clientSequence: UInt64? = nil, addedItemIDs: [UInt64] = [],
    refused: [RefusedItemDocument] = []
  ) {
    self.revision = revision
    self.clientSequence = clientSequence
    self.addedItemIDs = addedItemIDs
    self.refused = refused
  }
}

/// A track that was not taken.
public struct RefusedItemDocument: Codable, Sendable, Hashable {
  /// What was asked for.
  public var item: MediaReference
  /// Why not, in words.
  public var reason: String

  /// A refusal.
  ///
  /// - Parameters:
  ///   - item: What was asked for.
  ///   - reason: Why not, in words.
  public init(item: MediaReference, reason: String) {
    self.item = item
    self.reason = reason
  }
}

/// A request that failed, after RFC 9457 (`application/problem+json`).
public struct ProblemDocument: Codable, Sendable, Hashable, Error {
  /// The media type of such an answer.
  public static let mediaType = "application/problem+json"

  /// What kind of problem, for programs: a relative address such as `/problems/unknown-room`.
  public var type: String
  /// What kind of problem, for people; the same for every problem of the type.
  public var title: String
  /// The HTTP status.
  public var status: Int
  /// What happened this time, to what, and what to try.
  public var detail: String
  /// With status 412: the queue as it is now.
  public var queue: QueueDocument?

  /// A problem.
  ///
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - kind: The last part of the type: `unknown-room`.
  ///   - title: What kind of problem, for people.
  ///   - detail: What happened this time, to what, and what to try.
  public init(status: Int, kind: String, title: String, detail: String) {
    type = "/problems/" + kind
    self.title = title
    self.status = status
    self.detail = detail
  }
}
