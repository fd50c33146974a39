// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import HTTPService
internal import PlayerPage

extension CoordinatorAPI {
  /// The page for browsers; nil for addresses that are not its own.
  static func page(_ request: HTTPRequest) -> HTTPResponse? {
    guard let file = PlayerPage.file(at: request.path) else { return nil }
    guard ["GET", "HEAD"].contains(request.method) else {
      return .wrongMethod(request, allowed: ["GET"])
    }
    var response = HTTPResponse.content(file.bytes, mediaType: file.mediaType)
    response.headers += [
      .init("Content-Security-Policy", PlayerPage.contentSecurityPolicy),
      .init("Referrer-Policy", "no-referrer"),
    ]
    return response
  }
}
