// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Why the service cannot start, in words.
public struct HTTPServiceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What happened, to what, and what to try.
  public var description: String

  /// An error with its description.
  ///
  /// - Parameter description: What happened, to what, and what to try.
  public init(_ description: String) { self.description = description }
}
