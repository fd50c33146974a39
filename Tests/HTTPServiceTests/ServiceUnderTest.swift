// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

import DaemonProcess
import Glibc
import HTTPService
import Synchronization

/// A service in a directory of its own, with a handler that tells what it was asked.
final class ServiceUnderTest {
  let service: HTTPService
  let directory: String
  let handler = Echo()

  var socketPath: String { directory + "/control.sock" }
  var uploads: String { directory + "/uploads" }
  var events: EventHub { service.events }

  init(
    bounds: HTTPBounds = HTTPBounds(), events: EventHub = EventHub(boot: "b1")
  ) throws {
    var template = Array("/tmp/tutti-http-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw RawClient.Failure(description: "mkdtemp") }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    service = try HTTPService(
      configuration: HTTPConfiguration(
        unixSocketPath: directory + "/control.sock", loopbackPort: 0,
        uploadDirectory: directory + "/uploads", uploadPaths: ["/upload"], bounds: bounds),
      handler: handler, events: events, log: .discarding)
  }

  deinit {
    service.stop()
    unlink(socketPath)
    rmdir(uploads)
    rmdir(directory)
  }

  func unix() throws -> RawClient { try RawClient(unixSocket: socketPath) }

  func tcp() throws -> RawClient { try RawClient(port: service.port ?? 0) }
}

/// Tells what it was asked; `/slow` waits until the test lets it go.
final class Echo: HTTPHandler {
  /// What was asked, in order.
  var seen: [HTTPRequest] { requests.withLock { $0 } }
  private let requests = Mutex<[HTTPRequest]>([])
  private let gate = Gate()

  func respond(to request: HTTPRequest) async -> HTTPResponse {
    requests.withLock { $0.append(request) }
    switch request.path {
    case "/events": return HTTPResponse(status: 200, body: .eventStream)
    case "/slow":
      await gate.wait()
      return .content(Array("slow".utf8), mediaType: "text/plain")
    case "/large":
      return .content([UInt8](repeating: UInt8(ascii: "x"), count: 3_000_000))
    case "/empty": return HTTPResponse(status: 204)
    default: return .content(Array(Self.describe(request).utf8), mediaType: "text/plain")
    }
  }

  func openGate() { gate.open() }

  private static func describe(_ request: HTTPRequest) -> String {
    let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let body =
      switch request.body {
      case .none: "none"
      case .bytes(let bytes): "\(bytes.count) octets"
      case .file(let path, let bytes): "file of \(bytes), first \(firstOctet(path))"
      }
    return "\(request.method) \(request.path) [\(query.joined(separator: ","))] \(body)"
  }

  private static func firstOctet(_ path: String) -> Int {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var octet: UInt8 = 0
    return read(descriptor, &octet, 1) == 1 ? Int(octet) : -1
  }
}

/// Holds tasks until it is opened.
final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiting: [CheckedContinuation<Void, Never>])>(
    (false, []))

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
