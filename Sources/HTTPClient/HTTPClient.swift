// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CCurl
internal import Glibc

/// Asks a coordinator over HTTP: one call, one answer, on the caller's thread.
///
/// Not to be used from several threads at a time. It keeps its connection between calls.
public final class HTTPClient {
  /// Whom it asks.
  public let server: ServerAddress
  private let handle: UnsafeMutableRawPointer

  /// Longest answer taken: the state of a house with 64 rooms and a long queue is far below it.
  static let longestAnswer = 64 << 20
  /// How long to wait for a connection, in ms. On a local network a host answers in a few.
  static let connectMilliseconds = 4_000
  /// How long an answer may take, in seconds.
  public static let answerSeconds = 30
  /// An upload or event stream is given up after this long without a byte, in seconds.
  static let silenceSeconds = 40

  /// A client of `server`; connects at the first call.
  ///
  /// - Throws: `HTTPClientError.library` when libcurl cannot be used.
  public init(server: ServerAddress) throws(HTTPClientError) {
    guard let handle = curl_easy_init() else {
      throw .library(reason: "no handle: out of memory?")
    }
    self.server = server
    self.handle = handle
  }

  deinit { curl_easy_cleanup(handle) }

  /// Asks for a document.
  ///
  /// - Parameters:
  ///   - path: The absolute path, with its query.
  ///   - milliseconds: How long all of it may take.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `HTTPClientError` when there is none.
  public func get(
    _ path: String, within milliseconds: Int = answerSeconds * 1_000
  ) throws(HTTPClientError) -> HTTPAnswer {
    prepare(path: path)
    tutti_curl_set_number(handle, CURLOPT_HTTPGET, 1)
    tutti_curl_set_number(handle, CURLOPT_TIMEOUT_MS, milliseconds)
    return try answer(headers: ["Accept: application/json"])
  }

  /// Sends a document.
  ///
  /// - Parameters:
  ///   - path: The absolute path, with its query.
  ///   - json: The document's bytes.
  ///   - headers: Further headers, as `Name: value`.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `HTTPClientError` when there is none.
  public func post(
    _ path: String, json: [UInt8], headers: [String] = []
  ) throws(HTTPClientError) -> HTTPAnswer {
    prepare(path: path)
    return try send(json, headers)
  }

  /// Sends a document that takes the place of what is there.
  ///
  /// - Parameters:
  ///   - path: The absolute path, with its query.
  ///   - json: The document's bytes.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `HTTPClientError` when there is none.
  public func put(_ path: String, json: [UInt8]) throws(HTTPClientError) -> HTTPAnswer {
    prepare(path: path)
    tutti_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, "PUT")
    return try send(json, [])
  }

  private func send(
    _ json: [UInt8], _ headers: [String]
  ) throws(HTTPClientError) -> HTTPAnswer {
    tutti_curl_set_number(handle, CURLOPT_POST, 1)
    tutti_curl_set_number(handle, CURLOPT_TIMEOUT, Self.answerSeconds)
    tutti_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, json.count)
    // COPYPOSTFIELDS takes a copy, so the array need not outlive the call.
    json.withUnsafeBytes { bytes in
      _ = tutti_curl_set_pointer(
        handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
    return try answer(headers: ["Content-Type: application/json", "Expect:"] + headers)
  }

  /// Asks for something to be removed.
  ///
  /// - Parameter path: The absolute path, with its query.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `HTTPClientError` when there is none.
  public func delete(_ path: String) throws(HTTPClientError) -> HTTPAnswer {
    prepare(path: path)
    tutti_curl_set_text(handle, CURLOPT_CUSTOMREQUEST, "DELETE")
    tutti_curl_set_number(handle, CURLOPT_TIMEOUT, Self.answerSeconds)
    return try answer(headers: ["Accept: application/json"])
  }

  /// Sends a file.
  ///
  /// - Parameters:
  ///   - path: The absolute path, with its query.
  ///   - file: The file to send.
  ///   - progress: Called now and then with the bytes sent and the bytes in all.
  /// - Returns: The answer, whatever its status.
  /// - Throws: `HTTPClientError` when there is none, or the file cannot be read.
  public func upload(
    _ path: String, file: String, progress: @escaping (_ sent: Int64, _ total: Int64) -> Void
  ) throws(HTTPClientError) -> HTTPAnswer {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(file) }
    defer { close(descriptor) }
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw unreadable(file) }
    prepare(path: path)
    let box = UploadBox(descriptor: descriptor, progress: progress)
    let context = Unmanaged.passUnretained(box).toOpaque()
    tutti_curl_set_number(handle, CURLOPT_POST, 1)
    tutti_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int(facts.st_size))
    tutti_curl_set_data_function(handle, CURLOPT_READFUNCTION, readUpload)
    tutti_curl_set_pointer(handle, CURLOPT_READDATA, context)
    tutti_curl_set_number(handle, CURLOPT_NOPROGRESS, 0)
    tutti_curl_set_progress_function(handle, reportUpload)
    tutti_curl_set_pointer(handle, CURLOPT_XFERINFODATA, context)
    tutti_curl_set_number(handle, CURLOPT_UPLOAD_BUFFERSIZE, 512 << 10)
    setSilenceLimit()
    return try withExtendedLifetime(box) { () throws(HTTPClientError) in
      try answer(headers: ["Content-Type: application/octet-stream", "Expect:"])
    }
  }

  /// Follows an event stream until `receive` returns false or the stream ends.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - lastEventID: The id of the last event seen, to go on from there.
  ///   - receive: Called with each event; false ends the stream.
  /// - Throws: `HTTPClientError` when the stream could not be opened or broke.
  public func events(
    _ path: String, lastEventID: String? = nil, receive: @escaping (ServerEvent) -> Bool
  ) throws(HTTPClientError) {
    prepare(path: path)
    let box = EventBox(receive: receive)
    tutti_curl_set_number(handle, CURLOPT_HTTPGET, 1)
    tutti_curl_set_data_function(handle, CURLOPT_WRITEFUNCTION, takeEvents)
    tutti_curl_set_pointer(
      handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(box).toOpaque())
    setSilenceLimit()
    let again = lastEventID.map { ["Last-Event-ID: \($0)"] } ?? []
    let code = withExtendedLifetime(box) {
      perform(headers: ["Accept: text/event-stream"] + again)
    }
    guard code == CURLE_OK || !box.goesOn else { throw unreachable(code) }
  }

  // MARK: Parts of a call

  private func prepare(path: String) {
    curl_easy_reset(handle)
    tutti_curl_set_text(handle, CURLOPT_URL, server.url(path: path))
    tutti_curl_set_text(handle, CURLOPT_USERAGENT, "tutti")
    tutti_curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
    tutti_curl_set_text(handle, CURLOPT_PROXY, "")
    tutti_curl_set_number(handle, CURLOPT_CONNECTTIMEOUT_MS, Self.connectMilliseconds)
    tutti_curl_set_number(handle, CURLOPT_NOSIGNAL, 1)
    if case .unix(let path) = server {
      tutti_curl_set_text(handle, CURLOPT_UNIX_SOCKET_PATH, path)
    }
  }

  private func setSilenceLimit() {
    tutti_curl_set_number(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
    tutti_curl_set_number(handle, CURLOPT_LOW_SPEED_TIME, Self.silenceSeconds)
  }

  private func answer(headers: [String]) throws(HTTPClientError) -> HTTPAnswer {
    let box = BodyBox(limit: Self.longestAnswer)
    tutti_curl_set_data_function(handle, CURLOPT_WRITEFUNCTION, takeBody)
    tutti_curl_set_pointer(
      handle, CURLOPT_WRITEDATA, Unmanaged.passUnretained(box).toOpaque())
    let code = withExtendedLifetime(box) { perform(headers: headers) }
    if box.isTooLong { throw .tooLong(server: server) }
    let status = tutti_curl_response_code(handle)
    // A server that refuses an upload answers before it has read all; that answer counts.
    guard code == CURLE_OK || (status >= 400 && !box.bytes.isEmpty) else {
      throw unreachable(code)
    }
    return HTTPAnswer(status: status, body: box.bytes)
  }

  private func perform(headers: [String]) -> CURLcode {
    var list: UnsafeMutablePointer<curl_slist>?
    for header in headers { list = curl_slist_append(list, header) }
    defer { curl_slist_free_all(list) }
    tutti_curl_set_list(handle, list)
    return curl_easy_perform(handle)
  }

  private func unreachable(_ code: CURLcode) -> HTTPClientError {
    .unreachable(server: server, reason: String(cString: curl_easy_strerror(code)))
  }

  private func unreadable(_ file: String) -> HTTPClientError {
    .unreadable(path: file, reason: String(cString: strerror(errno)))
  }
}
