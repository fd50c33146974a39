// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// A request as a handler sees it: complete, checked against the bounds, free of the transport.
public struct HTTPRequest: Sendable, Hashable {
  /// How the request came in; later versions tie permissions to it.
  public enum Origin: Sendable, Hashable {
    /// Over the Unix socket: the file's permissions decided who may.
    case unixSocket
    /// Over TCP from this host.
    case loopback
  }

  /// What came after the head.
  public enum Body: Sendable, Hashable {
    /// Nothing.
    case none
    /// Up to ``HTTPBounds/bodyBytes``.
    case bytes([UInt8])
    /// An upload, in a file that is removed after the response unless the handler moved it away.
    case file(path: String, bytes: UInt64)
  }

  /// `GET`, `POST`, `HEAD`, …
  public var method: String
  /// The path in normal form: percent-encoded, without `.` and `..`, without the query.
  public var path: String
  /// The decoded fields of the query; of equal names the last one counts.
  public var query: [String: String]
  /// The headers by lower-case name. Only those the service knows about are kept.
  public var headers: [String: String]
  /// What came after the head.
  public var body: Body
  /// How the request came in.
  public var origin: Origin

  /// A request, for tests of handlers.
  ///
  /// - Parameters:
  ///   - method: `GET`, `POST`, …
  ///   - path: The path in normal form.
  ///   - query: The decoded fields of the query.
  ///   - headers: The headers by lower-case name.
  ///   - body: What came after the head.
  ///   - origin: How the request came in.
  public init(
    method: String, path: String, query: [String: String] = [:], headers: [String: String] = [:],
    body: Body = .none, origin: Origin = .unixSocket
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.origin = origin
  }
}
