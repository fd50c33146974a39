// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import WireProtocol

// A room obeys one coordinator at a time. A coordinator that was killed and comes back is the same
// node with another run; its old connection may linger until the keepalive misses it. A stranger, or
// a twin (a cloned card), is told why it is not listened to.

/// Decides whether a coordinator that says hello is obeyed.
enum LinkAdmission: Sendable, Equatable {
  /// It is the one; an older link of its own gives way.
  case accept
  /// It is not; close after telling.
  case refuse(Refusal)

  /// A live link from which nothing came for this long may be taken over: the keepalive is 1 s.
  static let silenceLimit = Nanoseconds.milliseconds(1_500)

  /// Judges a newcomer.
  ///
  /// - Parameters:
  ///   - hello: Its greeting.
  ///   - live: The coordinator obeyed at present, and when it was last heard.
  ///   - now: The present.
  /// - Returns: The verdict.
  static func judge(
    _ hello: Hello, live: (hello: Hello, lastHeard: LocalInstant)?, at now: LocalInstant
  ) -> Self {
    guard hello.role == .coordinator else {
      return .refuse(
        Refusal(reason: .other, detail: "a speaker takes orders from coordinators only"))
    }
    guard let live else { return .accept }
    let isSilent = now - live.lastHeard > silenceLimit
    guard hello.nodeID == live.hello.nodeID else {
      return .refuse(
        Refusal(
          reason: .ownedByAnother,
          detail: "this room is played by the coordinator \"\(live.hello.name)\"; stop that one, "
            + "or take the room out of it"))
    }
    guard hello.runID == live.hello.runID || isSilent else {
      return .refuse(
        Refusal(
          reason: .duplicateIdentity,
          detail: "another coordinator with the same identity is connected: if its disk was "
            + "copied, give one of them a new state directory"))
    }
    return .accept
  }
}
