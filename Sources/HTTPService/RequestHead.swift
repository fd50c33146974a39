// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets

/// What libwebsockets has parsed of a request, as values.
struct RequestHead {
  var method: String
  var path: String
  var query: [String: String]
  var headers: [String: String]
  /// Whether a version of HTTP follows the address. libwebsockets takes a line end in percent-code for the
  /// end of the request line, and what follows it for headers: then there is none.
  var hasVersion: Bool

  /// The body's length; nil when none was announced, negative when it is no number.
  var contentLength: Int64? {
    headers["content-length"].map { Int64($0) ?? -1 }
  }

  /// Whether a body follows.
  var announcesBody: Bool { contentLength.map { $0 > 0 } ?? false }

  /// Reads the head while the library still holds it: only within LWS_CALLBACK_HTTP.
  ///
  /// - Parameters:
  ///   - connection: The library's connection.
  ///   - path: The decoded path.
  /// - Returns: Nil when the method or the path is not usable.
  static func read(_ connection: OpaquePointer, path: String) -> RequestHead? {
    var start: UnsafeMutablePointer<CChar>?
    var length: Int32 = 0
    let index = Int(lws_http_get_uri_and_method(connection, &start, &length))
    guard index >= 0, index < methods.count else { return nil }
    return RequestHead(
      method: methods[index], path: PathText.encode(path), query: readQuery(connection),
      headers: readHeaders(connection),
      hasVersion: lws_hdr_total_length(connection, WSI_TOKEN_HTTP) > 0)
  }

  /// In the order of lws_http_get_uri_and_method (lws-http.h).
  private static let methods = [
    "GET", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "CONNECT", "HEAD",
  ]

  private static let tokens: [(name: String, token: lws_token_indexes)] = [
    ("host", WSI_TOKEN_HOST), ("origin", WSI_TOKEN_ORIGIN),
    ("content-length", WSI_TOKEN_HTTP_CONTENT_LENGTH),
    ("content-type", WSI_TOKEN_HTTP_CONTENT_TYPE),
    ("transfer-encoding", WSI_TOKEN_HTTP_TRANSFER_ENCODING),
    ("accept", WSI_TOKEN_HTTP_ACCEPT), ("accept-encoding", WSI_TOKEN_HTTP_ACCEPT_ENCODING),
    ("authorization", WSI_TOKEN_HTTP_AUTHORIZATION), ("cookie", WSI_TOKEN_HTTP_COOKIE),
    ("if-match", WSI_TOKEN_HTTP_IF_MATCH), ("if-none-match", WSI_TOKEN_HTTP_IF_NONE_MATCH),
    ("range", WSI_TOKEN_HTTP_RANGE), ("user-agent", WSI_TOKEN_HTTP_USER_AGENT),
  ]

  /// Headers that the library has no token for.
  private static let others = ["last-event-id", "idempotency-key", "sec-fetch-site"]

  private static func readHeaders(_ connection: OpaquePointer) -> [String: String] {
    var headers: [String: String] = [:]
    for (name, token) in tokens {
      let length = lws_hdr_total_length(connection, token)
      guard length > 0 else { continue }
      headers[name] = text(capacity: Int(length) + 1) {
        lws_hdr_copy(connection, $0, length + 1, token)
      }
    }
    for name in others {
      let key = name + ":"
      let length = lws_hdr_custom_length(connection, key, Int32(key.utf8.count))
      guard length > 0 else { continue }
      headers[name] = text(capacity: Int(length) + 1) {
        lws_hdr_custom_copy(connection, $0, length + 1, key, Int32(key.utf8.count))
      }
    }
    return headers
  }

  /// The library has split the query at `&` and decoded it.
  private static func readQuery(_ connection: OpaquePointer) -> [String: String] {
    var query: [String: String] = [:]
    var index: Int32 = 0
    while true {
      let length = lws_hdr_fragment_length(connection, WSI_TOKEN_HTTP_URI_ARGS, index)
      guard length > 0 else { return query }
      let field = text(capacity: Int(length) + 1) {
        lws_hdr_copy_fragment(connection, $0, length + 1, WSI_TOKEN_HTTP_URI_ARGS, index)
      }
      let pieces = (field ?? "").split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if let name = pieces.first, !name.isEmpty {
        query[String(name)] = pieces.count == 2 ? String(pieces[1]) : ""
      }
      index += 1
    }
  }

  /// Text that the library copies out; nil when it did not or when it is not UTF-8.
  private static func text(
    capacity: Int, copy: (UnsafeMutablePointer<CChar>?) -> Int32
  ) -> String? {
    var bytes = [CChar](repeating: 0, count: capacity)
    let count = bytes.withUnsafeMutableBufferPointer { copy($0.baseAddress) }
    guard count >= 0, Int(count) <= capacity else { return nil }
    return String(
      validating: bytes.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A path that the library has decoded, encoded again so that its form is one.
enum PathText {
  static func encode(_ path: String) -> String {
    var encoded = ""
    for byte in path.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        scalar.properties.isASCIIHexDigit || ("g"..."z").contains(scalar)
        || ("G"..."Z").contains(scalar) || "-._~/".unicodeScalars.contains(scalar)
      if isPlain {
        encoded.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (digits.count == 1 ? "0" : "") + digits
      }
    }
    return encoded
  }
}
