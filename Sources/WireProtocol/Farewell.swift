// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Why a node does not take the other into its house.
public enum RefusalReason: UInt32, Sendable, Hashable, CaseIterable {
  /// A reason that this build does not know; `detail` says it in words.
  case other = 0
  /// The versions do not fit: one side needs an update.
  case needsUpdate = 1
  /// Another live link has the same identity (a cloned card).
  case duplicateIdentity = 2
  /// The speaker belongs to another coordinator.
  case ownedByAnother = 3
  /// The two are not paired.
  case notPaired = 4
}

/// "No, because": the last message of a link that was not accepted.
public struct Refusal: Sendable, Hashable {
  /// For programs.
  public var reason: RefusalReason
  /// For people: what happened and what to try.
  public var detail: String

  /// A refusal.
  public init(reason: RefusalReason, detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// Why a node leaves.
public enum GoodbyeReason: UInt32, Sendable, Hashable, CaseIterable {
  /// A reason that this build does not know.
  case other = 0
  /// The program stops and may be back at once.
  case shuttingDown = 1
  /// The other node is no longer wanted.
  case removed = 2
}

/// "I leave on purpose": the last message of a link that was accepted.
public struct Goodbye: Sendable, Hashable {
  /// For programs.
  public var reason: GoodbyeReason
  /// For people; may be empty.
  public var detail: String

  /// A farewell.
  public init(reason: GoodbyeReason, detail: String = "") {
    self.reason = reason
    self.detail = detail
  }
}

extension Refusal: ControlPayload {
  static var blank: Refusal { Refusal(reason: .other, detail: "") }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: reason = RefusalReason(rawValue: try field.integer()) ?? .other
    case 2: detail = try field.string(in: bytes, limit: ControlLimits.detailBytes)
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.unsigned(1, UInt64(reason.rawValue))
    writer.string(2, detail, limit: ControlLimits.detailBytes)
  }
}

extension Goodbye: ControlPayload {
  static var blank: Goodbye { Goodbye(reason: .other) }

  mutating func read(_ field: ProtoField, in bytes: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: reason = GoodbyeReason(rawValue: try field.integer()) ?? .other
    case 2: detail = try field.string(in: bytes, limit: ControlLimits.detailBytes)
    default: break
    }
  }

  func write(to writer: inout ProtoWriter) {
    writer.unsigned(1, UInt64(reason.rawValue))
    writer.string(2, detail, limit: ControlLimits.detailBytes)
  }
}
