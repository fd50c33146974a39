// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

/// One request and its answer on one connection. Confined to the service's thread.
final class Exchange {
  /// Where a body goes while it comes in.
  enum Receiving {
    case nothing
    case memory([UInt8])
    case file(UploadFile)
  }

  /// How far the exchange is.
  enum Phase {
    /// The body comes in.
    case receiving(Receiving)
    /// The handler works.
    case answering
    /// The response is ready to be written or partly written: `offset` octets of the body are gone.
    case sending(HTTPResponse, headIsSent: Bool, offset: Int)
    /// An event stream; `place` is the next event's number.
    case streaming(place: UInt64, pending: [UInt8], headIsSent: Bool)
    /// The answer has gone out before the body came in; what still comes is thrown away.
    case draining
  }

  let number: UInt64
  let head: RequestHead
  let origin: HTTPRequest.Origin
  var phase: Phase
  /// The handler's work, cancelled when the client goes.
  var work: Task<Void, Never>?
  /// Keeps an upload's file until the answer has gone out.
  var upload: UploadFile?

  /// Whether the answer goes out before the body has come in. Closing at once would make the kernel
  /// tell the client "connection reset", and the answer would be lost with it.
  var leavesBodyUnread = false

  init(number: UInt64, head: RequestHead, origin: HTTPRequest.Origin, phase: Phase) {
    self.number = number
    self.head = head
    self.origin = origin
    self.phase = phase
  }

  deinit { work?.cancel() }

  /// `HEAD` is answered like `GET`, without the body.
  var omitsBody: Bool { head.method == "HEAD" }

  /// The request for the handler, once the body is complete.
  func request() -> HTTPRequest {
    var body = HTTPRequest.Body.none
    if case .receiving(let received) = phase {
      switch received {
      case .nothing: break
      case .memory(let bytes): body = bytes.isEmpty ? .none : .bytes(bytes)
      case .file(let file):
        file.finish()
        upload = file
        body = .file(path: file.path, bytes: file.bytes)
      }
    }
    return HTTPRequest(
      method: omitsBody ? "GET" : head.method, path: head.path, query: head.query,
      headers: head.headers, body: body, origin: origin)
  }
}
