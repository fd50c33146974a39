// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CCurl

/// Why there is no answer.
public enum HTTPClientError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nobody listens there, or the connection broke before an answer.
  case unreachable(server: ServerAddress, reason: String)
  /// The answer was longer than any document of the API.
  case tooLong(server: ServerAddress)
  /// A local file could not be read.
  case unreadable(path: String, reason: String)
  /// libcurl could not be set up.
  case library(reason: String)

  /// What happened, to what.
  public var description: String {
    switch self {
    case .unreachable(let server, let reason): "no coordinator at \(server): \(reason)"
    case .tooLong(let server): "\(server) answered more than any document can be"
    case .unreadable(let path, let reason): "cannot read '\(path)': \(reason)"
    case .library(let reason): "libcurl: \(reason)"
    }
  }
}

/// An answer, complete.
public struct HTTPAnswer: Sendable, Hashable {
  /// The status: 200, 404, ...
  public var status: Int
  /// The body.
  public var body: [UInt8]

  /// Whether the status is one of success.
  public var isSuccess: Bool { (200..<300).contains(status) }
}
