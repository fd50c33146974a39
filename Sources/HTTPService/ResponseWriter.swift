// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets

/// Writes heads and bodies through libwebsockets, which wants room in front of the data and at most
/// one write per writable callback.
enum ResponseWriter {
  /// Octets per write: big enough to be cheap, small enough to keep others waiting no longer than
  /// a copy of this size.
  static let chunk = 16_384
  /// Octets for the head of a response; ours have a handful of short headers.
  private static let headCapacity = 4_096

  /// Writes the head.
  ///
  /// - Parameters:
  ///   - response: The response.
  ///   - contentLength: The body's length; nil for one that ends with the connection.
  ///   - connection: The library's connection.
  /// - Returns: Whether it went out.
  static func writeHead(
    of response: HTTPResponse, contentLength: Int?, to connection: OpaquePointer
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Int(tutti_lws_headroom()) + headCapacity)
    return buffer.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      let start = base + Int(tutti_lws_headroom())
      let end = base + buffer.count
      var cursor: UnsafeMutablePointer<UInt8>? = start
      guard
        lws_add_http_header_status(connection, UInt32(response.status), &cursor, end) == 0
      else { return false }
      var headers = response.headers
      headers.append(HTTPResponse.Header("X-Content-Type-Options", "nosniff"))
      headers.append(HTTPResponse.Header("Connection", "close"))
      for header in headers {
        let value = Array(header.value.utf8)
        guard
          lws_add_http_header_by_name(
            connection, header.name.lowercased() + ":", value, Int32(value.count), &cursor, end)
            == 0
        else { return false }
      }
      if let contentLength {
        guard
          lws_add_http_header_content_length(connection, UInt64(contentLength), &cursor, end) == 0
        else { return false }
      }
      return lws_finalize_write_http_header(connection, start, &cursor, end) == 0
    }
  }

  /// Writes part of a body.
  ///
  /// - Parameters:
  ///   - bytes: What to write, at most ``chunk`` octets.
  ///   - isLast: Whether the body ends with it.
  ///   - connection: The library's connection.
  /// - Returns: Whether the library took it.
  static func write(
    _ bytes: ArraySlice<UInt8>, isLast: Bool, to connection: OpaquePointer
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: Int(tutti_lws_headroom()))
    buffer += bytes
    let count = bytes.count
    return buffer.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return false }
      let kind = isLast ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP
      return lws_write(connection, base + Int(tutti_lws_headroom()), count, kind) >= count
    }
  }
}
