// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// Answers requests. Knows nothing of sockets, threads or the HTTP library.
public protocol HTTPHandler: Sendable {
  /// Answers one request. Requests run at the same time; the task is cancelled when the client goes.
  ///
  /// - Parameter request: The request.
  /// - Returns: The answer; a slow one holds up nobody else.
  func respond(to request: HTTPRequest) async -> HTTPResponse
}
