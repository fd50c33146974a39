// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DaemonProcess
import Dispatch
import Glibc
import HTTPClient
import HTTPService
import Synchronization

/// A real service in a directory of its own, with a handler that tells what it was asked.
final class HouseUnderTest {
  static let largeSize = 3_000_000
  static let uploadLimit = 6_000_000

  let events = EventHub(boot: "b1")
  let handler = Echo()
  let unix: ServerAddress
  let loopback: ServerAddress
  private let service: HTTPService
  private let directory: String

  struct Failure: Error {}

  init() throws {
    var template = Array("/tmp/tutti-client-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    var bounds = HTTPBounds()
    bounds.uploadBytes = UInt64(Self.uploadLimit)
    unix = .unix(path: directory + "/control.sock")
    service = try HTTPService(
      configuration: HTTPConfiguration(
        unixSocketPath: directory + "/control.sock", loopbackPort: 0,
        uploadDirectory: directory + "/uploads", uploadPaths: ["/upload"], bounds: bounds),
      handler: handler, events: events, log: .discarding)
    loopback = .url("http://127.0.0.1:\(service.port ?? 0)")
  }

  deinit {
    service.stop()
    unlink(directory + "/control.sock")
    unlink(directory + "/file.wav")
    rmdir(directory + "/uploads")
    rmdir(directory)
  }

  /// Makes a file to send.
  func file(size: Int) throws -> String {
    let path = directory + "/file.wav"
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(descriptor) }
    guard descriptor >= 0, ftruncate(descriptor, size) == 0 else { throw Failure() }
    return path
  }
}

/// Tells what it was asked.
final class Echo: HTTPHandler {
  private let requests = Mutex(0)

  /// How many requests came.
  var count: Int { requests.withLock { $0 } }

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    requests.withLock { $0 += 1 }
    switch request.path {
    case "/events": return HTTPResponse(status: 200, body: .eventStream)
    case "/large": return .content([UInt8](repeating: 1, count: HouseUnderTest.largeSize))
    case "/refused":
      return .problem(status: 409, kind: "not-now", title: "Not now", detail: "try later")
    default:
      let size: UInt64 =
        switch request.body {
        case .none: 0
        case .bytes(let bytes): UInt64(bytes.count)
        case .file(_, let bytes): bytes
        }
      let text = "\(request.method) \(request.path) x=\(request.query["x"] ?? "") \(size)"
      return .content(Array(text.utf8), mediaType: "text/plain")
    }
  }
}

/// Runs blocking work on a thread of its own, which serial queues get: those of the global queue are
/// the few that run tasks, and the handlers need them.
func onThread<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "client").async {
      continuation.resume(with: Result { try body() })
    }
  }
}
