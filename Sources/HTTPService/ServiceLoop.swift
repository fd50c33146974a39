// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Tutti authors

internal import CWebSockets
internal import Synchronization

/// The service's thread: takes the library's calls, hands requests to the handler, writes answers.
///
/// @unchecked Sendable: everything but `outbox`, `wakeTarget`, `isStopping` (each locked) is used
/// only by the thread in `run`, and by `open` before that thread starts.
final class ServiceLoop: @unchecked Sendable {
  let configuration: HTTPConfiguration
  let handler: any HTTPHandler
  let events: EventHub
  var library: LibraryContext?

  /// What each connection is at. A connection without an entry waits for its next request.
  var exchanges: [OpaquePointer: Exchange] = [:]
  /// Connections by their exchange's number, for answers that come in from elsewhere.
  var connections: [UInt64: OpaquePointer] = [:]
  /// All accepted connections, with or without a request.
  var accepted: Set<OpaquePointer> = []
  private var lastNumber: UInt64 = 0

  /// Answers on their way from handlers to this thread.
  private let outbox = Mutex<[(number: UInt64, response: HTTPResponse)]>([])
  /// The context to wake, until it is destroyed.
  private let wakeTarget = Mutex<WakeTarget?>(nil)
  private let isStopping = Mutex(false)

  /// The one pointer that other threads use, and only with `wakeTarget` held.
  /// @unchecked Sendable: `lws_cancel_service` is the library's one call for other threads.
  private struct WakeTarget: @unchecked Sendable { let context: OpaquePointer }

  init(configuration: HTTPConfiguration, handler: any HTTPHandler, events: EventHub) {
    self.configuration = configuration
    self.handler = handler
    self.events = events
  }

  /// Makes the context and listens.
  ///
  /// - Throws: When a place cannot be listened on.
  func open() throws(HTTPServiceError) {
    let library = try LibraryContext(configuration: configuration, loop: self)
    self.library = library
    let target = WakeTarget(context: library.context)
    wakeTarget.withLock { $0 = target }
  }

  /// Serves until `stop`; the thread's body.
  func run() {
    guard let library else { return }
    while !isStopping.withLock({ $0 }) {
      // 0: until something happens (lws-service.h); negative results are the context's end.
      guard lws_service(library.context, 0) >= 0 else { break }
    }
    close()
  }

  /// Frees everything. On the service's thread, or when none was started.
  func close() {
    wakeTarget.withLock { $0 = nil }
    library?.destroy()
    library = nil
    exchanges.removeAll()
    connections.removeAll()
  }

  /// Ends `run`. From any thread.
  func stop() {
    isStopping.withLock { $0 = true }
    wake()
  }

  /// Makes the service's thread look at the outbox and the events. From any thread.
  func wake() {
    wakeTarget.withLock { target in
      if let target { lws_cancel_service(target.context) }
    }
  }

  /// Takes a handler's answer. From any thread.
  func deliver(_ response: HTTPResponse, for number: UInt64) {
    outbox.withLock { $0.append((number, response)) }
    wake()
  }

  /// Answers that came in, and news for event streams.
  func takeDeliveries() {
    let deliveries = outbox.withLock { box in
      defer { box = [] }
      return box
    }
    for (number, response) in deliveries {
      guard let connection = connections[number], let exchange = exchanges[connection] else {
        continue
      }
      begin(response, of: exchange, on: connection)
    }
    for (connection, exchange) in exchanges {
      if case .streaming(let place, _, _) = exchange.phase, events.hasNews(for: place) {
        askToWrite(connection)
      }
    }
  }

  func nextNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// Forgets what a connection was at; cancels its handler.
  func forget(_ connection: OpaquePointer) {
    guard let exchange = exchanges.removeValue(forKey: connection) else { return }
    connections[exchange.number] = nil
    exchange.work?.cancel()
  }
}

/// The library's one way in. Returning nonzero closes the connection.
func takeLibraryEvent(
  _ connection: OpaquePointer?, _ reason: lws_callback_reasons, _ user: UnsafeMutableRawPointer?,
  _ input: UnsafeMutableRawPointer?, _ length: Int
) -> Int32 {
  guard let connection, let context = lws_get_context(connection),
    let pointer = lws_context_user(context)
  else { return 0 }
  let loop = Unmanaged<ServiceLoop>.fromOpaque(pointer).takeUnretainedValue()
  return loop.take(
    reason, of: connection,
    input: UnsafeRawBufferPointer(start: input, count: input == nil ? 0 : length))
}
