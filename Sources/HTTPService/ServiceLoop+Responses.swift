// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets

/// What goes out.
extension ServiceLoop {
  /// Octets of events that are gathered for one write.
  private static let eventBatch = ResponseWriter.chunk

  /// Puts a response in place; it is written as the client takes it.
  func begin(_ response: HTTPResponse, of exchange: Exchange, on connection: OpaquePointer) {
    switch response.body {
    case .bytes:
      exchange.phase = .sending(response, headIsSent: false, offset: 0)
    case .eventStream:
      let (place, greeting) = events.start(after: exchange.head.headers["last-event-id"])
      exchange.phase = .streaming(place: place, pending: greeting, headIsSent: false)
      setTimer(of: connection, seconds: configuration.bounds.heartbeatSeconds)
    }
    askToWrite(connection)
  }

  /// Asks the library to call when the connection takes more, and gives up on a client that does
  /// not read.
  func askToWrite(_ connection: OpaquePointer) {
    lws_set_timeout(
      connection, PENDING_TIMEOUT_HTTP_CONTENT, Int32(configuration.bounds.patienceSeconds))
    // The library writes nothing while reading is paused.
    lws_rx_flow_control(connection, 1)
    lws_callback_on_writable(connection)
  }

  func setTimer(of connection: OpaquePointer, seconds: Int?) {
    // LWS_SET_TIMER_USEC_CANCEL is -1, as a cast that does not import.
    lws_set_timer_usecs(connection, seconds.map { lws_usec_t($0) * 1_000_000 } ?? -1)
  }

  /// The connection takes more.
  ///
  /// - Parameter connection: Where.
  /// - Returns: False to close it.
  func write(on connection: OpaquePointer) -> Bool {
    guard let exchange = exchanges[connection] else { return true }
    switch exchange.phase {
    case .receiving, .answering, .draining:
      return true
    case .sending(let response, let headIsSent, let offset):
      return send(response, headIsSent: headIsSent, offset: offset, of: exchange, on: connection)
    case .streaming(let place, let pending, let headIsSent):
      return stream(
        from: place, pending: pending, headIsSent: headIsSent, of: exchange, on: connection)
    }
  }

  private func send(
    _ response: HTTPResponse, headIsSent: Bool, offset: Int, of exchange: Exchange,
    on connection: OpaquePointer
  ) -> Bool {
    guard case .bytes(let body) = response.body else { return false }
    guard headIsSent else {
      guard
        ResponseWriter.writeHead(
          of: response, contentLength: body.count, to: connection)
      else { return false }
      if body.isEmpty || exchange.omitsBody { return complete(exchange, on: connection) }
      exchange.phase = .sending(response, headIsSent: true, offset: 0)
      askToWrite(connection)
      return true
    }
    let end = min(offset + ResponseWriter.chunk, body.count)
    guard ResponseWriter.write(body[offset..<end], isLast: end == body.count, to: connection)
    else { return false }
    guard end < body.count else { return complete(exchange, on: connection) }
    exchange.phase = .sending(response, headIsSent: true, offset: end)
    askToWrite(connection)
    return true
  }

  /// The answer has gone out, and the connection ends with it.
  private func complete(_ exchange: Exchange, on connection: OpaquePointer) -> Bool {
    if exchange.leavesBodyUnread {
      exchange.phase = .draining
      setTimer(of: connection, seconds: configuration.bounds.patienceSeconds)
      return true
    }
    forget(connection)
    return false
  }

  // MARK: Event streams

  private func stream(
    from place: UInt64, pending: [UInt8], headIsSent: Bool, of exchange: Exchange,
    on connection: OpaquePointer
  ) -> Bool {
    guard headIsSent else {
      let head = HTTPResponse(
        status: 200,
        headers: [
          .init("Content-Type", "text/event-stream"), .init("Cache-Control", "no-store"),
        ])
      guard
        ResponseWriter.writeHead(
          of: head, contentLength: nil, to: connection)
      else { return false }
      if exchange.omitsBody { return false }
      exchange.phase = .streaming(place: place, pending: pending, headIsSent: true)
      askToWrite(connection)
      return true
    }
    var bytes = pending
    var next = place
    if bytes.count < Self.eventBatch {
      let news = events.read(from: place, limit: Self.eventBatch - bytes.count)
      bytes += news.bytes
      next = news.place
    }
    let (now, later) = (bytes.prefix(ResponseWriter.chunk), bytes.dropFirst(ResponseWriter.chunk))
    exchange.phase = .streaming(place: next, pending: Array(later), headIsSent: true)
    if !now.isEmpty {
      guard ResponseWriter.write(now, isLast: false, to: connection) else { return false }
    }
    if !later.isEmpty || events.hasNews(for: next) || lws_partial_buffered(connection) != 0 {
      askToWrite(connection)
    } else {
      lws_set_timeout(connection, NO_PENDING_TIMEOUT, 0)
      lws_rx_flow_control(connection, 0)
    }
    return true
  }

  /// A body that took too long, or an event stream that must show that it lives.
  ///
  /// - Parameter connection: Where.
  /// - Returns: False to close it.
  func timerFired(on connection: OpaquePointer) -> Bool {
    guard let exchange = exchanges[connection] else { return true }
    switch exchange.phase {
    case .receiving, .draining:
      return false
    case .answering, .sending:
      return true
    case .streaming(let place, let pending, let headIsSent):
      // A comment line (WHATWG HTML section 9.2.5); a dead client shows itself by not taking it.
      if pending.isEmpty, headIsSent {
        exchange.phase = .streaming(
          place: place, pending: Array(":\n\n".utf8), headIsSent: headIsSent)
        askToWrite(connection)
      }
      setTimer(of: connection, seconds: configuration.bounds.heartbeatSeconds)
      return true
    }
  }
}
