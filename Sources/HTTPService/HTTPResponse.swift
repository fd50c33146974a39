// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// What a handler answers.
public struct HTTPResponse: Sendable, Hashable {
  /// What follows the head.
  public enum Body: Sendable, Hashable {
    /// These bytes; none for an empty body.
    case bytes([UInt8])
    /// The service's events from now on, or from the request's `Last-Event-ID`; never ends by itself.
    case eventStream
  }

  /// One header.
  public struct Header: Sendable, Hashable {
    /// The name, in any case.
    public var name: String
    /// The value, without line ends.
    public var value: String

    /// A header.
    ///
    /// - Parameters:
    ///   - name: The name, in any case.
    ///   - value: The value; line ends in it become spaces.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = String(value.map { $0.isNewline || $0 == "\0" ? " " : $0 })
    }
  }

  /// The status: 200, 404, …
  public var status: Int
  /// Headers besides the length, which the service adds.
  public var headers: [Header]
  /// What follows the head.
  public var body: Body

  /// A response.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - headers: Headers besides the length.
  ///   - body: What follows the head.
  public init(status: Int, headers: [Header] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A response with a typed body.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - mediaType: Its type.
  ///   - status: The status.
  /// - Returns: The response; it must not be kept in caches.
  public static func content(
    _ bytes: [UInt8], mediaType: String = "application/json", status: Int = 200
  ) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [Header("Content-Type", mediaType), Header("Cache-Control", "no-store")],
      body: .bytes(bytes))
  }

  /// A problem after RFC 9457, for what the service itself refuses.
  ///
  /// - Parameters:
  ///   - status: The status.
  ///   - kind: The last part of the problem's type.
  ///   - title: What kind of problem.
  ///   - detail: What happened this time and what to try.
  /// - Returns: The response.
  public static func problem(
    status: Int, kind: String, title: String, detail: String
  ) -> HTTPResponse {
    let text =
      #"{"detail":"\#(JSONText.escape(detail))","status":\#(status),"#
      + #""title":"\#(JSONText.escape(title))","type":"/problems/\#(JSONText.escape(kind))"}"#
    return content(
      Array(text.utf8), mediaType: "application/problem+json", status: status)
  }
}

/// Text inside a JSON string (RFC 8259 section 7).
enum JSONText {
  static func escape(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        escaped += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
