// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets

/// What the library tells, connection by connection.
extension ServiceLoop {
  /// The library's way of saying that a connection is to be closed.
  private static let closeConnection: Int32 = -1

  /// Takes one event.
  ///
  /// - Parameters:
  ///   - reason: What happened.
  ///   - connection: Where.
  ///   - input: What came with it.
  /// - Returns: 0 to go on, negative to close the connection.
  func take(
    _ reason: lws_callback_reasons, of connection: OpaquePointer, input: UnsafeRawBufferPointer
  ) -> Int32 {
    switch reason {
    case LWS_CALLBACK_FILTER_NETWORK_CONNECTION:
      return result(hasRoom(for: origin(of: connection)))
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
      accepted.insert(connection)
    case LWS_CALLBACK_HTTP:
      return result(beginRequest(on: connection, path: input))
    case LWS_CALLBACK_HTTP_BODY:
      return result(receive(input, on: connection))
    case LWS_CALLBACK_HTTP_BODY_COMPLETION:
      return result(completeBody(on: connection))
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return result(write(on: connection))
    case LWS_CALLBACK_TIMER:
      return result(timerFired(on: connection))
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return Self.closeConnection
    case LWS_CALLBACK_CLOSED_HTTP:
      forget(connection)
    case LWS_CALLBACK_WSI_DESTROY:
      forget(connection)
      accepted.remove(connection)
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
      takeDeliveries()
    default:
      break
    }
    return 0
  }

  /// Any program on this host may open TCP connections, but only who may command the house opens the
  /// Unix socket: a quarter of the places is kept for that.
  private func hasRoom(for origin: HTTPRequest.Origin) -> Bool {
    let places = configuration.bounds.connections
    return accepted.count < (origin == .unixSocket ? places : places * 3 / 4)
  }

  private func result(_ goesOn: Bool) -> Int32 { goesOn ? 0 : Self.closeConnection }

  // MARK: Requests

  private func beginRequest(on connection: OpaquePointer, path: UnsafeRawBufferPointer) -> Bool {
    forget(connection)
    guard let text = String(validating: path, as: UTF8.self),
      let head = RequestHead.read(connection, path: text)
    else { return false }
    let exchange = Exchange(
      number: nextNumber(), head: head, origin: origin(of: connection),
      phase: .receiving(.nothing))
    exchanges[connection] = exchange
    connections[exchange.number] = connection

    if let refusal = refusal(of: exchange) {
      exchange.leavesBodyUnread = head.headers["transfer-encoding"] != nil || head.announcesBody
      begin(refusal, of: exchange, on: connection)
      return true
    }
    guard let length = head.contentLength, length > 0 else {
      answer(exchange)
      return true
    }
    return prepareBody(of: exchange, length: length, on: connection)
  }

  private func origin(of connection: OpaquePointer) -> HTTPRequest.Origin {
    lws_get_vhost(connection) == library?.unixSocket ? .unixSocket : .loopback
  }

  private func prepareBody(
    of exchange: Exchange, length: Int64, on connection: OpaquePointer
  ) -> Bool {
    if isUpload(exchange.head), let directory = configuration.uploadDirectory {
      let name = "upload-\(events.boot)-\(exchange.number)"
      guard let file = UploadFile(directory: directory, name: name) else {
        exchange.leavesBodyUnread = true
        begin(.uploadFailed, of: exchange, on: connection)
        return true
      }
      exchange.phase = .receiving(.file(file))
    } else {
      exchange.phase = .receiving(.memory([]))
      setTimer(of: connection, seconds: configuration.bounds.bodySeconds)
    }
    return true
  }

  private func receive(_ bytes: UnsafeRawBufferPointer, on connection: OpaquePointer) -> Bool {
    guard let exchange = exchanges[connection], case .receiving(let receiving) = exchange.phase
    else { return true }
    switch receiving {
    case .nothing:
      return true
    case .memory(var held):
      // Only one reference, so that appending does not copy.
      exchange.phase = .receiving(.nothing)
      held.append(contentsOf: bytes)
      exchange.phase = .receiving(.memory(held))
    case .file(let file):
      guard file.append(bytes) else {
        exchange.leavesBodyUnread = true
        begin(.uploadFailed, of: exchange, on: connection)
        return true
      }
    }
    return true
  }

  private func completeBody(on connection: OpaquePointer) -> Bool {
    guard let exchange = exchanges[connection] else { return true }
    if case .draining = exchange.phase { return false }
    guard case .receiving = exchange.phase else { return true }
    setTimer(of: connection, seconds: nil)
    answer(exchange)
    return true
  }

  /// Leaves what comes next in the socket until this request is answered. Without this the library
  /// reports the end of the body again and again while octets of the next request wait.
  private func pauseReading(of connection: OpaquePointer) {
    lws_rx_flow_control(connection, 0)
  }

  private func answer(_ exchange: Exchange) {
    let request = exchange.request()
    let number = exchange.number
    exchange.phase = .answering
    if let connection = connections[number] {
      // The handler may take its time: the library's clock stands still meanwhile.
      lws_set_timeout(connection, NO_PENDING_TIMEOUT, 0)
      pauseReading(of: connection)
    }
    exchange.work = Task { [handler, weak self] in
      let response = await handler.respond(to: request)
      self?.deliver(response, for: number)
    }
  }
}
