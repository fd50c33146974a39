// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import Glibc

/// Why a node has no identity: what was tried on which file, and what to try.
public struct IdentityError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The key file.
  public var path: String
  /// What happened.
  public var reason: String
  /// What to try.
  public var advice: String

  /// One sentence for a person.
  public var description: String { "\(reason) the node's key \(path); \(advice)" }

  static func system(_ action: String, _ path: String, code: Int32) -> IdentityError {
    let words = String(cString: strerror(code))
    return IdentityError(
      path: path, reason: "\(words): cannot \(action)",
      advice: "check the permissions of the state directory")
  }

  static func unreadable(_ path: String) -> IdentityError {
    IdentityError(
      path: path, reason: "cannot understand",
      advice: "restore it from a backup, or remove it to get a new identity (and pair again)")
  }

  static func exposed(_ path: String) -> IdentityError {
    IdentityError(
      path: path, reason: "other users may read",
      advice: "run: chmod 600 \(path)")
  }
}
