// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import AudioTime
internal import ControlAPI
internal import HTTPService
internal import Synchronization

// A client that has lost the connection does not know whether its "add" has come in. It says it again with
// the same `Idempotency-Key`, and gets the answer that the first one got. Kept in memory: a coordinator that
// was restarted in between may carry a command out twice.

/// The answers to commands that had a key. Safe from any thread.
final class IdempotencyLedger: Sendable {
  /// How long an answer is kept: longer than any client goes on trying.
  static let memory = Nanoseconds.seconds(600)
  /// The most answers that are kept.
  static let capacity = 256
  /// The most octets of answers that are kept.
  static let byteCapacity = 4 << 20
  /// The longest key, in octets; a UUID has 36.
  static let longestKey = 255

  /// What to do with a command.
  enum Verdict: Equatable {
    /// Carry it out, then call `finish`.
    case isNew
    /// It was carried out: this is the answer.
    case isAnswered(HTTPResponse)
    /// It cannot be carried out under this key.
    case isRefused(ProblemDocument)
  }

  private struct Entry {
    var fingerprint: Int
    var began: LocalInstant
    /// Nil while the command is under way.
    var answer: HTTPResponse?

    var bytes: Int {
      if let answer, case .bytes(let body) = answer.body { body.count } else { 0 }
    }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// Keys, oldest first.
    var order: [String] = []
    var bytes = 0

    mutating func forget(_ place: Int) {
      let key = order.remove(at: place)
      bytes -= entries.removeValue(forKey: key)?.bytes ?? 0
    }
  }

  private let state = Mutex(State())

  /// What makes two requests the same.
  static func fingerprint(of request: HTTPRequest) -> Int {
    var hasher = Hasher()
    hasher.combine(request.method)
    hasher.combine(request.path)
    hasher.combine(request.query)
    hasher.combine(request.headers["if-match"])
    hasher.combine(request.body)
    return hasher.finalize()
  }

  /// A command with a key has come in.
  func begin(_ key: String, fingerprint: Int, at now: LocalInstant) -> Verdict {
    guard !key.isEmpty, key.utf8.count <= Self.longestKey else {
      return .isRefused(
        .badRequest("`Idempotency-Key` must have 1 to \(Self.longestKey) characters"))
    }
    return state.withLock { state in
      Self.forgetOld(&state, at: now)
      guard let entry = state.entries[key] else {
        state.entries[key] = Entry(fingerprint: fingerprint, began: now)
        state.order.append(key)
        return .isNew
      }
      guard entry.fingerprint == fingerprint else { return .isRefused(.keyReused(key)) }
      guard let answer = entry.answer else { return .isRefused(.keyUnderWay(key)) }
      return .isAnswered(answer)
    }
  }

  /// A command has been answered. One that failed here, not by the client's doing, may be tried again.
  func finish(_ key: String, with answer: HTTPResponse, at now: LocalInstant) {
    state.withLock { state in
      guard state.entries[key] != nil else { return }
      if answer.status >= 500 {
        if let place = state.order.firstIndex(of: key) { state.forget(place) }
        return
      }
      state.entries[key]?.answer = answer
      state.bytes += state.entries[key]?.bytes ?? 0
      Self.forgetOld(&state, at: now)
    }
  }

  /// Only answered ones: what is under way will be asked for.
  private static func forgetOld(_ state: inout State, at now: LocalInstant) {
    while let place = state.order.firstIndex(where: { state.entries[$0]?.answer != nil }),
      let oldest = state.entries[state.order[place]],
      now - oldest.began > memory || state.order.count > capacity || state.bytes > byteCapacity
    {
      state.forget(place)
    }
  }
}

extension ProblemDocument {
  fileprivate static func keyReused(_ key: String) -> ProblemDocument {
    ProblemDocument(
      status: 422, kind: "key-reused", title: "The key belongs to another command",
      detail: "the Idempotency-Key \(key) came with another command before: use a new one")
  }

  fileprivate static func keyUnderWay(_ key: String) -> ProblemDocument {
    ProblemDocument(
      status: 409, kind: "key-under-way", title: "The command is under way",
      detail: "the command with the Idempotency-Key \(key) is under way: ask again in a moment")
  }
}
